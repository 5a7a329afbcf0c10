internal import GRDB

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes the entries of a page, within a transaction.
///
/// An entry that is new costs one statement for its row, one for the search index, and one for each of its
/// labels and assignees. Nothing is looked up first: the row is inserted unless there is one.
struct PageWriter {
  private let db: Database
  private let repository: Int64
  private let seenAt: Int
  private let people: PeopleWriter
  private let properties: PropertyWriter
  private let statements: Statements
  private let hasTombstones: Bool

  /// Prepares to write a page of a repository, as seen at a time in seconds since 1970.
  init(_ db: Database, _ repository: MirroredRepository, seenAt: Int) throws {
    self.db = db
    self.repository = repository.id
    self.seenAt = seenAt
    people = try PeopleWriter(db, host: repository.host, seenAt: seenAt)
    properties = try PropertyWriter(db, repository: repository.id, seenAt: seenAt)
    statements = try Statements(db)
    hasTombstones =
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM tombstone WHERE repository = ?)"),
        arguments: [repository.id]) ?? false
  }

  /// Writes what is newer than what is there.
  func write(_ page: TimelinePage, _ cache: inout RowCache.Content) throws -> StoredPage {
    var stored = StoredPage()
    // In the order of the search index, which otherwise begins a new segment at each entry. Of two versions in
    // one page the later one is written last. Places are sorted: moving entries costs more than writing some.
    let places = page.entries.enumerated().map { index, entry in
      (place: entry.item == nil ? entry.id : Int64(entry.number), entry.updatedAt, index)
    }
    for (_, _, index) in places.sorted(by: <) {
      let entry = page.entries[index]
      switch try write(entry, &cache) {
      case .inserted: stored.inserted += 1
      case .updated: stored.updated += 1
      case .unchanged: stored.unchanged += 1
      }
    }
    return stored
  }

  private enum Outcome {
    case inserted
    case updated
    case unchanged
  }

  private func write(
    _ entry: TimelinePage.Entry, _ cache: inout RowCache.Content
  ) throws -> Outcome {
    guard let item = entry.item else { return try writeComment(entry, &cache) }
    let outcome: Outcome
    let key: Int64
    try statements.insertItem.execute(arguments: arguments(of: entry, item))
    if db.changesCount > 0 {
      (outcome, key) = (.inserted, db.lastInsertedRowID)
      // One that was transferred and has come back.
      if hasTombstones {
        try statements.deleteTombstone.execute(arguments: [repository, entry.number])
      }
    } else {
      guard let old = try olderRow(of: statements.findItem, [repository, entry.number], entry)
      else { return .unchanged }
      (outcome, key) = (.updated, old)
      try SearchIndex.remove(item: key, db)
      try statements.updateItem.execute(arguments: arguments(of: entry, item) + [key])
      try statements.deleteLabels.execute(arguments: [key])
      try statements.deleteAssignees.execute(arguments: [key])
    }
    for label in item.labels {
      try statements.insertLabel.execute(
        arguments: [key, try properties.key(of: label, &cache)])
    }
    for person in item.assignees {
      try statements.insertAssignee.execute(
        arguments: [key, try people.key(of: person, &cache)])
    }
    if let author = entry.author { _ = try people.key(of: author, &cache) }
    if let milestone = item.milestone { try properties.write(milestone, &cache) }
    try SearchIndex.insert(
      item: entry.number, of: repository, title: item.title, body: entry.body, db)
    return outcome
  }

  private func writeComment(
    _ entry: TimelinePage.Entry, _ cache: inout RowCache.Content
  ) throws -> Outcome {
    let outcome: Outcome
    let key: Int64
    try statements.insertComment.execute(arguments: arguments(of: entry))
    if db.changesCount > 0 {
      (outcome, key) = (.inserted, db.lastInsertedRowID)
    } else {
      guard let old = try olderRow(of: statements.findComment, [repository, entry.id], entry)
      else { return .unchanged }
      (outcome, key) = (.updated, old)
      try SearchIndex.remove(comment: key, db)
      try statements.updateComment.execute(arguments: arguments(of: entry) + [key])
    }
    if let author = entry.author { _ = try people.key(of: author, &cache) }
    try SearchIndex.insert(comment: entry.id, of: repository, body: entry.body, db)
    return outcome
  }

  /// The key of the row that an entry takes the place of; nil when the row is the same, or later.
  private func olderRow(
    of statement: Statement, _ place: StatementArguments, _ entry: TimelinePage.Entry
  ) throws -> Int64? {
    guard let row = try Row.fetchOne(statement, arguments: place) else { return nil }
    let updatedAt: Int = row["updated_at"]
    let json: Data = row["json"]
    return updatedAt > entry.updatedAt || json == entry.json ? nil : row["key"]
  }

  private func arguments(
    of entry: TimelinePage.Entry, _ item: TimelinePage.Item
  ) -> StatementArguments {
    [
      repository, entry.number, entry.id, item.isPullRequest, item.state, item.title,
      entry.author?.login, item.milestone?.title, item.milestone?.number, item.commentsCount,
      entry.createdAt, entry.updatedAt, item.closedAt, seenAt, entry.json,
    ]
  }

  private func arguments(of comment: TimelinePage.Entry) -> StatementArguments {
    [
      repository, comment.id, comment.number, comment.author?.login, comment.createdAt,
      comment.updatedAt, seenAt, comment.json,
    ]
  }
}

