internal import IssueMirror

/// Writes the entries of a page within a transaction. A single statement writes all entries in the order of their keys,
/// and decides in SQL which version is kept.
///
/// The words are written with the entries, even in a first sync. Writing them later would take longer: the word indexes
/// contain many repositories, so they can't be built at once, and every text would be read again.
struct PostgresPageWriter {
  private let db: PostgresSession
  private let repository: MirroredRepository
  private let seenAt: Int
  private let stored: Int64

  /// Locks the repository, so that its rows don't change between the statements. `seenAt` is in seconds since 1970.
  init(_ db: PostgresSession, _ repository: MirroredRepository, seenAt: Int) throws {
    self.db = db
    self.repository = repository
    self.seenAt = seenAt
    stored = try PostgresMirror.nextTicket(of: repository, db).place
  }

  func write(_ page: FeedPage) throws -> SyncReport.Counts {
    var counts = SyncReport.Counts()
    var written: [FeedPage.Entry] = []
    for round in rounds(of: page) {
      let entries = round.map { page.entries[$0] }
      let changed =
        switch page.feed {
        case .items: try writeItems(entries)
        case .comments: try writeComments(entries)
        }
      for entry in entries {
        switch changed[Self.key(of: entry)] {
        case true?: counts.updated += 1
        case false?: counts.inserted += 1
        case nil: counts.unchanged += 1
        }
      }
      written += entries.filter { changed[Self.key(of: $0)] != nil }
    }
    try writePeople(of: written)
    let properties = PostgresPropertyWriter(db, repository: repository.id, seenAt: seenAt)
    try properties.write(written.flatMap { $0.item?.labels ?? [] })
    try properties.write(written.compactMap { $0.item?.milestone })
    try setAside(page)
    return counts
  }

  private static func key(of entry: FeedPage.Entry) -> Int64 {
    entry.item == nil ? entry.id : Int64(entry.number)
  }

  /// The indices of the entries, in rounds that contain each key once, because a statement can't write a row twice. Of
  /// two versions, the later one is last.
  private func rounds(of page: FeedPage) -> [[Int]] {
    let places = page.entries.enumerated().map { index, entry in
      (Self.key(of: entry), entry.updatedAt, index)
    }.sorted(by: <)
    var rounds: [[Int]] = []
    var (last, round) = (Int64?.none, 0)
    for (key, _, index) in places {
      round = key == last ? round + 1 : 0
      last = key
      if round == rounds.count { rounds.append([]) }
      rounds[round].append(index)
    }
    return rounds
  }

  /// A row with other JSON is replaced if the entry changed later. It is also replaced if the entry's ticket isn't
  /// earlier, and the entry changed in the same second or is the server's present version.
  private static let isSuperseded: PostgresSQL = """
    old.json <> u.json AND (
      old.updated_at < u.updated_at
      OR old.asked <= u.asked
        AND (old.updated_at = u.updated_at OR old.updated_at < u.present_before))
    """

  /// A request from before the burial of an issue may be answered late.
  private var isNotBuried: PostgresSQL {
    """
    NOT (u.is_asked AND EXISTS (
      SELECT FROM tombstone WHERE tombstone.repository = \(repository.id)
        AND tombstone.number = u.number AND tombstone.asked > u.asked))
    """
  }

