internal import IssueMirror

/// The tables of the mirror, in a schema of their own. Times are in seconds since 1970. Workers use the database's
/// clock, which determines when a repository is due and when a lease ends.
///
/// `json` is the server's JSON as bytes, because PostgreSQL's own JSON type doesn't support `\u0000` and lone
/// surrogates. Columns that end in `_key` contain names for filters, converted to lowercase by this program. Writers of
/// the same repository wait for each other, because each locks the repository's row first.
///
/// The tables don't use features that distributed databases lack: sequences, foreign keys between repositories, session
/// locks, and LISTEN.
enum PostgresSchema {
  static var version: Int { steps.count }

  /// The oldest version of the tables with which these are compatible: a program that knows only that version can read
  /// these tables, and this program can read and write those. So a team can update its programs one after the other,
  /// before or after the owner migrates the tables. A step that breaks this sets its own version here.
  static let compatibleFrom = 6

  /// The steps from each version to the next. A released step never changes.
  private static let steps: [@Sendable (PostgresSession) throws -> Void] = [
    createTables, { try $0.run(queue) }, { try $0.run(spendings) }, { try $0.run(feeds) },
    { try $0.run(probes) },
    // Texts without the words of ``PropertyWord`` already have a version other than ``TextVector/version``. This step
    // excludes programs that write such texts.
    { _ in },
    { try $0.run(workers) },
    { try $0.run(orders) },
    { try $0.run(deliveries) },
  ]

  /// The state of the tables.
  enum State: Equatable {
    case missing
    /// The oldest version that a program must know to read the tables is `readableFrom`.
    case version(Int, readableFrom: Int)
  }

  static func state(_ db: PostgresSession) throws -> State {
    // Tables of version 6 and earlier lack the column.
    guard try db.first("SELECT to_regclass('mirror') IS NOT NULL")?.value(0) == true,
      let row = try db.first(
        """
        SELECT version, coalesce((to_jsonb(mirror) ->> 'readable_from')::integer, version) FROM mirror
        """)
    else { return .missing }
    return .version(try row.value(0), readableFrom: try row.value(1))
  }

  /// The owner of the tables, and whether this role has the owner's rights.
  static func owner(_ db: PostgresSession) throws -> (name: String, isThisRole: Bool) {
    let row = try db.first(
      """
      SELECT pg_get_userbyid(relowner), pg_has_role(relowner, 'USAGE')
      FROM pg_class WHERE oid = to_regclass('mirror')
      """)
    guard let row else { throw PostgresFailure("the tables are missing", sqlState: "42P01") }
    return (try row.value(0), try row.value(1))
  }

  /// Throws if the role lacks permissions, because the tables would appear to be missing.
  static func checkRights(_ db: PostgresSession, schema: String) throws {
    let isAllowed = try db.first(
      """
      SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = \(schema)
      """)
    guard try isAllowed?.value(0) == false else { return }
    throw PostgresFailure("permission denied for schema \(schema)", sqlState: "42501")
  }

  /// Creates or migrates the tables. If several processes start concurrently, one of them does the work while the
  /// others wait.
  static func migrate(_ db: PostgresSession, schema: String) throws {
    try db.transaction(.migrating) { db in
      let exists = try db.first(
        "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = \(schema))")
      if try exists?.value(0) != true {
        try db.run("CREATE SCHEMA \(PostgresSession.quoted(schema))")
      }
      var version = 0
      switch try state(db) {
      case .missing: break
      case .version(let found, _):
        try checkVersion(found)
        version = found
      }
      for step in steps[version...] { try step(db) }
      try db.rows(
        """
        INSERT INTO mirror (version, readable_from, search_index)
        VALUES (\(Self.version), \(compatibleFrom), \(TextVector.version))
        ON CONFLICT (one) DO UPDATE SET
          version = excluded.version, readable_from = excluded.readable_from
        """)
    }
  }

  /// Whether all texts have the words that this version of the program creates.
  static func hasPresentWords(_ db: PostgresSession) throws -> Bool {
    let version: String? = try db.first("SELECT search_index FROM mirror")?.value(0)
    return version == TextVector.version
  }

  /// Throws if the tables are damaged, or of a later version than this program.
  static func checkVersion(_ found: Int) throws(MirrorFailure) {
    guard found > 0 else {
      throw MirrorFailure(
        .damaged,
        "The mirror in the database is damaged: its version is \(found). Restore it from a backup.")
    }
    guard found <= version else {
      throw MirrorFailure(
        .laterVersion,
        "The mirror in the database was updated by a later version of issues: update this program.")
    }
  }

