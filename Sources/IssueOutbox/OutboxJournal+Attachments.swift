internal import GRDB
internal import GitHubAPI
internal import HTTPTargets
internal import PlatformModules
internal import PrivateDatabase

extension OutboxJournal {
  /// The total size of the copies, in bytes.
  private static let mostBytes = 1 << 30

  /// The folder of the copies, next to the journal.
  private var copies: String { "\(path).attachments" }

  /// The path of an attachment's copy.
  func copy(of id: String) -> String { "\(copies)/\(id)" }

  func attach(_ path: String) async throws(OutboxFailure) -> Attachment {
    var attachment = try Attachment(naming: path)
    let date = now()
    let row = attachment
    // A copy without a row would be removed by another process.
    try await write { db in
      try db.execute(
        sql: "INSERT INTO attachment VALUES (?, ?, ?, 0, ?, NULL)",
        arguments: [row.id, row.name, row.kind.rawValue, date.timeIntervalSince1970])
    }
    do throws(OutboxFailure) {
      unsafe mkdir(copies, 0o700)
      try attachment.copy(path, to: copy(of: attachment.id))
      let (id, size) = (attachment.id, attachment.size)
      try await write { db in
        let kept =
          try Int.fetchOne(db, sql: "SELECT total(size) FROM attachment WHERE url IS NULL") ?? 0
        guard kept + size <= Self.mostBytes else {
          throw OutboxFailure(
            .unusableFile,
            "“\(path)” can't be attached: the outbox already keeps \(kept / 1_000_000) MB of files. Send or drop changes first."
          )
        }
        try db.execute(
          sql: "UPDATE attachment SET size = ? WHERE id = ?", arguments: [size, id])
      }
    } catch {
      try? await discard([attachment.id])
      throw error
    }
    return attachment
  }

  /// Forgets attachments that no entry has referred to.
  func discard(_ ids: [String]) async throws(OutboxFailure) {
    try await write { db in
      for id in ids {
        try db.execute(
          sql: """
            DELETE FROM attachment
            WHERE id = ? AND id NOT IN (SELECT attachment FROM attached)
            """, arguments: [id])
      }
    }
    await sweepCopies()
  }

  /// The attachments with these ids.
  static func attachments(_ db: Database, _ ids: [String]) throws -> [String: Attachment] {
    var found: [String: Attachment] = [:]
    for id in ids {
      guard
        let row = try Row.fetchOne(
          db, sql: "SELECT * FROM attachment WHERE id = ?", arguments: [id])
      else { continue }
      guard let kind = AttachmentKind(rawValue: try row.value("type")) else {
        throw OutboxFailure(.damaged, "an attachment can't be read")
      }
      found[id] = Attachment(
        id: id, name: try row.value("name"), kind: kind, size: try row.value("size"),
        url: try row.value("url"))
    }
    return found
  }

  /// The attachments that an entry refers to or has referred to.
  static func attachments(_ db: Database, of entry: OutboxEntry.ID) throws -> [Attachment] {
    let ids = try String.fetchAll(
      db, sql: "SELECT attachment FROM attached WHERE entry = ? ORDER BY rowid", arguments: [entry])
    let found = try attachments(db, ids)
    return ids.compactMap { found[$0] }
  }

  /// Records the attachments that the texts of an entry refer to.
  static func connectAttachments(_ db: Database, _ row: OutboxRow) throws {
    let ids = row.change.attachmentIDs
    let known = try attachments(db, ids)
    for id in ids {
      guard known[id] != nil else {
        throw OutboxFailure(
          .noSuchEntry,
          "The text refers to \(AttachmentMentions.scheme)\(id), which isn't in the outbox: attach the file again."
        )
      }
      try db.execute(
        sql: "INSERT OR IGNORE INTO attached VALUES (?, ?)", arguments: [row.id, id])
    }
  }

  /// Throws if the copy of a file that an entry refers to was removed.
  func requireCopies(_ db: Database, _ row: OutboxRow) throws {
    let attachments = try Self.attachments(db, row.change.attachmentIDs)
    for attachment in attachments.values where attachment.url == nil {
      guard PrivateFile(path: copy(of: attachment.id)).identity == nil else { continue }
      throw OutboxFailure(
        .wrongState,
        """
        Change \(row.id) can't be restored: its copy of “\(attachment.name)” was removed when it was dropped. Write it \
        again; its text is still here.
        """)
    }
  }

  /// Records the address of an uploaded file, and removes the copy.
  func uploaded(_ id: String, as url: String) async throws(OutboxFailure) {
    try await write { db in
      try db.execute(sql: "UPDATE attachment SET url = ? WHERE id = ?", arguments: [url, id])
    }
    FileNames.remove(copy(of: id))
  }

  /// Removes the copies that no entry needs any more, such as those of sent and dropped entries. A file that no entry
  /// has ever referred to is kept for 30 days.
  func sweepCopies() async {
    guard let names = try? FileNames.all(of: copies) else { return }
    let oldest = now().timeIntervalSince1970 - Self.daysKept * 86_400
    let kept = try? await write { db in
      try db.execute(
        sql: """
          DELETE FROM attachment
          WHERE created < ? AND id NOT IN (SELECT attachment FROM attached)
          """, arguments: [oldest])
      return try String.fetchSet(
        db,
        sql: """
          SELECT id FROM attachment WHERE url IS NULL AND (
            id NOT IN (SELECT attachment FROM attached)
            OR id IN (
              SELECT attachment FROM attached JOIN entry ON entry.id = attached.entry
              WHERE entry.state <> 'sent' AND entry.dropped IS NULL))
          """)
    }
    guard let kept else { return }
    for name in names where name.utf8.count == 16 && !kept.contains(name) {
      FileNames.remove(copy(of: name))
    }
  }
}
