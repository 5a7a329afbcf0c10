// The API of this module speaks in these types: importing it is enough.
@_exported public import IssueTracker
