internal import GRDB

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes the labels and milestones of a page.
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

  /// The key of a label's row, which is written if it isn't there, or differs.
  ///
  /// One that is written over another version, or beside another name of its id, is unsettled: what was stored
  /// before has the other one.
  ///
  /// A label that came as a bare name tells nothing that could be written over what is there.
  func key(of label: TimelinePage.Label, _ cache: inout RowCache.Content) throws -> Int64 {
    if let known = cache.labels[repository]?[label.name], known.content == label {
      return known.key
    }
    let row = try Row.fetchOne(findLabel, arguments: [repository, label.name])
    let found = try row.map { row in
      RowCache.Entry<TimelinePage.Label>(
        key: try row.value("key"),
        content: TimelinePage.Label(
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

  /// Writes a milestone if it isn't there, or differs. One without a number can't be told from others of its
  /// title, and stays with its issues alone.
  func write(_ milestone: TimelinePage.Milestone, _ cache: inout RowCache.Content) throws {
    guard let number = milestone.number else { return }
    var hasher = Hasher()
    milestone.json.withUnsafeBytes { hasher.combine(bytes: $0) }
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
