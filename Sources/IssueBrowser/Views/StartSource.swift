package import IssueTracker

/// The sources of the start screen other than the history and the mirror.
package struct StartSource: Sendable {
  /// Finds the clone in the current directory.
  package typealias FindClone = @Sendable () async -> RepositoryReference?

  /// Counts the pending changes, and those that need the user's attention; nil without an outbox.
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
