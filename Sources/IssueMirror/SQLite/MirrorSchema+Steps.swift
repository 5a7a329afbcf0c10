internal import GRDB
internal import PrivateDatabase

/// The steps from each version of the tables to the next.
///
/// A released step doesn't change, with one exception: version 2 uses the current `SearchIndex.create` and
/// `Mentions.logins`, and version 6 uses the views. Before you change these, copy them here, and add a step for older
/// files.
extension MirrorSchema {
  // MARK: - Version 1

  @Sendable static func createTables(_ db: Database) throws {
    try db.execute(sql: tables)
  }

  private static let tables = """
    -- Keys are never used again: a sync that goes on while its repository is removed finds nothing.
    CREATE TABLE repository (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      host TEXT NOT NULL,
      id INTEGER NOT NULL,
      full_name TEXT NOT NULL COLLATE NOCASE,
      json BLOB NOT NULL,
      seen_at INTEGER NOT NULL,
      synced_to INTEGER,
      comments_synced_to INTEGER,
      checked_at INTEGER,
      comments_checked_at INTEGER,
      verified_at INTEGER,
      entity_tag TEXT,
      comments_entity_tag TEXT,
      open_count INTEGER,
      accepted_difference INTEGER,
      UNIQUE (host, id));

    -- Names under which repositories were asked for that have others now.
    CREATE TABLE former_name (
      host TEXT NOT NULL,
      name TEXT NOT NULL COLLATE NOCASE,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      PRIMARY KEY (host, name)) WITHOUT ROWID;

    -- Keys are never used again: a sync whose sweep another one has ended or replaced finds nothing.
    CREATE TABLE sweep (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      timeline TEXT NOT NULL,
      began_at INTEGER NOT NULL,
      json BLOB NOT NULL,
      UNIQUE (repository, timeline));

    CREATE TABLE sweep_seen (
      sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,
      number INTEGER NOT NULL,
      PRIMARY KEY (sweep, number)) WITHOUT ROWID;

    CREATE TABLE item (
      key INTEGER PRIMARY KEY,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      number INTEGER NOT NULL,
      id INTEGER NOT NULL,
      is_pull_request INTEGER NOT NULL,
      state TEXT NOT NULL,
      title TEXT NOT NULL,
      author TEXT COLLATE NOCASE,
      milestone TEXT COLLATE NOCASE,
      milestone_number INTEGER,
      comments INTEGER NOT NULL,
      created_at INTEGER,
      updated_at INTEGER NOT NULL,
      closed_at INTEGER,
      seen_at INTEGER NOT NULL,
      json BLOB NOT NULL,
      UNIQUE (repository, number));
    -- Lists and counts read nothing else until they know what to show. Beside the texts, rows are far apart.
    CREATE INDEX item_summary ON item (
      repository, state, created_at, number, is_pull_request, updated_at, closed_at, comments, author,
      milestone, milestone_number);

    CREATE TABLE label (
      key INTEGER PRIMARY KEY,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      id INTEGER,
      name TEXT NOT NULL COLLATE NOCASE,
      color TEXT,
      description TEXT,
      seen_at INTEGER NOT NULL,
      UNIQUE (repository, name));

    -- These two don't say what they refer to: looking that up would be a tenth of what it takes to write an item.
    CREATE TABLE item_label (
      item INTEGER NOT NULL,
      label INTEGER NOT NULL,
      PRIMARY KEY (item, label)) WITHOUT ROWID;
    CREATE INDEX item_label_by_label ON item_label (label);

    CREATE TABLE user (
      key INTEGER PRIMARY KEY,
      host TEXT NOT NULL,
      id INTEGER,
      login TEXT NOT NULL COLLATE NOCASE,
      json BLOB NOT NULL,
      seen_at INTEGER NOT NULL,
      UNIQUE (host, login));

    CREATE TABLE item_assignee (
      item INTEGER NOT NULL,
      user INTEGER NOT NULL,
      PRIMARY KEY (item, user)) WITHOUT ROWID;
    CREATE INDEX item_assignee_by_user ON item_assignee (user);

    CREATE TRIGGER item_removed AFTER DELETE ON item BEGIN
      DELETE FROM item_label WHERE item = old.key;
      DELETE FROM item_assignee WHERE item = old.key;
    END;

    CREATE TABLE milestone (
      key INTEGER PRIMARY KEY,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      number INTEGER NOT NULL,
      title TEXT NOT NULL COLLATE NOCASE,
      state TEXT,
      json BLOB NOT NULL,
      seen_at INTEGER NOT NULL,
      UNIQUE (repository, number));

    CREATE TABLE comment (
      key INTEGER PRIMARY KEY,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      author TEXT COLLATE NOCASE,
      created_at INTEGER,
      updated_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      json BLOB NOT NULL,
      UNIQUE (repository, id));
    CREATE INDEX comment_by_number ON comment (repository, number);

    CREATE TABLE tombstone (
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      number INTEGER NOT NULL,
      title TEXT NOT NULL,
      fate TEXT NOT NULL CHECK (fate IN ('deleted', 'transferred')),
      moved_to TEXT,
      found_at INTEGER NOT NULL,
      json BLOB NOT NULL,
      PRIMARY KEY (repository, number));
    """