extension PageWriter {
  /// What is executed for every entry, looked up once for a page.
  private struct Statements {
    let insertItem: Statement
    let findItem: Statement
    let updateItem: Statement
    let deleteLabels: Statement
    let deleteAssignees: Statement
    let insertLabel: Statement
    let insertAssignee: Statement
    let deleteTombstone: Statement
    let insertComment: Statement
    let findComment: Statement
    let updateComment: Statement

    init(_ db: Database) throws {
      insertItem = try db.cachedStatement(
        sql: """
          INSERT INTO item (
            repository, number, id, is_pull_request, state, title, author, milestone,
            milestone_number, comments, created_at, updated_at, closed_at, seen_at, json)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (repository, number) DO NOTHING
          """)
      findItem = try db.cachedStatement(
        sql: "SELECT key, updated_at, json FROM item WHERE repository = ? AND number = ?")
      updateItem = try db.cachedStatement(
        sql: """
          UPDATE item SET
            repository = ?, number = ?, id = ?, is_pull_request = ?, state = ?, title = ?,
            author = ?, milestone = ?, milestone_number = ?, comments = ?, created_at = ?,
            updated_at = ?, closed_at = ?, seen_at = ?, json = ?
          WHERE key = ?
          """)
      deleteLabels = try db.cachedStatement(sql: "DELETE FROM item_label WHERE item = ?")
      deleteAssignees = try db.cachedStatement(sql: "DELETE FROM item_assignee WHERE item = ?")
      // The same label twice, as a careless server may send it, is one.
      insertLabel = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO item_label (item, label) VALUES (?, ?)")
      insertAssignee = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO item_assignee (item, user) VALUES (?, ?)")
      deleteTombstone = try db.cachedStatement(
        sql: "DELETE FROM tombstone WHERE repository = ? AND number = ?")
      insertComment = try db.cachedStatement(
        sql: """
          INSERT INTO comment (
            repository, id, number, author, created_at, updated_at, seen_at, json)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (repository, id) DO NOTHING
          """)
      findComment = try db.cachedStatement(
        sql: "SELECT key, updated_at, json FROM comment WHERE repository = ? AND id = ?")
      updateComment = try db.cachedStatement(
        sql: """
          UPDATE comment SET
            repository = ?, id = ?, number = ?, author = ?, created_at = ?, updated_at = ?,
            seen_at = ?, json = ?
          WHERE key = ?
          """)
    }
  }
}
