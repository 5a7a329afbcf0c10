package import IssueOutbox
package import PlatformModules

/// Saves the user's changes from the screen, and sends them. The description of an error is shown to the user: the
/// problem, and the remedy in a second line.
package protocol BrowserOutbox: Sendable {
  /// The server's software. Throws if changes can't be sent to the server, for example because there is no access
  /// token.
  func check(_ repository: RepositoryReference) async throws -> Forge

  /// Saves changes together, and returns when they are saved.
  func add(_ changes: [RepositoryChange]) async throws -> [OutboxEntry]

  /// Sends entries, even if the caller stops reading the events. Throws ``BrowserOutboxFailure``.
  func send(_ ids: [OutboxEntry.ID]) -> AsyncThrowingStream<OutboxEvent, any Error>

  /// Opens the outbox, and creates it if necessary.
  func opened() async throws -> Outbox

  /// Lends the terminal to the user's editor, and saves the text. Returns nil if there is no text.
  func compose(_ composition: Composition) async throws -> [OutboxEntry]?

  /// Lends the terminal to one of the user's own commands. Returns its outcome in words. Throws
  /// ``CustomCommand/Problem`` if a value is missing.
  func run(_ command: CustomCommand, on page: RepositoryReference?) async throws -> String

  // MARK: Names to choose from

  /// The labels of a repository, from the server or, without a network, from the mirror.
  func labels(of repository: RepositoryReference) async throws -> [GitHub.Label]

  func milestones(of repository: RepositoryReference) async throws -> [GitHub.Milestone]

  /// The people to whom issues of a repository can be assigned, with the user first. If the server can't list them, the
  /// known people are returned.
  func people(of repository: RepositoryReference) async throws -> AssignablePeople
}

/// A change and its repository under its current name.
package struct RepositoryChange: Sendable, Hashable {
  package let repository: RepositoryReference
  package let change: Change

  package init(_ change: Change, in repository: RepositoryReference) {
    self.repository = repository
    self.change = change
  }
}

/// The subject of text written in an editor.
package enum Composition: Sendable, Hashable {
  case comment(on: [ListedIssue], beginningWith: PastedPath? = nil)
  case newIssue(in: RepositoryReference)
  /// The title and the text of an issue.
  case edit(number: Int, of: RepositoryReference)
  /// The two texts of a conflict in the outbox.
  case merge(OutboxEntry.ID)
}

package struct BrowserOutboxFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The description of the failure, in up to two lines.
  package let description: String
  /// Whether the changes can be sent once the server can be reached.
  package let isNetworkAway: Bool
  /// The end of the server's limit.
  package let retryDate: Date?

  package init(_ description: String, isNetworkAway: Bool = false, retryDate: Date? = nil) {
    self.description = description
    self.isNetworkAway = isNetworkAway
    self.retryDate = retryDate
  }
}
