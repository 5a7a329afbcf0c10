internal import GRDB
internal import Locking

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The keys of users, labels and milestones that the writing connection found or wrote last, so that those of
/// a page, nearly all of which were on the page before, cost nothing.
///
/// It is taken while a transaction is under way, and given back when that is committed: what a transaction that
/// failed put into it is gone with it. What another connection writes empties it.
final class RowCache: Sendable {
  /// A row, and what of it tells whether it changed.
  struct Entry<Content: Hashable & Sendable>: Sendable {
    var key: Int64
    var content: Content
  }

  /// A name within a repository, or a login on a host.
  struct Name: Hashable, Sendable {
    var space: String
    var name: String
  }

  /// What is known.
  struct Content: Sendable {
    /// The users by their logins, with the hash of their JSON.
    var users: [Name: Entry<Int>] = [:]
    /// The labels by their repositories' keys.
    var labels: [Int64: [String: Entry<TimelinePage.Label>]] = [:]
    /// The hashes of the milestones' JSON, by their repositories' keys and their numbers.
    var milestones: [Int64: [Int: Int]] = [:]
    /// SQLite's count of what other connections have committed
    /// (<https://www.sqlite.org/pragma.html#pragma_data_version>).
    var dataVersion = 0
    /// How many entries there are.
    var count = 0

    /// How many entries there may be: a few megabytes.
    private static let capacity = 20_000

    /// Forgets everything when another connection has written, or when it is much.
    mutating func validate(_ db: Database) throws {
      let found = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      if found != dataVersion || count > Self.capacity { self = Content() }
      dataVersion = found
    }
  }

  private let content = Locked(Content())

  /// Forgets everything, in a transaction that removes rows.
  func empty() { content.withLock { $0 = Content() } }

  /// Does something with what is known, in an immediate transaction of its own.
  func withTransaction<Value>(
    _ db: Database, _ body: (inout Content) throws -> Value
  ) throws -> Value {
    var content = content.withLock { content in
      var taken = Content()
      swap(&taken, &content)
      return taken
    }
    var value: Value?
    try db.inTransaction(.immediate) {
      try content.validate(db)
      value = try body(&content)
      return .commit
    }
    let result = content
    self.content.withLock { $0 = result }
    guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
    return value
  }
}
