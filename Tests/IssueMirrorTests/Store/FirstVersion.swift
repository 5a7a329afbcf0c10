import GRDB
import PlatformModules
import TestSupport

@testable import IssueMirror

/// A mirror as the first version made it.
enum FirstVersion {
  /// Makes a file with one repository, `a/b`, of which something is kept.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - items: The issues and pull requests as the server sent them, by their numbers.
  ///   - comments: The texts of comments on issue 1, by their ids.
  /// - Throws: `DatabaseError`.
  static func make(
    at path: String, items: [Int: String], comments: [Int64: String] = [:]
  ) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL")
      try SearchIndex.register(db)
    }
    let database = try DatabasePool(path: path, configuration: configuration)
    try database.write { db in
      try db.execute(sql: tables)
      try db.execute(
        sql: """
          INSERT INTO repository (host, id, full_name, json, seen_at)
          VALUES ('github.com', 1, 'a/b', CAST('{"id":1,"full_name":"a/b"}' AS BLOB), 1790000000)
          """)
      for (number, json) in items.sorted(by: { $0.key < $1.key }) {
        try insert(number, json, db)
      }
      for (id, text) in comments {
        let json = #"{"id":\#(id),"body":"\#(text)"}"#
        try db.execute(
          sql: """
            INSERT INTO comment (repository, id, number, updated_at, seen_at, json)
            VALUES (1, ?, 1, 1790000000, 1790000000, CAST(? AS BLOB))
            """, arguments: [id, json])
      }
      for table in ["item", "comment"] {
        try db.execute(sql: "INSERT INTO \(table)_text(\(table)_text) VALUES ('rebuild')")
      }
      try db.execute(sql: "PRAGMA application_id = 0x49535545; PRAGMA user_version = 1")
    }
    try database.close()
    chmod(path, 0o600)
  }

  private static func insert(_ number: Int, _ json: String, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO item (
          repository, number, id, is_pull_request, state, title, author, comments, created_at,
          updated_at, seen_at, json)
        SELECT 1, ?1, ?1, json_extract(?2, '$.pull_request.url') IS NOT NULL,
          json_extract(?2, '$.state'), json_extract(?2, '$.title'),
          json_extract(?2, '$.user.login'), 0, 1600000000 + ?1, 1700000000, 1790000000,
          CAST(?2 AS BLOB)
        """, arguments: [number, json])
    let key = db.lastInsertedRowID
    let statements = [
      """
      INSERT OR IGNORE INTO label (repository, name, seen_at)
      SELECT 1, value ->> '$.name', 1790000000 FROM json_each(:json, '$.labels') ORDER BY 2
      """,
      """
      INSERT INTO item_label (item, label)
      SELECT :key, label.key FROM json_each(:json, '$.labels')
        JOIN label ON label.name = value ->> '$.name'
      """,
    ]
    for statement in statements {
      var arguments: StatementArguments = ["json": json]
      if statement.contains(":key") { arguments += ["key": key] }
      try db.execute(sql: statement, arguments: arguments)
    }
  }

  /// The statements of that version.
  private static let tables = """
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

    CREATE TABLE former_name (
      host TEXT NOT NULL,
      name TEXT NOT NULL COLLATE NOCASE,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      PRIMARY KEY (host, name)) WITHOUT ROWID;

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

    CREATE VIEW item_source AS
    SELECT (repository << 40 | number) AS place, title,
      json_extract(CAST(json AS TEXT), '$.body') AS body FROM item;
    CREATE VIRTUAL TABLE item_text USING fts5(
      title, body, content = 'item_source', content_rowid = 'place', tokenize = 'issues');
    CREATE VIEW comment_source AS
    SELECT (repository << 44 | id) AS place, json_extract(CAST(json AS TEXT), '$.body') AS body
    FROM comment;
    CREATE VIRTUAL TABLE comment_text USING fts5(
      body, content = 'comment_source', content_rowid = 'place', tokenize = 'issues');
    """
}
