internal import GRDB

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes the authors and assignees of a page.
struct PeopleWriter {
  private let host: String
  private let seenAt: Int
  private let find: Statement
  private let upsert: Statement

  init(_ db: Database, host: String, seenAt: Int) throws {
    self.host = host
    self.seenAt = seenAt
    find = try db.cachedStatement(
      sql: "SELECT key FROM user WHERE host = ? AND login = ? AND json = ?")
    upsert = try db.cachedStatement(
      sql: """
        INSERT INTO user (host, id, login, json, seen_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (host, login) DO UPDATE SET
          id = excluded.id, login = excluded.login, json = excluded.json, seen_at = excluded.seen_at
        RETURNING key
        """)
  }

  /// The key of a person's row, which is written if it isn't there, or differs.
  func key(of person: TimelinePage.Person, _ cache: inout RowCache.Content) throws -> Int64 {
    let name = RowCache.Name(space: host, name: person.login)
    var hasher = Hasher()
    person.json.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    if let known = cache.users[name], known.content == hash { return known.key }
    let found = try Int64.fetchOne(find, arguments: [host, person.login, person.json])
    let written =
      try found
      ?? Int64.fetchOne(
        upsert, arguments: [host, person.id, person.login, person.json, seenAt])
    guard let key = written else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
    cache.users[name] = RowCache.Entry(key: key, content: hash)
    cache.count += 1
    return key
  }
}
