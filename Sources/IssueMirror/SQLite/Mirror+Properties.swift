internal import GRDB
package import PlatformModules
internal import PrivateDatabase

extension Mirror {
  /// The number of items per transaction, which then takes a few milliseconds.
  private static let stride = 500

  package func entityTags(
    of list: PropertyList, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [String] {
    try await reading { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT entity_tag FROM property_page WHERE repository = :key AND list = :list
            AND NOT EXISTS (SELECT 1 FROM \(list.table) WHERE repository = :key AND NOT is_settled)
          ORDER BY page
          """, arguments: ["key": repository.id, "list": list.rawValue])
    }
  }

  package func unlisted(
    labels: [ListedLabel]?, milestones: [FeedPage.Milestone]?, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [UnlistedProperty] {
    try await reading { db in
      var unlisted: [UnlistedProperty] = []
      if let labels {
        let rows = try Row.fetchAll(
          db,
          sql: """
            SELECT id, name FROM label WHERE repository = ? AND id IS NOT NULL
              AND EXISTS (SELECT 1 FROM item_label WHERE label = label.key)
            ORDER BY name
            """, arguments: [repository.id])
        unlisted = UnlistedProperty.among(
          labels: try rows.map { (try $0.value(0), try $0.value(1)) }, notIn: labels)
      }
      if let milestones {
        let kept = try Int.fetchAll(
          db, sql: "SELECT number FROM milestone WHERE repository = ? ORDER BY number",
          arguments: [repository.id])
        unlisted += UnlistedProperty.among(milestones: kept, notIn: milestones)
      }
      return unlisted
    }
  }

  package func settle(
    labels: ListedPages<ListedLabel>?, milestones: ListedPages<FeedPage.Milestone>?,
    gone: Set<MissingProperty> = [], of repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure) {
    let properties = ItemProperties(
      labels: labels?.entries ?? [], milestones: milestones?.entries ?? [], gone: gone)
    let items = try await writing { db in
      var items: Set<Int64> = []
      if labels != nil { items = try Self.unsettleLabels(properties, of: repository, db) }
      if milestones != nil {
        items.formUnion(try Self.unsettleMilestones(properties, of: repository, db))
      }
      return items.sorted()
    }
    for start in Swift.stride(from: 0, to: items.count, by: Self.stride) {
      let portion = items[start..<min(start + Self.stride, items.count)]
      try await writingRows { db, rows in
        let writer = try ItemPropertiesWriter(db, repository.id, seenAt: checked.seconds)
        for item in portion { try writer.write(properties, to: item, &rows) }
      }
    }
    let rowCache = rowCache
    try await writing { db in
      if let labels { try Self.keep(labels, of: repository, at: checked.seconds, db) }
      if let milestones {
        try Self.keep(milestones, gone, of: repository, at: checked.seconds, db)
      }
      try db.execute(
        sql: "UPDATE repository SET properties_checked_at = ? WHERE key = ?",
        arguments: [checked.seconds, repository.id])
      rowCache.empty()
    }
  }

  /// Returns the items that have an outdated label.
  private static func unsettleLabels(
    _ properties: ItemProperties, of repository: MirroredRepository, _ db: Database
  ) throws -> Set<Int64> {
    var items: Set<Int64> = []
    let labels = try Row.fetchAll(
      db,
      sql: """
        SELECT key, is_settled, id, name, color, description FROM label WHERE repository = ?
        """, arguments: [repository.id])
    for row in labels {
      let label = FeedPage.Label(
        id: try row.value("id"), name: try row.value("name"), color: try row.value("color"),
        description: try row.value("description"))
      let (key, isSettled): (Int64, Bool) = (try row.value("key"), try row.value("is_settled"))
      guard !isSettled || properties.isOutdated(label) else { continue }
      try db.cachedStatement(sql: "UPDATE label SET is_settled = 0 WHERE key = ?")
        .execute(arguments: [key])
      items.formUnion(
        try Int64.fetchAll(
          db.cachedStatement(sql: "SELECT item FROM item_label WHERE label = ?"), arguments: [key]))
    }
    return items
  }

  private static func unsettleMilestones(
    _ properties: ItemProperties, of repository: MirroredRepository, _ db: Database
  ) throws -> Set<Int64> {
    let milestones = try Row.fetchAll(
      db, sql: "SELECT * FROM milestone WHERE repository = ?", arguments: [repository.id])
    var numbers: Set<Int> = []
    for row in milestones {
      let milestone = FeedPage.Milestone(
        number: try row.value("number"), title: try row.value("title"),
        state: try row.value("state"), description: try row.value("description"),
        dueOn: try row.value("due_on"), json: Data())
      let isSettled: Bool = try row.value("is_settled")
      guard !isSettled || properties.isOutdated(milestone), let number = milestone.number
      else { continue }
      try db.cachedStatement(sql: "UPDATE milestone SET is_settled = 0 WHERE key = ?")
        .execute(arguments: [try row.value("key") as Int64])
      numbers.insert(number)
    }
    var items: Set<Int64> = []
    guard !numbers.isEmpty else { return items }
    let planned = try Row.fetchCursor(
      db,
      sql: """
        SELECT key, milestone_number FROM item
        WHERE repository = ? AND milestone_number IS NOT NULL
        """, arguments: [repository.id])
    while let row = try planned.next() {
      if numbers.contains(try row.value(1)) { items.insert(try row.value(0)) }
    }
    return items
  }

  private static func keep(
    _ labels: ListedPages<ListedLabel>, of repository: MirroredRepository, at time: Int,
    _ db: Database
  ) throws {
    let upsert = try db.cachedStatement(
      sql: """
        INSERT INTO label (repository, id, name, color, description, seen_at, is_settled)
        VALUES (?, ?, ?, ?, ?, ?, 1)
        ON CONFLICT (repository, name) DO UPDATE SET
          id = excluded.id, name = excluded.name, color = excluded.color,
          description = excluded.description, is_settled = 1
        """)
    for label in labels.entries.map(\.label) {
      try upsert.execute(
        arguments: [repository.id, label.id, label.name, label.color, label.description, time])
    }
    let names = Set(labels.entries.map { $0.label.name.lowercased() })
    let rows = try Row.fetchAll(
      db, sql: "SELECT key, name FROM label WHERE repository = ?", arguments: [repository.id])
    for row in rows where !names.contains(try (row.value(1) as String).lowercased()) {
      try db.cachedStatement(
        sql: """
          DELETE FROM label WHERE key = ?1
            AND NOT EXISTS (SELECT 1 FROM item_label WHERE item_label.label = ?1)
          """
      ).execute(arguments: [try row.value(0) as Int64])
    }
    try keep(labels.entityTags, of: .labels, of: repository, db)
  }

  private static func keep(
    _ milestones: ListedPages<FeedPage.Milestone>, _ gone: Set<MissingProperty>,
    of repository: MirroredRepository, at time: Int, _ db: Database
  ) throws {
    let upsert = try db.cachedStatement(
      sql: """
        INSERT INTO milestone (
          repository, number, title, state, description, due_on, json, seen_at, is_settled)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
        ON CONFLICT (repository, number) DO UPDATE SET
          title = excluded.title, state = excluded.state, description = excluded.description,
          due_on = excluded.due_on, json = excluded.json, is_settled = 1
        """)
    for milestone in milestones.entries {
      guard let number = milestone.number else { continue }
      try upsert.execute(
        arguments: [
          repository.id, number, milestone.title, milestone.state, milestone.description,
          milestone.dueOn, milestone.json, time,
        ])
    }
    for case .milestone(let number) in gone {
      try db.execute(
        sql: "DELETE FROM milestone WHERE repository = ? AND number = ?",
        arguments: [repository.id, number])
    }
    try keep(milestones.entityTags, of: .milestones, of: repository, db)
  }

  private static func keep(
    _ entityTags: [String], of list: PropertyList, of repository: MirroredRepository,
    _ db: Database
  ) throws {
    try db.execute(
      sql: "DELETE FROM property_page WHERE repository = ? AND list = ?",
      arguments: [repository.id, list.rawValue])
    for (index, tag) in entityTags.enumerated() {
      try db.execute(
        sql: "INSERT INTO property_page (repository, list, page, entity_tag) VALUES (?, ?, ?, ?)",
        arguments: [repository.id, list.rawValue, index + 1, tag])
    }
  }
}

extension PropertyList {
  fileprivate var table: String { self == .labels ? "label" : "milestone" }
}

struct ItemPropertiesWriter {
  private let labels: PropertyWriter
  private let findItem: Statement
  private let updateItem: Statement
  private let unlink: Statement
  private let link: Statement

  init(_ db: Database, _ repository: Int64, seenAt: Int) throws {
    labels = try PropertyWriter(db, repository: repository, seenAt: seenAt)
    findItem = try db.cachedStatement(sql: "SELECT json FROM item WHERE key = ?")
    // The tickets don't change, because the rest of the item isn't newer.
    updateItem = try db.cachedStatement(
      sql: "UPDATE item SET json = ?, milestone = ?, milestone_number = ? WHERE key = ?")
    unlink = try db.cachedStatement(sql: "DELETE FROM item_label WHERE item = ?")
    link = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO item_label (item, label, position) VALUES (?, ?, ?)")
  }

  /// Skips an item that can't be read.
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