  /// Indexes in the orders of lists, which have NULLS LAST, in one repository and in all.
  private static let orders = """
    DROP INDEX item_by_change;
    CREATE INDEX item_by_change ON item (repository, updated_at DESC NULLS LAST, number DESC);
    CREATE INDEX item_by_any_creation ON item (repository, created_at DESC NULLS LAST, number DESC);
    CREATE INDEX item_everywhere_by_change ON item (
      updated_at DESC NULLS LAST, number DESC, repository DESC);
    CREATE INDEX item_everywhere_by_creation ON item (
      created_at DESC NULLS LAST, number DESC, repository DESC);
    """

  @Sendable private static func createTables(_ db: PostgresSession) throws {
    try db.run(tables)
    for (table, key) in [("item_text", "number"), ("comment_text", "id")] {
      // Word lists are spread over sixteen indexes, because smaller indexes take half the time.
      for part in 0..<16 {
        try db.run(
          """
          CREATE TABLE \(table)_\(part) PARTITION OF \(table)
            FOR VALUES WITH (MODULUS 16, REMAINDER \(part)) WITH (toast_tuple_target = 8160);
          CREATE INDEX \(table)_\(part)_words ON \(table)_\(part) USING gin (tsv);
          CREATE INDEX \(table)_\(part)_newest ON \(table)_\(part) (created_at DESC, \(key) DESC);
          """)
      }
    }
  }

