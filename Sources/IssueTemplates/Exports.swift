// The API of this module uses these types, so importing it is enough.
@_exported public import IssueTracker