  // MARK: - Version 2

  @Sendable static func addFilteredColumns(_ db: Database) throws {
    try db.execute(sql: filteredColumns)
    let hasItems = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM item)") ?? false
    if hasItems {
      try db.execute(sql: filteredValues)
      try addMentions(
        db, from: { _ in "json_extract(CAST(json AS TEXT), '$.body')" }, where: "TRUE")
    }
    try db.execute(sql: filteredIndexes)
    for table in ["item", "comment"] {
      try db.execute(
        sql: "DROP TABLE IF EXISTS \(table)_text; DROP VIEW IF EXISTS \(table)_source")
    }
    try SearchIndex.create(db)
  }

  private static func addMentions(
    _ db: Database, from body: (String) -> String, where condition: String
  ) throws {
    let insert = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO mention (repository, login, number, comment) VALUES (?, ?, ?, ?)
        """)
    for (table, comment) in [("item", "0"), ("comment", "id")] {
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT repository, number, \(comment), \(body(table)) FROM \(table)
          WHERE \(condition) AND instr(json, CAST('@' AS BLOB)) > 0
          """)
      while let row = try rows.next() {
        guard let text = String.fromDatabaseValue(row[3]) else { continue }
        let (repository, number, id): (Int64, Int64, Int64) = (
          try row.value(0), try row.value(1), try row.value(2)
        )
        for login in Mentions.logins(in: text) {
          try insert.execute(arguments: [repository, login, number, id])
        }
      }
    }
  }

  private static let filteredColumns = """
    -- What the file's own parts were made with.
    CREATE TABLE property (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

    ALTER TABLE item ADD COLUMN is_draft INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE item ADD COLUMN is_locked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE item ADD COLUMN merged_at INTEGER;
    ALTER TABLE item ADD COLUMN state_reason TEXT;
    ALTER TABLE item ADD COLUMN html_url TEXT;
    -- Whether a list shows what the columns don't have: a text ends at a NUL in them, a time may be missing, and
    -- a label or an assignee may be there twice.
    ALTER TABLE item ADD COLUMN is_abridged INTEGER NOT NULL DEFAULT 0;
    -- The server's order.
    ALTER TABLE item_label ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE item_assignee ADD COLUMN position INTEGER NOT NULL DEFAULT 0;

    -- Who is mentioned, in small letters: in an issue's own text where comment is 0, else in the comment of that id.
    CREATE TABLE mention (
      repository INTEGER NOT NULL,
      login TEXT NOT NULL,
      number INTEGER NOT NULL,
      comment INTEGER NOT NULL,
      PRIMARY KEY (repository, login, number, comment)) WITHOUT ROWID;

    DROP TRIGGER item_removed;
    CREATE TRIGGER item_removed AFTER DELETE ON item BEGIN
      DELETE FROM item_label WHERE item = old.key;
      DELETE FROM item_assignee WHERE item = old.key;
      DELETE FROM mention
      WHERE repository = old.repository AND comment = 0 AND number = old.number;
    END;
    CREATE TRIGGER comment_removed AFTER DELETE ON comment BEGIN
      DELETE FROM mention WHERE repository = old.repository AND comment = old.id;
    END;
    """

  private static let filteredValues = """
    UPDATE item SET
      is_draft = json_extract(CAST(json AS TEXT), '$.draft') IS TRUE,
      is_locked = json_extract(CAST(json AS TEXT), '$.locked') IS TRUE,
      merged_at = CAST(
        strftime('%s', json_extract(CAST(json AS TEXT), '$.pull_request.merged_at')) AS INTEGER)
    WHERE json_valid(CAST(json AS TEXT)) AND (
      json_extract(CAST(json AS TEXT), '$.draft') IS TRUE
      OR json_extract(CAST(json AS TEXT), '$.locked') IS TRUE
      OR json_extract(CAST(json AS TEXT), '$.pull_request.merged_at') IS NOT NULL);

    UPDATE item SET
      state_reason = json_extract(CAST(json AS TEXT), '$.state_reason'),
      html_url = json_extract(CAST(json AS TEXT), '$.html_url'),
      is_abridged = instr(json, CAST('\\u0000' AS BLOB)) > 0
        OR json_extract(CAST(json AS TEXT), '$.updated_at') IS NULL
        OR ifnull(json_array_length(CAST(json AS TEXT), '$.labels'), 0)
          <> (SELECT count(*) FROM item_label WHERE item = key)
        OR ifnull(json_array_length(CAST(json AS TEXT), '$.assignees'), 0)
          <> (SELECT count(*) FROM item_assignee WHERE item = key)
    WHERE json_valid(CAST(json AS TEXT));

    UPDATE item_label SET position = entry.position FROM (
      SELECT item.key AS item, label.key AS label, element.key AS position
      FROM item, json_each(
        CASE WHEN json_valid(CAST(item.json AS TEXT)) THEN CAST(item.json AS TEXT) ELSE '{}' END,
        '$.labels') AS element
      JOIN label ON label.repository = item.repository AND label.name =
        CASE element.type WHEN 'object' THEN json_extract(element.value, '$.name')
          ELSE element.value END
      WHERE element.key > 0) AS entry
    WHERE item_label.item = entry.item AND item_label.label = entry.label;

    UPDATE item_assignee SET position = entry.position FROM (
      SELECT item.key AS item, user.key AS user, element.key AS position
      FROM item, json_each(
        CASE WHEN json_valid(CAST(item.json AS TEXT)) THEN CAST(item.json AS TEXT) ELSE '{}' END,
        '$.assignees') AS element
      JOIN repository ON repository.key = item.repository
      JOIN user ON user.host = repository.host AND user.login = json_extract(element.value, '$.login')
      WHERE element.key > 0) AS entry
    WHERE item_assignee.item = entry.item AND item_assignee.user = entry.user;
    """

  private static let filteredIndexes = """
    -- By time in the first place, so that what is listed by that, and the first matches of a search, are found
    -- without a look at the others. What has an index of its own below isn't in it: SQLite would take this one for that.
    DROP INDEX item_summary;
    CREATE INDEX item_summary ON item (
      repository, created_at, number, state, is_pull_request, updated_at, closed_at, comments, author,
      milestone, milestone_number);
    CREATE INDEX item_by_author ON item (repository, author, created_at, number);
    CREATE INDEX item_by_milestone ON item (repository, milestone, created_at, number)
    WHERE milestone IS NOT NULL;
    CREATE INDEX item_by_time_seen ON item (repository, seen_at);
    -- Few items are one of these, and only those are in their indexes.
    CREATE INDEX item_draft ON item (repository, created_at, number) WHERE is_draft;
    CREATE INDEX item_locked ON item (repository, created_at, number) WHERE is_locked;
    CREATE INDEX item_merged ON item (repository, created_at, number) WHERE merged_at IS NOT NULL;
    CREATE INDEX mention_by_comment ON mention (repository, comment, number);

    DROP INDEX comment_by_number;
    CREATE INDEX comment_by_number ON comment (repository, number, author, id);
    CREATE INDEX comment_by_author ON comment (repository, author, number);
    CREATE INDEX comment_by_time ON comment (repository, created_at, author, number);
    """
}

