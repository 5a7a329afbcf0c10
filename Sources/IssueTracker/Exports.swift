// Re-exports the modules that clients need: targets and entities, names, errors and statuses, and asynchronous
// sequences. A transport is part of this product, but its module has to be imported only to refer to its type.
@_exported public import GitHubAPI
@_exported public import HTTPTargets
@_exported public import Reactive
