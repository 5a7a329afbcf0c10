// The API of this module uses the types of that one, so importing this one is enough.
@_exported public import IssueTracker
