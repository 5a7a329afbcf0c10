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

  /// Drops entries that aren't sent yet.
  func drop(_ ids: [OutboxEntry.ID]) async throws
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
