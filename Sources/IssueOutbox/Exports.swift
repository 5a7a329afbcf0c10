// The API of this module speaks in these: importing it is enough.
@_exported public import IssueTracker
