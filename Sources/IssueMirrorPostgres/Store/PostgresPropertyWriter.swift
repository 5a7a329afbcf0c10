internal import IssueMirror

/// Writes the labels and milestones of items. The repository is locked, so rows don't change after they are read.
struct PostgresPropertyWriter {
  private let db: PostgresSession
  private let repository: Int64
  private let seenAt: Int

  init(_ db: PostgresSession, repository: Int64, seenAt: Int) {
    self.db = db
    self.repository = repository
    self.seenAt = seenAt
  }

  private struct KnownLabel {
    var label: FeedPage.Label
    var isSettled: Bool
    var isChanged = false
  }

  /// Writes rows that are missing or differ; a bare name doesn't replace other values. A row becomes unsettled if it
  /// replaces another version, or if its id also has another name, because items stored earlier still have those.
  func write(_ labels: [FeedPage.Label]) throws {
    guard !labels.isEmpty else { return }
    let keys = Array(Set(labels.map { $0.name.lowercased() }))
    var known: [String: KnownLabel] = [:]
    for row in try db.rows(
      """
      SELECT name_key, id, name, color, description, is_settled FROM label
      WHERE repository = \(repository) AND name_key = ANY (\(keys))
      """)
    {
      known[try row.value(0)] = KnownLabel(
        label: FeedPage.Label(
          id: try row.value(1), name: try row.value(2), color: try row.value(3),
          description: try row.value(4)), isSettled: try row.value(5))
    }
    for label in labels {
      let key = label.name.lowercased()
      if let old = known[key] {
        if old.label == label || label.id == nil && label.color == nil { continue }
        known[key] = KnownLabel(label: label, isSettled: false, isChanged: true)
      } else {
        known[key] = KnownLabel(label: label, isSettled: true, isChanged: true)
      }
    }
    let changed = known.filter(\.value.isChanged).sorted { $0.key < $1.key }
    guard !changed.isEmpty else { return }
    try db.rows(
      """
      INSERT INTO label (
        repository, name_key, id, name, color, description, seen_at, is_settled)
      SELECT \(repository), u.name_key, u.id, u.name, u.color, u.description, \(seenAt),
        u.is_settled AND NOT EXISTS (
          SELECT FROM label
          WHERE label.repository = \(repository) AND label.id = u.id
            AND label.name_key <> u.name_key)
      FROM unnest(\(.texts(changed.map(\.key))), \(.integers(changed.map(\.value.label.id))),
        \(.texts(changed.map(\.value.label.name))), \(.texts(changed.map(\.value.label.color))),
        \(.texts(changed.map(\.value.label.description))),
        \(.booleans(changed.map(\.value.isSettled))))
        AS u(name_key, id, name, color, description, is_settled)
      ON CONFLICT (repository, name_key) DO UPDATE SET
        id = excluded.id, name = excluded.name, color = excluded.color,
        description = excluded.description, seen_at = excluded.seen_at, is_settled = false
      """)
  }

  /// A milestone without a number isn't written, because it can't be distinguished from others with the same title. It
  /// stays in the JSON of its issues.
  func write(_ milestones: [FeedPage.Milestone]) throws {
    var last: [Int: FeedPage.Milestone] = [:]
    var differing: Set<Int> = []
    for milestone in milestones {
      guard let number = milestone.number else { continue }
      if let other = last[number], !other.looksLike(milestone) { differing.insert(number) }
      last[number] = milestone
    }
    guard !last.isEmpty else { return }
    let ordered = last.sorted { $0.key < $1.key }
    try db.rows(
      """
      INSERT INTO milestone AS old (
        repository, number, title, title_key, state, description, due_on, json, seen_at,
        is_settled)
      SELECT \(repository), u.number, u.title, u.title_key, u.state, u.description, u.due_on,
        u.json, \(seenAt), u.is_settled
      FROM unnest(\(Self.columns(of: ordered.map(\.value))),
        \(.booleans(ordered.map { !differing.contains($0.key) })))
        AS u(number, title, title_key, state, description, due_on, json, is_settled)
      ON CONFLICT (repository, number) DO UPDATE SET
        title = excluded.title, title_key = excluded.title_key, state = excluded.state,
        description = excluded.description, due_on = excluded.due_on, json = excluded.json,
        seen_at = excluded.seen_at,
        is_settled = excluded.is_settled AND old.is_settled AND old.title = excluded.title
          AND old.state IS NOT DISTINCT FROM excluded.state
          AND old.description IS NOT DISTINCT FROM excluded.description
          AND old.due_on IS NOT DISTINCT FROM excluded.due_on
      WHERE old.json <> excluded.json OR NOT excluded.is_settled
      """)
  }

  /// Each milestone must have a number.
  static func columns(of milestones: [FeedPage.Milestone]) -> PostgresSQL {
    """
    \(.integers(milestones.map(\.number))), \(.texts(milestones.map(\.title))),
    \(.texts(milestones.map { $0.title.lowercased() })), \(.texts(milestones.map(\.state))),
    \(.texts(milestones.map(\.description))), \(.integers(milestones.map(\.dueOn))),
    \(.blobs(milestones.map(\.json)))
    """
  }
}
