internal import ConcurrencyPrimitives
internal import GRDB
internal import PlatformModules
internal import PrivateDatabase

/// The keys of the users, labels and milestones that the writing connection used last; most of them reappear on the
/// next page. A transaction takes the cache and returns it when it commits, so that a failed transaction can't leave
/// entries in it. A write by another connection empties the cache.
final class RowCache: Sendable {
  struct Entry<Content: Hashable & Sendable>: Sendable {
    var key: Int64
    var content: Content
  }

  struct Name: Hashable, Sendable {
    var space: String
    var name: String
  }

  struct Content: Sendable {
    /// The keys by login, each with a hash of the user's JSON.
    var users: [Name: Entry<Int>] = [:]
    var labels: [Int64: [String: Entry<FeedPage.Label>]] = [:]
    var milestones: [Int64: [Int: Int]] = [:]
    /// SQLite's data version (<https://www.sqlite.org/pragma.html#pragma_data_version>).
    var dataVersion = 0
    var count = 0

    /// The most entries, which take a few megabytes.
    private static let capacity = 20_000

    mutating func validate(_ db: Database) throws {
      let found = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      if found != dataVersion || count > Self.capacity { self = Content() }
      dataVersion = found
    }
  }

  private let content = Locked(Content())

  func empty() { content.withLock { $0 = Content() } }

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

  func key(of person: FeedPage.Person, _ cache: inout RowCache.Content) throws -> Int64 {
    let name = RowCache.Name(space: host, name: person.login)
    var hasher = Hasher()
    unsafe person.json.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
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

struct PropertyWriter {
  private let repository: Int64
  private let seenAt: Int
  private let findLabel: Statement
  private let upsertLabel: Statement
  private let upsertMilestone: Statement

  init(_ db: Database, repository: Int64, seenAt: Int) throws {
    self.repository = repository
    self.seenAt = seenAt
    findLabel = try db.cachedStatement(
      sql: "SELECT key, id, name, color, description FROM label WHERE repository = ? AND name = ?")
    upsertLabel = try db.cachedStatement(
      sql: """
        INSERT INTO label (repository, id, name, color, description, seen_at, is_settled)
        VALUES (
          ?1, ?2, ?3, ?4, ?5, ?6,
          NOT EXISTS (SELECT 1 FROM label WHERE repository = ?1 AND id = ?2))
        ON CONFLICT (repository, name) DO UPDATE SET
          id = excluded.id, name = excluded.name, color = excluded.color,
          description = excluded.description, seen_at = excluded.seen_at, is_settled = 0
        RETURNING key
        """)
    upsertMilestone = try db.cachedStatement(
      sql: """
        INSERT INTO milestone (
          repository, number, title, state, description, due_on, json, seen_at, is_settled)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
        ON CONFLICT (repository, number) DO UPDATE SET
          title = excluded.title, state = excluded.state, description = excluded.description,
          due_on = excluded.due_on, json = excluded.json, seen_at = excluded.seen_at,
          is_settled = is_settled AND title = excluded.title COLLATE BINARY
            AND state IS excluded.state AND description IS excluded.description
            AND due_on IS excluded.due_on
        WHERE json <> excluded.json
        """)
  }

  /// Writes the row if it is missing or differs; a bare name doesn't replace other values. The row becomes unsettled if
  /// it replaces another version, or if its id also has another name, because items stored earlier still have those.
  func key(of label: FeedPage.Label, _ cache: inout RowCache.Content) throws -> Int64 {
    if let known = cache.labels[repository]?[label.name], known.content == label {
      return known.key
    }
    let row = try Row.fetchOne(findLabel, arguments: [repository, label.name])
    let found = try row.map { row in
      RowCache.Entry<FeedPage.Label>(
        key: try row.value("key"),
        content: FeedPage.Label(
          id: try row.value("id"), name: try row.value("name"), color: try row.value("color"),
          description: try row.value("description")))
    }
    let key: Int64
    if let found, found.content == label || label.id == nil && label.color == nil {
      key = found.key
    } else {
      let written = try Int64.fetchOne(
        upsertLabel,
        arguments: [repository, label.id, label.name, label.color, label.description, seenAt])
      guard let written else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
      key = written
    }
    cache.labels[repository, default: [:]][label.name] = RowCache.Entry(key: key, content: label)
    cache.count += 1
    return key
  }

  /// A milestone without a number isn't written, because it can't be distinguished from others with the same title. It
  /// stays in the JSON of its issues.
  func write(_ milestone: FeedPage.Milestone, _ cache: inout RowCache.Content) throws {
    guard let number = milestone.number else { return }
    var hasher = Hasher()
    unsafe milestone.json.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    guard cache.milestones[repository]?[number] != hash else { return }
    try upsertMilestone.execute(
      arguments: [
        repository, number, milestone.title, milestone.state, milestone.description,
        milestone.dueOn, milestone.json, seenAt,
      ])
    cache.milestones[repository, default: [:]][number] = hash
    cache.count += 1
  }
}
