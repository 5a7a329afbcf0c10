package import IssueTracker

/// The sources of the start screen other than the history, the mirror and the outbox.
package struct StartSource: Sendable {
  /// Finds the clone in the current directory.
  package typealias FindClone = @Sendable () async -> RepositoryReference?

  /// The version of the program.
  let version: String
  let clone: FindClone

  package init(version: String = "", clone: @escaping FindClone = { nil }) {
    self.version = version
    self.clone = clone
  }
}
