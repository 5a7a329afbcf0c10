internal import GRDB
internal import PlatformModules

/// Writes the entries of a page within a transaction. It doesn't look up stored entries first:
/// ``Statements/isSuperseded`` decides in SQL which version is kept.
struct FeedPageWriter {
  private let db: Database
  private let repository: Int64
  private let seenAt: Int
  private let stored: Int64
  private let people: PeopleWriter
  private let properties: PropertyWriter
  private let statements: Statements
  private let hasTombstones: Bool
  private let hasSetAside: Bool

  /// `seenAt` is in seconds since 1970.
  init(_ db: Database, _ repository: MirroredRepository, seenAt: Int) throws {
    self.db = db
    self.repository = repository.id
    self.seenAt = seenAt
    stored = try Mirror.nextTicket(of: repository, db).place
    people = try PeopleWriter(db, host: repository.host, seenAt: seenAt)
    properties = try PropertyWriter(db, repository: repository.id, seenAt: seenAt)
    statements = try Statements(db)
    hasTombstones =
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM tombstone WHERE repository = ?)"),
        arguments: [repository.id]) ?? false
    hasSetAside =
      try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM set_aside WHERE repository = ?)"),
        arguments: [repository.id]) ?? false
  }

  func write(_ page: FeedPage, _ cache: inout RowCache.Content) throws -> SyncReport.Counts {
    var counts = SyncReport.Counts()
    // Writes in the order of the search index, which would otherwise begin a segment for each entry. Of two versions,
    // the later one is last. Sorts keys, because entries are expensive to move.
    let places = page.entries.enumerated().map { index, entry in
      (place: entry.item == nil ? entry.id : Int64(entry.number), entry.updatedAt, index)
    }
    for (_, _, index) in places.sorted(by: <) {
      let entry = page.entries[index]
      switch try write(entry, &cache) {
      case .inserted: counts.inserted += 1
      case .updated: counts.updated += 1
      case .unchanged: counts.unchanged += 1
      }
      if hasSetAside {
        // An entry without an id is identified by its number.
        let number = entry.item == nil ? nil : entry.number
        try statements.deleteSetAside.execute(arguments: [
          repository, page.feed.rawValue, entry.id, number,
        ])
      }
    }
    for entry in page.unreadable {
      try statements.insertSetAside.execute(arguments: [
        repository, page.feed.rawValue, entry.id, entry.number, entry.reason, seenAt,
      ])
    }
    return counts
  }

  private enum Outcome {
    case inserted
    case updated
    case unchanged
  }

  private func write(
    _ entry: FeedPage.Entry, _ cache: inout RowCache.Content
  ) throws -> Outcome {
    // The response may be to a request from before the burial.
    if hasTombstones, try isBuried(entry) { return .unchanged }
    guard let item = entry.item else { return try writeComment(entry, &cache) }
    var outcome = Outcome.inserted
    let key: Int64
    var isIndexed = false
    try insert(entry, item)
    if db.changesCount > 0 {
      key = db.lastInsertedRowID
      if hasTombstones {
        try statements.deleteTombstone.execute(arguments: [repository, entry.number])
      }
    } else {
      guard let old = try supersededRow(statements.findItem, Int64(entry.number), entry)
      else { return .unchanged }
      (outcome, key) = (.updated, old)
      isIndexed = try !SearchIndex.remove(item: key, unlessIs: (item.title, entry.body), db)
      try update(key, entry, item)
      try statements.deleteLabels.execute(arguments: [key])
      try statements.deleteAssignees.execute(arguments: [key])
    }
    var isAbridged = entry.isAbridged
    for (position, label) in item.labels.enumerated() {
      try statements.insertLabel.execute(arguments: [
        key, try properties.key(of: label, &cache), position,
      ])
      if db.changesCount == 0 { isAbridged = true }
    }
    for (position, person) in item.assignees.enumerated() {
      try statements.insertAssignee.execute(arguments: [
        key, try people.key(of: person, &cache), position,
      ])
      if db.changesCount == 0 { isAbridged = true }
    }
    if isAbridged { try statements.abridge.execute(arguments: [key]) }
    if let author = entry.author { _ = try people.key(of: author, &cache) }
    if let milestone = item.milestone { try properties.write(milestone, &cache) }
    guard !isIndexed else { return outcome }
    if outcome == .updated {
      try statements.deleteMentions.execute(arguments: [repository, entry.number])
    }
    try writeMentions(in: entry, comment: 0)
    try SearchIndex.insert(
      item: entry.number, of: repository, title: item.title, body: entry.body, db)
    return outcome
  }

  private func writeComment(
    _ entry: FeedPage.Entry, _ cache: inout RowCache.Content
  ) throws -> Outcome {
    var outcome = Outcome.inserted
    var isIndexed = false
    try statements.insertComment.execute(arguments: [
      repository, entry.id, entry.number, entry.author?.login, entry.createdAt, entry.updatedAt,
      seenAt, entry.ticket, entry.isAbridged, entry.json,
    ])
    if db.changesCount == 0 {
      guard let key = try supersededRow(statements.findComment, entry.id, entry)
      else { return .unchanged }
      outcome = .updated
      isIndexed = try !SearchIndex.remove(comment: key, unlessIs: entry.body, db)
      try statements.updateComment.execute(arguments: [
        entry.number, entry.author?.login, entry.createdAt, entry.updatedAt, seenAt,
        entry.ticket, entry.isAbridged, entry.json, key,
      ])
    }
    if let author = entry.author { _ = try people.key(of: author, &cache) }
    if outcome == .updated {
      try statements.deleteCommentMentions.execute(arguments: [repository, entry.id])
    }
    try writeMentions(in: entry, comment: entry.id)
    guard !isIndexed else { return outcome }
    try SearchIndex.insert(comment: entry.id, of: repository, body: entry.body, db)
    return outcome
  }

  private func writeMentions(in entry: FeedPage.Entry, comment: Int64) throws {
    guard let body = entry.body else { return }
    for login in Mentions.logins(in: body) {
      try statements.insertMention.execute(arguments: [repository, login, entry.number, comment])
    }
  }

  private func isBuried(_ entry: FeedPage.Entry) throws -> Bool {
    guard entry.asked.ticket != nil else { return false }
    return try Row.fetchOne(
      statements.findTombstone, arguments: [repository, entry.number, entry.ticket]) != nil
  }

  /// Nil if the stored row is kept.
  private func supersededRow(
    _ statement: Statement, _ place: Int64, _ entry: FeedPage.Entry
  ) throws -> Int64? {
    try Int64.fetchOne(
      statement,
      arguments: [
        repository, place, entry.updatedAt, entry.ticket, entry.asked.isPresentBefore, entry.json,
      ])
  }

  private func insert(_ entry: FeedPage.Entry, _ item: FeedPage.Item) throws {
    try statements.insertItem.execute(arguments: [
      repository, entry.number, entry.id, item.isPullRequest, item.state, item.title,
      entry.author?.login, item.milestone?.title, item.milestone?.number, item.commentsCount,
      entry.createdAt, entry.updatedAt, item.closedAt, stored, item.isDraft, item.isLocked,
      item.mergedAt, item.stateReason, item.htmlURL, entry.ticket, entry.json,
    ])
  }

  private func update(
    _ key: Int64, _ entry: FeedPage.Entry, _ item: FeedPage.Item
  ) throws {
    try statements.updateItem.execute(arguments: [
      entry.id, item.isPullRequest, item.state, item.title, entry.author?.login,
      item.milestone?.title, item.milestone?.number, item.commentsCount, entry.createdAt,
      entry.updatedAt, item.closedAt, stored, item.isDraft, item.isLocked, item.mergedAt,
      item.stateReason, item.htmlURL, entry.ticket, entry.json, key,
    ])
  }
}

