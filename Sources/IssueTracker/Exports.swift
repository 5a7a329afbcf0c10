// Re-exports the modules that clients need: targets and entities, names, errors and statuses, and asynchronous
// sequences. A transport is part of this product, but its module is imported only to name its type.
@_exported public import GitHubAPI
@_exported public import HTTPTargets
@_exported public import Reactive
