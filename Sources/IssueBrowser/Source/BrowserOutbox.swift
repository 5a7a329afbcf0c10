package import IssueOutbox

/// Keeps the changes that a person makes on the screen, and sends them. The user sees the description of an error: what
/// happened, and in a second line what to do.
package protocol BrowserOutbox: Sendable {
  /// Throws if nobody could send changes to the server, as without an access token.
  func check(_ repository: RepositoryReference) async throws

  /// Keeps changes on the disk, together, before it returns.
  func add(
    _ changes: [Change], to repository: RepositoryReference
  ) async throws -> [OutboxEntry]

  /// Sends entries, even if nobody reads the events to their end. Throws ``BrowserOutboxFailure``.
  func send(_ ids: [OutboxEntry.ID]) -> AsyncThrowingStream<OutboxEvent, any Error>

  /// Opens the outbox, or makes one.
  func opened() async throws -> Outbox

  /// Lends the terminal to the user's editor, and keeps what is written there before it returns; nil if nothing is.
  func compose(
    _ composition: Composition, in repository: RepositoryReference
  ) async throws -> [OutboxEntry]?

  // MARK: Names to choose from

  /// The labels of a repository, from the server or, without a network, from the mirror.
  func labels(of repository: RepositoryReference) async throws -> [GitHub.Label]

  func milestones(of repository: RepositoryReference) async throws -> [GitHub.Milestone]

  /// The people whom issues of a repository can be assigned to, the user first; where the server can't say, those known.
  func people(of repository: RepositoryReference) async throws -> AssignablePeople
}

/// What is written in an editor.
package enum Composition: Sendable, Hashable {
  case comment(on: [IssueTarget])
  case newIssue
  /// The title and the text of an issue.
  case edit(number: Int)
  /// The two texts of a conflict in the outbox.
  case merge(OutboxEntry.ID)
}

package struct BrowserOutboxFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// In up to two lines.
  package let description: String
  /// Whether the changes can be sent once the server can be reached.
  package let isNetworkAway: Bool

  package init(_ description: String, isNetworkAway: Bool = false) {
    self.description = description
    self.isNetworkAway = isNetworkAway
  }
}