  private static let tables = """
    CREATE TABLE mirror (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      version integer NOT NULL,
      search_index text NOT NULL);

    -- Keys are made by the program, and never used again: a sync that goes on while its repository is removed finds
    -- nothing.
    CREATE TABLE repository (
      key bigint PRIMARY KEY,
      host text COLLATE "C" NOT NULL,
      id bigint NOT NULL,
      full_name text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      naming bigint NOT NULL,
      json bytea NOT NULL,
      seen_at bigint NOT NULL,
      ticket bigint NOT NULL DEFAULT 0,
      synced_to bigint,
      comments_synced_to bigint,
      checked_at bigint,
      comments_checked_at bigint,
      verified_at bigint,
      timelines_checked_at bigint,
      timelines_missing_at bigint,
      properties_checked_at bigint,
      entity_tag text,
      comments_entity_tag text,
      open_count bigint,
      accepted_difference bigint,
      miscount bigint,
      miscounted_at bigint,
      recounted_at bigint,
      unproven_to bigint,
      comments_counted bigint,
      UNIQUE (host, id)) WITH (fillfactor = 70);
    CREATE INDEX repository_by_name ON repository (host, name_key, naming DESC);

    CREATE TABLE former_name (
      host text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      repository bigint NOT NULL,
      PRIMARY KEY (host, name_key));

    -- Tokens are made by the program: a sync whose sweep another one has ended or replaced finds nothing.
    CREATE TABLE sweep (
      repository bigint NOT NULL,
      timeline text NOT NULL,
      token bigint NOT NULL,
      began_at bigint NOT NULL,
      json bytea NOT NULL,
      PRIMARY KEY (repository, timeline));

    CREATE TABLE sweep_seen (
      repository bigint NOT NULL,
      token bigint NOT NULL,
      number bigint NOT NULL,
      PRIMARY KEY (repository, token, number));

    CREATE TABLE item (
      repository bigint NOT NULL,
      number bigint NOT NULL,
      id bigint NOT NULL,
      is_pull_request boolean NOT NULL,
      state text NOT NULL,
      title text NOT NULL,
      author text,
      author_key text COLLATE "C",
      milestone_key text COLLATE "C",
      milestone_number bigint,
      comments bigint NOT NULL,
      created_at bigint,
      updated_at bigint NOT NULL,
      closed_at bigint,
      stored bigint NOT NULL,
      asked bigint NOT NULL,
      is_draft boolean NOT NULL,
      is_locked boolean NOT NULL,
      merged_at bigint,
      type_key text COLLATE "C",
      parent_key text COLLATE "C",
      blocked_by bigint NOT NULL,
      blocking bigint NOT NULL,
      reactions bigint NOT NULL,
      label_keys text[] COLLATE "C" NOT NULL,
      field_keys text[] COLLATE "C" NOT NULL,
      assignee_keys text[] COLLATE "C" NOT NULL,
      mention_keys text[] COLLATE "C" NOT NULL,
      json bytea NOT NULL,
      PRIMARY KEY (repository, number)) WITH (toast_tuple_target = 256);
    CREATE INDEX item_by_creation ON item (
      repository, state, created_at DESC NULLS LAST, number DESC);
    CREATE INDEX item_by_change ON item (repository, updated_at DESC, number DESC);
    CREATE INDEX item_by_time_stored ON item (repository, stored);

    CREATE TABLE comment (
      repository bigint NOT NULL,
      id bigint NOT NULL,
      number bigint NOT NULL,
      author text,
      author_key text COLLATE "C",
      created_at bigint,
      updated_at bigint NOT NULL,
      seen_at bigint NOT NULL,
      asked bigint NOT NULL,
      mention_keys text[] COLLATE "C" NOT NULL,
      json bytea NOT NULL,
      PRIMARY KEY (repository, id)) WITH (toast_tuple_target = 256);
    CREATE INDEX comment_by_number ON comment (repository, number, created_at, id);
    CREATE INDEX comment_by_author ON comment (repository, author_key, number);

    CREATE TABLE item_text (
      repository bigint NOT NULL,
      number bigint NOT NULL,
      created_at bigint NOT NULL,
      tsv tsvector NOT NULL,
      PRIMARY KEY (repository, number)) PARTITION BY HASH (repository);
    CREATE TABLE comment_text (
      repository bigint NOT NULL,
      id bigint NOT NULL,
      number bigint NOT NULL,
      created_at bigint NOT NULL,
      tsv tsvector NOT NULL,
      PRIMARY KEY (repository, id)) PARTITION BY HASH (repository);
    CREATE INDEX comment_text_by_number ON comment_text (repository, number);

    CREATE TABLE person (
      host text COLLATE "C" NOT NULL,
      login_key text COLLATE "C" NOT NULL,
      login text NOT NULL,
      id bigint,
      json bytea NOT NULL,
      seen_at bigint NOT NULL,
      PRIMARY KEY (host, login_key));

    -- Whether every item that has it has it as it is here: not where items came with other versions.
    CREATE TABLE label (
      repository bigint NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      id bigint,
      name text COLLATE "C" NOT NULL,
      color text,
      description text,
      seen_at bigint NOT NULL,
      is_settled boolean NOT NULL,
      PRIMARY KEY (repository, name_key));

    CREATE TABLE milestone (
      repository bigint NOT NULL,
      number bigint NOT NULL,
      title text NOT NULL,
      title_key text COLLATE "C" NOT NULL,
      state text,
      description text,
      due_on bigint,
      json bytea NOT NULL,
      seen_at bigint NOT NULL,
      is_settled boolean NOT NULL,
      PRIMARY KEY (repository, number));

    CREATE TABLE property_page (
      repository bigint NOT NULL,
      list text NOT NULL,
      page bigint NOT NULL,
      entity_tag text NOT NULL,
      PRIMARY KEY (repository, list, page));

    CREATE TABLE tombstone (
      repository bigint NOT NULL,
      number bigint NOT NULL,
      title text NOT NULL,
      moved_to text,
      found_at bigint NOT NULL,
      asked bigint NOT NULL,
      json bytea NOT NULL,
      PRIMARY KEY (repository, number));

    -- Numbers that were asked for and aren't there, and never were kept.
    CREATE TABLE absence (
      repository bigint NOT NULL,
      number bigint NOT NULL,
      PRIMARY KEY (repository, number));

    -- Entries that can't be read.
    CREATE TABLE set_aside (
      repository bigint NOT NULL,
      timeline text NOT NULL,
      id bigint NOT NULL,
      number bigint NOT NULL,
      reason text NOT NULL,
      found_at bigint NOT NULL,
      PRIMARY KEY (repository, timeline, id));

    CREATE TABLE timeline (
      repository bigint NOT NULL,
      number bigint NOT NULL,
      covers bigint NOT NULL,
      asked bigint NOT NULL,
      PRIMARY KEY (repository, number));

    -- In the server's order. The text of a comment is only in its own row.
    CREATE TABLE event (
      repository bigint NOT NULL,
      number bigint NOT NULL,
      position bigint NOT NULL,
      kind text NOT NULL,
      id bigint,
      actor text,
      is_by_bot boolean NOT NULL,
      association text,
      created_at bigint,
      json bytea NOT NULL,
      PRIMARY KEY (repository, number, position));
    CREATE INDEX event_by_kind ON event (repository, kind, created_at);

    -- For people who write SQL: what is open, without pull requests and without what is buried.
    CREATE VIEW open_issue AS
    SELECT repository.host, repository.full_name AS repository, item.number, item.title,
      item.author, item.label_keys AS labels, item.assignee_keys AS assignees,
      item.milestone_key AS milestone, item.comments, item.reactions,
      to_timestamp(item.created_at) AS created_at, to_timestamp(item.updated_at) AS updated_at,
      convert_from(item.json, 'UTF8') AS json
    FROM item JOIN repository ON repository.key = item.repository
    WHERE item.state = 'open' AND NOT item.is_pull_request;
    """
}