  /// Returns the written numbers, and for each whether the item existed before.
  private func writeItems(_ entries: [FeedPage.Entry]) throws -> [Int64: Bool] {
    let items = entries.compactMap { entry in entry.item.map { (entry, $0) } }
    let facts = items.map { ItemFacts($0.0.json) }
    let keys = items.map { entry, item in
      ItemKeys(
        state: item.state, isPullRequest: item.isPullRequest,
        author: entry.author?.login.lowercased(),
        labels: Self.unique(item.labels.map { $0.name.lowercased() }),
        assignees: Self.unique(item.assignees.map { $0.login.lowercased() }))
    }
    let mentions = items.map { Self.mentions(in: $0.0.body) }
    let texts = zip(items, keys).map { entry, keys in
      TextVector(title: entry.1.title, body: entry.0.body, of: repository.id, keys: keys)
    }
    let columns: [(name: String, type: String, values: PostgresParameter)] = [
      ("number", "bigint", .integers(items.map(\.0.number))),
      ("id", "bigint", .integers(items.map(\.0.id))),
      ("is_pull_request", "boolean", .booleans(items.map(\.1.isPullRequest))),
      ("state", "text", .texts(items.map(\.1.state))),
      ("title", "text", .texts(items.map(\.1.title))),
      ("author", "text", .texts(items.map(\.0.author?.login))),
      ("author_key", "text", .texts(keys.map(\.author))),
      ("milestone_key", "text", .texts(items.map { $0.1.milestone?.title.lowercased() })),
      ("milestone_number", "bigint", .integers(items.map(\.1.milestone?.number))),
      ("comments", "bigint", .integers(items.map(\.1.commentsCount))),
      ("created_at", "bigint", .integers(items.map(\.0.createdAt))),
      ("updated_at", "bigint", .integers(items.map(\.0.updatedAt))),
      ("closed_at", "bigint", .integers(items.map(\.1.closedAt))),
      ("is_draft", "boolean", .booleans(items.map(\.1.isDraft))),
      ("is_locked", "boolean", .booleans(items.map(\.1.isLocked))),
      ("merged_at", "bigint", .integers(items.map(\.1.mergedAt))),
      ("type_key", "text", .texts(facts.map { $0.type?.lowercased() })),
      ("parent_key", "text", .texts(facts.map { $0.parent?.lowercased() })),
      ("blocked_by", "bigint", .integers(facts.map(\.blockedBy))),
      ("blocking", "bigint", .integers(facts.map(\.blocking))),
      ("reactions", "bigint", .integers(facts.map(\.reactions))),
      ("label_keys", "text", .texts(keys.map { Self.array($0.labels) })),
      ("field_keys", "text", .texts(facts.map { Self.array(Self.unique($0.fieldKeys)) })),
      ("assignee_keys", "text", .texts(keys.map { Self.array($0.assignees) })),
      ("mention_keys", "text", .texts(mentions)),
      ("asked", "bigint", .integers(items.map(\.0.ticket))),
      ("json", "bytea", .blobs(items.map(\.0.json))),
    ]
    let names = columns.map(\.name)
    let values = names.map { $0.hasSuffix("_keys") ? "\($0)::text[]" : $0 }
    let updates = names.dropFirst().map { "\($0) = excluded.\($0)" }
    let rows = try db.rows(
      """
      WITH u AS MATERIALIZED (
        SELECT u.*, old.number IS NOT NULL AS is_known
        FROM unnest(\(columns.map { "\($0.values)" as PostgresSQL }.joined(separator: ", ")),
            \(.integers(items.map(\.0.asked.isPresentBefore))),
            \(.booleans(items.map { $0.0.asked.ticket != nil })), \(.vectors(texts)))
          AS u(\(sql: names.joined(separator: ", ")), present_before, is_asked, tsv)
        LEFT JOIN item AS old ON old.repository = \(repository.id) AND old.number = u.number
        WHERE (old.number IS NULL OR \(Self.isSuperseded)) AND \(isNotBuried)),
      written AS (
        INSERT INTO item (repository, stored, \(sql: names.joined(separator: ", ")))
        SELECT \(repository.id), \(stored), \(sql: values.joined(separator: ", "))
        FROM u ORDER BY number
        ON CONFLICT (repository, number) DO UPDATE SET
          stored = excluded.stored, \(sql: updates.joined(separator: ", "))),
      indexed AS (
        INSERT INTO item_text AS old (repository, number, created_at, tsv)
        SELECT \(repository.id), number, coalesce(created_at, 0), tsv FROM u ORDER BY number
        ON CONFLICT (repository, number) DO UPDATE SET
          created_at = excluded.created_at, tsv = excluded.tsv
        WHERE old.tsv <> excluded.tsv OR old.created_at <> excluded.created_at),
      dug AS (
        DELETE FROM tombstone USING u
        WHERE tombstone.repository = \(repository.id) AND tombstone.number = u.number)
      SELECT number, is_known FROM u
      """)
    return try Self.outcomes(rows)
  }

