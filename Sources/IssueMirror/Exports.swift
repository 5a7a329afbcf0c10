// Re-exports the module whose types this API uses, so that importing this one is enough.
@_exported public import IssueTracker
