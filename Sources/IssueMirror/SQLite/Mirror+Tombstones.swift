internal import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Issues that their repository doesn't have any more.
extension Mirror {
  /// The issues of a repository that were deleted or transferred while they were kept, by their numbers.
  ///
  /// - Throws: ``MirrorFailure``.
  public func tombstones(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Tombstone] {
    try await reading { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT * FROM tombstone WHERE repository = ? ORDER BY number",
        arguments: [repository.id])
      return try rows.map { row in
        let address: String? = try row.value("moved_to")
        return Tombstone(
          number: try row.value("number"), title: try row.value("title"),
          fate: address.map { .transferred(to: $0) } ?? .deleted,
          foundAt: Date(timeIntervalSince1970: try row.value("found_at")))
      }
    }
  }

  /// Puts a tombstone in the place of an issue or a pull request and its comments, and of what was set aside of them.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - fate: What became of it.
  ///   - repository: Whose it was.
  ///   - found: The time on this machine.
  ///   - asked: When it was asked for, in microseconds since 1970: what was stored of it as of later stays.
  /// - Returns: Whether it was there.
  /// - Throws: ``MirrorFailure``.
  @discardableResult
  package func bury(
    _ number: Int, _ fate: Tombstone.Fate, of repository: MirroredRepository, at found: Date,
    asked: Int64 = .max
  ) async throws(MirrorFailure) -> Bool {
    try await writing { db in
      let key = try Int64.fetchOne(
        db,
        sql: """
          SELECT key FROM item WHERE repository = ? AND number = ?
            AND (asked_at <= ? OR asked_at > ?)
          """,
        // A time that is yet to come is one of a clock that was wrong.
        arguments: [repository.id, number, asked, found.microseconds + 1_000_000])
      guard let key else { return false }
      let (name, address): (String, String?) =
        switch fate {
        case .deleted: ("deleted", nil)
        case .transferred(let address): ("transferred", address)
        }
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO tombstone (
            repository, number, title, fate, moved_to, found_at, asked_at, json)
          SELECT repository, number, title, ?, ?, ?, ?, json FROM item WHERE key = ?
          """,
        arguments: [name, address, found.seconds, min(asked, found.microseconds), key])
      try Self.remove(items: [key], db)
      let comments = try Int64.fetchAll(
        db, sql: "SELECT key FROM comment WHERE repository = ? AND number = ? ORDER BY id",
        arguments: [repository.id, number])
      try Self.remove(comments: comments, db)
      try db.execute(
        sql: "DELETE FROM set_aside WHERE repository = ? AND number = ?",
        arguments: [repository.id, number])
      return true
    }
  }

  /// Removes rows and what is indexed of them, in the order of their places in the index.
  static func remove(items keys: [Int64], _ db: Database) throws {
    let delete = try db.cachedStatement(sql: "DELETE FROM item WHERE key = ?")
    for key in keys {
      try SearchIndex.remove(item: key, db)
      try delete.execute(arguments: [key])
    }
  }

  /// Removes rows and what is indexed of them, in the order of their places in the index.
  static func remove(comments keys: [Int64], _ db: Database) throws {
    let delete = try db.cachedStatement(sql: "DELETE FROM comment WHERE key = ?")
    for key in keys {
      try SearchIndex.remove(comment: key, db)
      try delete.execute(arguments: [key])
    }
  }
}