extension FeedPage.Entry {
  fileprivate var ticket: Int64 { asked.ticket?.place ?? 0 }
}

extension FeedPageWriter {
  private struct Statements {
    let insertItem: Statement
    let findItem: Statement
    let updateItem: Statement
    let abridge: Statement
    let deleteLabels: Statement
    let deleteAssignees: Statement
    let insertLabel: Statement
    let insertAssignee: Statement
    let insertMention: Statement
    let deleteMentions: Statement
    let deleteCommentMentions: Statement
    let findTombstone: Statement
    let deleteTombstone: Statement
    let insertSetAside: Statement
    let deleteSetAside: Statement
    let insertComment: Statement
    let findComment: Statement
    let updateComment: Statement

    /// A row with other JSON is replaced if the entry changed later (3). It is also replaced if the entry's ticket
    /// isn't earlier (4), and the entry changed in the same second or is the server's present version (5).
    ///
    /// Finds the key first, because the old text must be removed from the search index before the row changes.
    private static let isSuperseded = """
      json <> ?6 AND (updated_at < ?3 OR asked <= ?4 AND (updated_at = ?3 OR updated_at < ?5))
      """

    init(_ db: Database) throws {
      insertItem = try db.cachedStatement(
        sql: """
          INSERT INTO item (
            repository, number, id, is_pull_request, state, title, author, milestone,
            milestone_number, comments, created_at, updated_at, closed_at, stored, is_draft,
            is_locked, merged_at, state_reason, html_url, asked, json)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (repository, number) DO NOTHING
          """)
      findItem = try db.cachedStatement(
        sql: "SELECT key FROM item WHERE repository = ?1 AND number = ?2 AND \(Self.isSuperseded)")
      updateItem = try db.cachedStatement(
        sql: """
          UPDATE item SET
            id = ?, is_pull_request = ?, state = ?, title = ?,
            author = ?, milestone = ?, milestone_number = ?, comments = ?, created_at = ?,
            updated_at = ?, closed_at = ?, stored = ?, is_draft = ?, is_locked = ?, merged_at = ?,
            state_reason = ?, html_url = ?, is_abridged = 0, asked = ?, json = ?
          WHERE key = ?
          """)
      abridge = try db.cachedStatement(sql: "UPDATE item SET is_abridged = 1 WHERE key = ?")
      deleteLabels = try db.cachedStatement(
        sql: "DELETE FROM item_label WHERE item = ?")
      deleteAssignees = try db.cachedStatement(
        sql: "DELETE FROM item_assignee WHERE item = ?")
      // A server may send a label twice.
      insertLabel = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO item_label (item, label, position) VALUES (?, ?, ?)")
      insertAssignee = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO item_assignee (item, user, position) VALUES (?, ?, ?)")
      insertMention = try db.cachedStatement(
        sql:
          "INSERT OR IGNORE INTO mention (repository, login, number, comment) VALUES (?, ?, ?, ?)")
      deleteMentions = try db.cachedStatement(
        sql: "DELETE FROM mention WHERE repository = ? AND comment = 0 AND number = ?")
      deleteCommentMentions = try db.cachedStatement(
        sql: "DELETE FROM mention WHERE repository = ? AND comment = ?")
      findTombstone = try db.cachedStatement(
        sql: "SELECT 1 FROM tombstone WHERE repository = ? AND number = ? AND asked > ?")
      deleteTombstone = try db.cachedStatement(
        sql: "DELETE FROM tombstone WHERE repository = ? AND number = ?")
      insertSetAside = try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO set_aside (repository, timeline, id, number, reason, found_at)
          VALUES (?, ?, ?, ?, ?, ?)
          """)
      deleteSetAside = try db.cachedStatement(
        sql: """
          DELETE FROM set_aside WHERE repository = ? AND timeline = ? AND (id = ? OR number = ?)
          """)
      insertComment = try db.cachedStatement(
        sql: """
          INSERT INTO comment (
            repository, id, number, author, created_at, updated_at, seen_at, asked, is_abridged, json)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (repository, id) DO NOTHING
          """)
      findComment = try db.cachedStatement(
        sql: "SELECT key FROM comment WHERE repository = ?1 AND id = ?2 AND \(Self.isSuperseded)")
      updateComment = try db.cachedStatement(
        sql: """
          UPDATE comment SET
            number = ?, author = ?, created_at = ?, updated_at = ?,
            seen_at = ?, asked = ?, is_abridged = ?, json = ?
          WHERE key = ?
          """)
    }
  }
}