extension MirrorSchema {
  /// `asked_at` was in microseconds since 1970 by the local clock. Version 4 replaces it with tickets.
  @Sendable static func addSyncState(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE item ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE comment ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE tombstone ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;

        -- Up to which number each that isn't kept is still to be asked for; null: each was.
        ALTER TABLE repository ADD COLUMN unproven_to INTEGER;
        -- A difference of counts that may be the server's delay, and since when it is known.
        ALTER TABLE repository ADD COLUMN miscount INTEGER;
        ALTER TABLE repository ADD COLUMN miscounted_at INTEGER;
        -- When all numbers were last gone through because of one.
        ALTER TABLE repository ADD COLUMN recounted_at INTEGER;
        -- When the lists of labels and milestones were last asked for.
        ALTER TABLE repository ADD COLUMN properties_checked_at INTEGER;

        -- The entity tags of the pages of the lists of labels and milestones, as they were read last.
        CREATE TABLE property_page (
          repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
          list TEXT NOT NULL CHECK (list IN ('labels', 'milestones')),
          page INTEGER NOT NULL,
          entity_tag TEXT NOT NULL,
          PRIMARY KEY (repository, list, page)) WITHOUT ROWID;
        -- Whether every item that has it has it as it is here: not where items came with other versions.
        ALTER TABLE label ADD COLUMN is_settled INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX label_by_id ON label (repository, id);
        ALTER TABLE milestone ADD COLUMN is_settled INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE milestone ADD COLUMN description TEXT;
        ALTER TABLE milestone ADD COLUMN due_on INTEGER;

        -- Numbers that were asked for and aren't there, and never were kept.
        CREATE TABLE absence (
          repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
          number INTEGER NOT NULL,
          PRIMARY KEY (repository, number)) WITHOUT ROWID;

        -- Entries that can't be read.
        CREATE TABLE set_aside (
          repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
          timeline TEXT NOT NULL,
          id INTEGER NOT NULL,
          number INTEGER NOT NULL,
          reason TEXT NOT NULL,
          found_at INTEGER NOT NULL,
          PRIMARY KEY (repository, timeline, id)) WITHOUT ROWID;
        """)
  }

  /// Decisions now depend on tickets instead of local times. Tickets begin above every time in these columns, so old
  /// values can stay and precede all tickets. The index `item_by_time_seen` follows the renamed column.
  @Sendable static func addTickets(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE repository ADD COLUMN ticket INTEGER NOT NULL DEFAULT \(1 << 62);
        ALTER TABLE item RENAME COLUMN asked_at TO asked;
        ALTER TABLE comment RENAME COLUMN asked_at TO asked;
        ALTER TABLE tombstone RENAME COLUMN asked_at TO asked;
        ALTER TABLE item RENAME COLUMN seen_at TO stored;

        -- The comments of items that were stored before have been counted.
        ALTER TABLE repository ADD COLUMN comments_counted INTEGER;
        UPDATE repository SET comments_counted = comments_checked_at;

        -- Of two repositories that have had a name, the one with the larger number has it now.
        ALTER TABLE repository ADD COLUMN naming INTEGER NOT NULL DEFAULT 0;
        UPDATE repository SET naming = seen_at;
        """)
  }
  /// Timelines have their own tables, so that items don't have to be rewritten.
  @Sendable static func addTimelines(_ db: Database) throws {
    try db.execute(
      sql: """
        -- When all timelines were last asked for, and when the server was found to have none.
        ALTER TABLE repository ADD COLUMN timelines_checked_at INTEGER;
        ALTER TABLE repository ADD COLUMN timelines_missing_at INTEGER;

        -- Whose timeline is here, and the item's last change that it has heard of.
        CREATE TABLE timeline (
          repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
          number INTEGER NOT NULL,
          covers INTEGER NOT NULL,
          asked INTEGER NOT NULL,
          PRIMARY KEY (repository, number)) WITHOUT ROWID;

        -- In the server's order. The text of a comment is only in its own row.
        CREATE TABLE event (
          key INTEGER PRIMARY KEY,
          repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
          number INTEGER NOT NULL,
          position INTEGER NOT NULL,
          kind TEXT NOT NULL,
          id INTEGER,
          actor TEXT COLLATE NOCASE,
          is_by_bot INTEGER NOT NULL,
          association TEXT,
          created_at INTEGER,
          json BLOB NOT NULL,
          UNIQUE (repository, number, position));
        CREATE INDEX event_by_kind ON event (
          repository, kind, created_at, number, actor, is_by_bot, association);

        CREATE TRIGGER item_forgotten AFTER DELETE ON item BEGIN
          DELETE FROM timeline WHERE repository = old.repository AND number = old.number;
          DELETE FROM event WHERE repository = old.repository AND number = old.number;
        END;

        CREATE VIEW events AS
        SELECT repository.host, repository.full_name AS repository, event.number, event.position,
          event.kind, event.id, event.actor,
          strftime('%Y-%m-%dT%H:%M:%SZ', event.created_at, 'unixepoch') AS created_at,
          CAST(event.json AS TEXT) AS json
        FROM event JOIN repository ON repository.key = event.repository;
        """)
  }

  /// Until then, U+0000 ended text in the column, the views and the index.
  @Sendable static func addWholeTexts(_ db: Database) throws {
    let hasNUL = "instr(json, CAST('\\u0000' AS BLOB)) > 0 AND json_valid(CAST(json AS TEXT))"
    try db.execute(
      sql: """
        ALTER TABLE comment ADD COLUMN is_abridged INTEGER NOT NULL DEFAULT 0;
        UPDATE comment SET is_abridged = 1 WHERE \(hasNUL);
        UPDATE item SET is_abridged = 1 WHERE \(hasNUL);
        UPDATE item SET title = \(SearchIndex.text("title", of: "item"))
        WHERE is_abridged AND \(hasNUL);
        DELETE FROM property WHERE name = 'search_index' AND (
          EXISTS (SELECT 1 FROM comment WHERE is_abridged)
          OR EXISTS (SELECT 1 FROM item WHERE is_abridged AND \(hasNUL)));

        DROP VIEW IF EXISTS item_source;
        DROP VIEW IF EXISTS comment_source;
        DROP VIEW IF EXISTS issues;
        DROP VIEW IF EXISTS comments;
        \(SearchIndex.sources)
        \(views)
        """)
    try addMentions(db, from: SearchIndex.body, where: "is_abridged")
  }

  private static let views = """
    CREATE VIEW issues AS
    SELECT repository.host, repository.full_name AS repository, item.number,
      CASE WHEN item.is_pull_request THEN 'pull_request' ELSE 'issue' END AS kind, item.state,
      item.title, \(SearchIndex.body(of: "item")) AS body, item.author,
      (SELECT group_concat(name, ', ') FROM (
        SELECT label.name FROM item_label JOIN label ON label.key = item_label.label
        WHERE item_label.item = item.key ORDER BY item_label.position)) AS labels,
      (SELECT group_concat(login, ', ') FROM (
        SELECT user.login FROM item_assignee JOIN user ON user.key = item_assignee.user
        WHERE item_assignee.item = item.key ORDER BY item_assignee.position)) AS assignees,
      item.milestone, item.comments, item.is_draft, item.is_locked,
      strftime('%Y-%m-%dT%H:%M:%SZ', item.created_at, 'unixepoch') AS created_at,
      strftime('%Y-%m-%dT%H:%M:%SZ', item.updated_at, 'unixepoch') AS updated_at,
      strftime('%Y-%m-%dT%H:%M:%SZ', item.closed_at, 'unixepoch') AS closed_at,
      strftime('%Y-%m-%dT%H:%M:%SZ', item.merged_at, 'unixepoch') AS merged_at,
      json_extract(CAST(item.json AS TEXT), '$.html_url') AS url, CAST(item.json AS TEXT) AS json
    FROM item JOIN repository ON repository.key = item.repository;

    CREATE VIEW comments AS
    SELECT repository.host, repository.full_name AS repository, comment.number, comment.id,
      comment.author, \(SearchIndex.body(of: "comment")) AS body,
      strftime('%Y-%m-%dT%H:%M:%SZ', comment.created_at, 'unixepoch') AS created_at,
      strftime('%Y-%m-%dT%H:%M:%SZ', comment.updated_at, 'unixepoch') AS updated_at,
      json_extract(CAST(comment.json AS TEXT), '$.html_url') AS url,
      CAST(comment.json AS TEXT) AS json
    FROM comment JOIN repository ON repository.key = comment.repository;
    """
}
