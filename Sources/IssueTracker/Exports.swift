// The modules that a program with this one needs: targets and entities, names, errors and statuses, and the sequences that
// a `for await` reads. A transport comes with this product, and is imported where its type is named.
@_exported public import GitHubAPI
@_exported public import HTTPTargets
@_exported public import Reactive
