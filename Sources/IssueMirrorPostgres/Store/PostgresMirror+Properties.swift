package import IssueMirror
package import PlatformModules

extension PostgresMirror {
  /// The number of items per transaction, low enough that other writers don't wait long.
  private static let stride = 500

  package func entityTags(
    of list: PropertyList, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [String] {
    let table = list == .labels ? "label" : "milestone"
    return try await reading { db in
      try db.column(
        """
        SELECT entity_tag FROM property_page
        WHERE repository = \(repository.id) AND list = \(list.rawValue) AND NOT EXISTS (
          SELECT FROM \(sql: table) WHERE repository = \(repository.id) AND NOT is_settled)
        ORDER BY page
        """)
    }
  }

  package func unlisted(
    labels: [ListedLabel]?, milestones: [FeedPage.Milestone]?, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [UnlistedProperty] {
    try await reading { db in
      var unlisted: [UnlistedProperty] = []
      if let labels {
        let rows = try db.rows(
          """
          SELECT id, name FROM label WHERE repository = \(repository.id) AND id IS NOT NULL
            AND EXISTS (
              SELECT FROM item
              WHERE item.repository = \(repository.id) AND label.name_key = ANY (item.label_keys))
          ORDER BY name
          """)
        unlisted = UnlistedProperty.among(
          labels: try rows.map { (try $0.value(0), try $0.value(1)) }, notIn: labels)
      }
      if let milestones {
        let kept: [Int] = try db.column(
          "SELECT number FROM milestone WHERE repository = \(repository.id) ORDER BY number")
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
    let items = try await writing(to: repository) { db in
      var items: Set<Int> = []
      if labels != nil { items = try Self.unsettleLabels(properties, of: repository, db) }
      if milestones != nil {
        items.formUnion(try Self.unsettleMilestones(properties, of: repository, db))
      }
      return items.sorted()
    }
    for start in Swift.stride(from: 0, to: items.count, by: Self.stride) {
      let portion = Array(items[start..<min(start + Self.stride, items.count)])
      try await writing(to: repository) { db in
        try Self.write(properties, to: portion, of: repository, at: checked.seconds, db)
      }
    }
    try await writing(to: repository) { db in
      if let labels { try Self.keep(labels, of: repository, at: checked.seconds, db) }
      if let milestones {
        try Self.keep(milestones, gone, of: repository, at: checked.seconds, db)
      }
      try db.rows(
        """
        UPDATE repository SET properties_checked_at = \(checked.seconds)
        WHERE key = \(repository.id)
        """)
    }
  }

  /// Returns the items that have an outdated label.
  private static func unsettleLabels(
    _ properties: ItemProperties, of repository: MirroredRepository, _ db: PostgresSession
  ) throws -> Set<Int> {
    var keys: [String] = []
    for row in try db.rows(
      """
      SELECT is_settled, id, name, color, description, name_key FROM label
      WHERE repository = \(repository.id)
      """)
    {
      let label = FeedPage.Label(
        id: try row.value(1), name: try row.value(2), color: try row.value(3),
        description: try row.value(4))
      guard try !row.value(0) || properties.isOutdated(label) else { continue }
      keys.append(try row.value(5))
    }
    guard !keys.isEmpty else { return [] }
    try db.rows(
      """
      UPDATE label SET is_settled = false
      WHERE repository = \(repository.id) AND name_key = ANY (\(keys))
      """)
    return Set(
      try db.column(
        """
        SELECT number FROM item
        WHERE repository = \(repository.id) AND label_keys && \(keys)
        """) as [Int])
  }

  private static func unsettleMilestones(
    _ properties: ItemProperties, of repository: MirroredRepository, _ db: PostgresSession
  ) throws -> Set<Int> {
    var numbers: [Int] = []
    for row in try db.rows(
      """
      SELECT is_settled, number, title, state, description, due_on FROM milestone
      WHERE repository = \(repository.id)
      """)
    {
      let number: Int = try row.value(1)
      let milestone = FeedPage.Milestone(
        number: number, title: try row.value(2), state: try row.value(3),
        description: try row.value(4), dueOn: try row.value(5), json: Data())
      guard try !row.value(0) || properties.isOutdated(milestone) else { continue }
      numbers.append(number)
    }
    guard !numbers.isEmpty else { return [] }
    try db.rows(
      """
      UPDATE milestone SET is_settled = false
      WHERE repository = \(repository.id) AND number = ANY (\(numbers))
      """)
    return Set(
      try db.column(
        """
        SELECT number FROM item
        WHERE repository = \(repository.id) AND milestone_number = ANY (\(numbers))
        """) as [Int])
  }

  /// Skips items that can't be read. The tickets don't change, because the rest of an item isn't newer.
  private static func write(
    _ properties: ItemProperties, to numbers: [Int], of repository: MirroredRepository,
    at time: Int, _ db: PostgresSession
  ) throws {
    var changed: [(number: Int, item: ItemProperties.Result, formerLabels: [String])] = []
    for row in try db.rows(
      """
      SELECT number, json, label_keys FROM item
      WHERE repository = \(repository.id) AND number = ANY (\(numbers)) ORDER BY number
      """)
    {
      let json: Data = try row.value(1)
      guard let present = properties.applied(to: json), present.json != json else { continue }
      changed.append((try row.value(0), present, try row.value(2)))
    }
    guard !changed.isEmpty else { return }
    let labels = changed.map {
      PostgresPageWriter.unique($0.item.labels.map { $0.name.lowercased() })
    }
    func words(_ names: [String]) -> String {
      PostgresPageWriter.array(names.compactMap(PropertyWord.label))
    }
    try db.rows(
      """
      UPDATE item_text SET
        tsv = ts_delete(tsv, u.former::text[]) || array_to_tsvector(u.present::text[])
      FROM unnest(\(.integers(changed.map(\.number))),
        \(.texts(changed.map { words($0.formerLabels) })), \(.texts(labels.map(words))))
        AS u(number, former, present)
      WHERE item_text.repository = \(repository.id) AND item_text.number = u.number
        AND u.former <> u.present
      """)
    try db.rows(
      """
      UPDATE item SET json = u.json, label_keys = u.label_keys::text[],
        milestone_key = u.milestone_key, milestone_number = u.milestone_number
      FROM unnest(\(.integers(changed.map(\.number))), \(.blobs(changed.map(\.item.json))),
        \(.texts(labels.map(PostgresPageWriter.array))),
        \(.texts(changed.map { $0.item.milestone?.title.lowercased() })),
        \(.integers(changed.map(\.item.milestone?.number))))
        AS u(number, json, label_keys, milestone_key, milestone_number)
      WHERE item.repository = \(repository.id) AND item.number = u.number
      """)
    try PostgresPropertyWriter(db, repository: repository.id, seenAt: time)
      .write(changed.flatMap(\.item.labels))
  }

  private static func keep(
    _ labels: ListedPages<ListedLabel>, of repository: MirroredRepository, at time: Int,
    _ db: PostgresSession
  ) throws {
    var listed: [String: FeedPage.Label] = [:]
    for label in labels.entries.map(\.label) { listed[label.name.lowercased()] = label }
    let ordered = listed.sorted { $0.key < $1.key }
    try db.rows(
      """
      INSERT INTO label (
        repository, name_key, id, name, color, description, seen_at, is_settled)
      SELECT \(repository.id), u.name_key, u.id, u.name, u.color, u.description, \(time), true
      FROM unnest(\(.texts(ordered.map(\.key))), \(.integers(ordered.map(\.value.id))),
        \(.texts(ordered.map(\.value.name))), \(.texts(ordered.map(\.value.color))),
        \(.texts(ordered.map(\.value.description))))
        AS u(name_key, id, name, color, description)
      ON CONFLICT (repository, name_key) DO UPDATE SET
        id = excluded.id, name = excluded.name, color = excluded.color,
        description = excluded.description, is_settled = true
      """)
    try db.rows(
      """
      DELETE FROM label
      WHERE repository = \(repository.id) AND name_key <> ALL (\(ordered.map(\.key)))
        AND NOT EXISTS (
          SELECT FROM item
          WHERE item.repository = \(repository.id) AND label.name_key = ANY (item.label_keys))
      """)
    try keep(labels.entityTags, of: .labels, of: repository, db)
  }

  private static func keep(
    _ milestones: ListedPages<FeedPage.Milestone>, _ gone: Set<MissingProperty>,
    of repository: MirroredRepository, at time: Int, _ db: PostgresSession
  ) throws {
    var listed: [Int: FeedPage.Milestone] = [:]
    for milestone in milestones.entries {
      if let number = milestone.number { listed[number] = milestone }
    }
    try db.rows(
      """
      INSERT INTO milestone (
        repository, number, title, title_key, state, description, due_on, json, seen_at,
        is_settled)
      SELECT \(repository.id), u.*, \(time), true
      FROM unnest(\(PostgresPropertyWriter.columns(
        of: listed.sorted { $0.key < $1.key }.map(\.value)))) AS u
      ON CONFLICT (repository, number) DO UPDATE SET
        title = excluded.title, title_key = excluded.title_key, state = excluded.state,
        description = excluded.description, due_on = excluded.due_on, json = excluded.json,
        is_settled = true
      """)
    let numbers = gone.compactMap { missing -> Int? in
      if case .milestone(let number) = missing { number } else { nil }
    }
    try db.rows(
      """
      DELETE FROM milestone WHERE repository = \(repository.id) AND number = ANY (\(numbers))
      """)
    try keep(milestones.entityTags, of: .milestones, of: repository, db)
  }

  private static func keep(
    _ entityTags: [String], of list: PropertyList, of repository: MirroredRepository,
    _ db: PostgresSession
  ) throws {
    try db.rows(
      """
      DELETE FROM property_page
      WHERE repository = \(repository.id) AND list = \(list.rawValue)
      """)
    try db.rows(
      """
      INSERT INTO property_page (repository, list, page, entity_tag)
      SELECT \(repository.id), \(list.rawValue), u.page, u.tag
      FROM unnest(\(entityTags)) WITH ORDINALITY AS u(tag, page)
      """)
  }
}
