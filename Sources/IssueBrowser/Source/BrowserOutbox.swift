package import IssueOutbox

/// Saves the changes that a user makes on the screen, and sends them. The user sees the description of an error: the
/// problem, and in a second line the remedy.
package protocol BrowserOutbox: Sendable {
  /// Throws if changes can't be sent to the server, for example without an access token.
  func check(_ repository: RepositoryReference) async throws

  /// Saves changes together before it returns.
  func add(
    _ changes: [Change], to repository: RepositoryReference
  ) async throws -> [OutboxEntry]

  /// Sends entries, even if the caller stops reading the events. Throws ``BrowserOutboxFailure``.
  func send(_ ids: [OutboxEntry.ID]) -> AsyncThrowingStream<OutboxEvent, any Error>

  /// Opens the outbox, or makes one.
  func opened() async throws -> Outbox

  /// Lends the terminal to the user's editor, and saves the text before it returns; nil if there is no text.
  func compose(
    _ composition: Composition, in repository: RepositoryReference
  ) async throws -> [OutboxEntry]?

  // MARK: Names to choose from

  /// The labels of a repository, from the server or, without a network, from the mirror.
  func labels(of repository: RepositoryReference) async throws -> [GitHub.Label]

  func milestones(of repository: RepositoryReference) async throws -> [GitHub.Milestone]

  /// The people to whom issues of a repository can be assigned, the user first; if the server can't list them, the
  /// known ones.
  func people(of repository: RepositoryReference) async throws -> AssignablePeople
}

/// The subject of a text written in an editor.
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
