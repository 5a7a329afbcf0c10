package import IssueTracker

/// What the start screen shows beside the history and the mirror.
package struct StartSource: Sendable {
  /// Finds the clone that the user stands in.
  package typealias FindClone = @Sendable () async -> RepositoryReference?

  /// Counts changes that aren't sent yet, and those of them that need the user; nil without an outbox.
  package typealias CountWaiting = @Sendable () async -> (all: Int, needingPerson: Int)?

  let clone: FindClone
  let waiting: CountWaiting

  package init(
    clone: @escaping FindClone = { nil }, waiting: @escaping CountWaiting = { nil }
  ) {
    self.clone = clone
    self.waiting = waiting
  }
}
