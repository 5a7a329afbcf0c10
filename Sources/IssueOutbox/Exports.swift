// What the API of this module speaks in, so that importing it is enough.
@_exported public import IssueTracker