  private func writeComments(_ entries: [FeedPage.Entry]) throws -> [Int64: Bool] {
    let texts = entries.map { TextVector(title: nil, body: $0.body, of: repository.id) }
    let rows = try db.rows(
      """
      WITH u AS MATERIALIZED (
        SELECT u.*, old.id IS NOT NULL AS is_known
        FROM unnest(\(.integers(entries.map(\.id))), \(.integers(entries.map(\.number))),
            \(.texts(entries.map(\.author?.login))),
            \(.texts(entries.map { $0.author?.login.lowercased() })),
            \(.integers(entries.map(\.createdAt))), \(.integers(entries.map(\.updatedAt))),
            \(.texts(entries.map { Self.mentions(in: $0.body) })),
            \(.integers(entries.map(\.ticket))), \(.blobs(entries.map(\.json))),
            \(.integers(entries.map(\.asked.isPresentBefore))),
            \(.booleans(entries.map { $0.asked.ticket != nil })), \(.vectors(texts)))
          AS u(id, number, author, author_key, created_at, updated_at, mention_keys, asked, json,
            present_before, is_asked, tsv)
        LEFT JOIN comment AS old ON old.repository = \(repository.id) AND old.id = u.id
        WHERE (old.id IS NULL OR \(Self.isSuperseded)) AND \(isNotBuried)),
      written AS (
        INSERT INTO comment (
          repository, id, number, author, author_key, created_at, updated_at, seen_at, asked,
          mention_keys, json)
        SELECT \(repository.id), id, number, author, author_key, created_at, updated_at,
          \(seenAt), asked, mention_keys::text[], json
        FROM u ORDER BY id
        ON CONFLICT (repository, id) DO UPDATE SET
          number = excluded.number, author = excluded.author, author_key = excluded.author_key,
          created_at = excluded.created_at, updated_at = excluded.updated_at,
          seen_at = excluded.seen_at, asked = excluded.asked,
          mention_keys = excluded.mention_keys, json = excluded.json),
      indexed AS (
        INSERT INTO comment_text AS old (repository, id, number, created_at, tsv)
        SELECT \(repository.id), id, number, coalesce(created_at, 0), tsv FROM u ORDER BY id
        ON CONFLICT (repository, id) DO UPDATE SET
          number = excluded.number, created_at = excluded.created_at, tsv = excluded.tsv
        WHERE old.tsv <> excluded.tsv OR old.number <> excluded.number
          OR old.created_at <> excluded.created_at)
      SELECT id, is_known FROM u
      """)
    return try Self.outcomes(rows)
  }

  private static func outcomes(_ rows: PostgresRows) throws -> [Int64: Bool] {
    try Dictionary(
      rows.map { (try $0.value(0), try $0.value(1)) }, uniquingKeysWith: { $1 })
  }

  private func setAside(_ page: FeedPage) throws {
    // An entry without an id is identified by its number.
    let numbers = page.entries.filter { $0.item != nil }.map(\.number)
    try db.rows(
      """
      DELETE FROM set_aside WHERE repository = \(repository.id)
        AND timeline = \(page.feed.rawValue)
        AND (id = ANY (\(page.entries.map(\.id))) OR number = ANY (\(numbers)))
      """)
    guard !page.unreadable.isEmpty else { return }
    var unreadable: [Int64: FeedPage.Unreadable] = [:]
    for entry in page.unreadable { unreadable[entry.id] = entry }
    let entries = unreadable.values.sorted { $0.id < $1.id }
    try db.rows(
      """
      INSERT INTO set_aside (repository, timeline, id, number, reason, found_at)
      SELECT \(repository.id), \(page.feed.rawValue), id, number, reason, \(seenAt)
      FROM unnest(\(.integers(entries.map(\.id))), \(.integers(entries.map(\.number))),
        \(.texts(entries.map(\.reason)))) AS u(id, number, reason)
      ON CONFLICT (repository, timeline, id) DO UPDATE SET
        number = excluded.number, reason = excluded.reason, found_at = excluded.found_at
      """)
  }

  /// Writes in the order of logins, because pages of different repositories may contain the same people and could
  /// deadlock.
  private func writePeople(of entries: [FeedPage.Entry]) throws {
    var people: [String: FeedPage.Person] = [:]
    for entry in entries {
      for person in [entry.author].compactMap(\.self) + (entry.item?.assignees ?? []) {
        people[person.login.lowercased()] = person
      }
    }
    guard !people.isEmpty else { return }
    let ordered = people.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    // Most people are stored already, and a row that isn't written isn't locked.
    try db.rows(
      """
      INSERT INTO person AS old (host, login_key, login, id, json, seen_at)
      SELECT \(repository.host), u.login_key, u.login, u.id, u.json, \(seenAt)
      FROM unnest(\(.texts(ordered.map(\.key))), \(.texts(ordered.map(\.value.login))),
        \(.integers(ordered.map(\.value.id))), \(.blobs(ordered.map(\.value.json))))
        AS u(login_key, login, id, json)
      WHERE NOT EXISTS (
        SELECT FROM person WHERE person.host = \(repository.host)
          AND person.login_key = u.login_key AND person.json = u.json)
      ORDER BY u.login_key
      ON CONFLICT (host, login_key) DO UPDATE SET
        login = excluded.login, id = excluded.id, json = excluded.json,
        seen_at = excluded.seen_at
      WHERE old.json <> excluded.json
      """)
  }

  private static func mentions(in text: String?) -> String {
    array(text.map { Mentions.logins(in: $0).sorted() } ?? [])
  }

  static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// Encodes names as PostgreSQL's text for an array, because an array of arrays would have to be rectangular
  /// (<https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO>).
  static func array(_ names: [String]) -> String {
    var text = "{"
    for (index, name) in names.enumerated() {
      text += index > 0 ? ",\"" : "\""
      for scalar in name.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
      text += "\""
    }
    return text + "}"
  }
}

extension FeedPage.Entry {
  fileprivate var ticket: Int64 { asked.ticket?.place ?? 0 }
}
