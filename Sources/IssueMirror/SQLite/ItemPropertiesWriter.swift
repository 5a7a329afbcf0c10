internal import GRDB

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes what the labels and milestones of items have become, within a transaction.
struct ItemPropertiesWriter {
  private let labels: PropertyWriter
  private let findItem: Statement
  private let updateItem: Statement
  private let unlink: Statement
  private let link: Statement

  /// Prepares to write items of a repository, as seen at a time in seconds since 1970.
  init(_ db: Database, _ repository: Int64, seenAt: Int) throws {
    labels = try PropertyWriter(db, repository: repository, seenAt: seenAt)
    findItem = try db.cachedStatement(sql: "SELECT json FROM item WHERE key = ?")
    // When the item was seen and asked for stays: nothing but these parts is newer.
    updateItem = try db.cachedStatement(
      sql: "UPDATE item SET json = ?, milestone = ?, milestone_number = ? WHERE key = ?")
    unlink = try db.cachedStatement(sql: "DELETE FROM item_label WHERE item = ?")
    link = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO item_label (item, label, position) VALUES (?, ?, ?)")
  }

  /// Changes an item; one that can't be read stays as it is.
  func write(
    _ properties: ItemProperties, to item: Int64, _ cache: inout RowCache.Content
  ) throws {
    guard let json = try Data.fetchOne(findItem, arguments: [item]),
      let present = properties.applied(to: json)
    else { return }
    if present.json != json {
      try updateItem.execute(
        arguments: [present.json, present.milestone?.title, present.milestone?.number, item])
    }
    try unlink.execute(arguments: [item])
    for (position, label) in present.labels.enumerated() {
      try link.execute(arguments: [item, try labels.key(of: label, &cache), position])
    }
  }
}
