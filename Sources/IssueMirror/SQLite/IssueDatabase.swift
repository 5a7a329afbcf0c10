internal import GRDB
internal import IssueTracker
internal import PlatformModules

/// A database file of issues for custom queries, separate from the mirror, with plain tables and times as text.
///
/// ```sql
/// CREATE TABLE repository(name, host, synced_to)
/// CREATE TABLE issues(number PRIMARY KEY, kind, state, state_reason, title, body, author, milestone, comments,
///                     created_at, updated_at, closed_at, url)
/// CREATE TABLE labels(name PRIMARY KEY, color, description)
/// CREATE TABLE issue_labels(number, label)
/// CREATE TABLE issue_assignees(number, login)
/// CREATE TABLE comments(id PRIMARY KEY, number, author, body, created_at, updated_at, url)
/// ```
///
/// A database with a search index has two more tables. They use FTS5's own tokenizers, so that every SQLite can read
/// them:
///
/// ```sql
/// CREATE VIRTUAL TABLE issues_fts USING fts5(title, body, content='issues', …)
/// CREATE VIRTUAL TABLE comments_fts USING fts5(body, content='comments', …)
///
/// SELECT number, issues.title FROM issues_fts('crash') JOIN issues ON number = issues_fts.rowid ORDER BY rank
/// ```
///
/// `kind` is `issue` or `pull_request`. Times are in the format `2026-01-31T12:00:00Z`, which SQLite's date functions
/// understand.
public struct IssueDatabase: Sendable {
  private let queue: DatabaseQueue
  private let path: String
  private let isSearchable: Bool

  /// Creates the tables in an empty file. The database is complete when ``finish()`` returns.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - repository: The repository of the issues.
  ///   - isSearchable: Whether to add a full-text index, which stems English words.
  /// - Throws: ``MirrorFailure``; ``MirrorFailure/Code/cannotOpen`` if the file isn't empty.
  public init(
    at path: String, of repository: MirroredRepository, isSearchable: Bool = false
  ) throws(MirrorFailure) {
    self.path = path
    self.isSearchable = isSearchable
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 else {
          throw MirrorFailure(
            .cannotOpen,
            "\(path) is already a database: export to a new file.")
        }
        // An interrupted export is discarded, so a rollback journal isn't needed.
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      }
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { db in
        try db.execute(sql: Self.tables)
        try db.execute(
          sql: "CREATE TEMP TABLE label_time(name TEXT PRIMARY KEY, time INTEGER NOT NULL)")
        try db.execute(
          sql: "INSERT INTO repository VALUES (?, ?, ?)",
          arguments: [
            repository.fullName, repository.host,
            repository.syncedTo.map(Timestamp.string(from:)),
          ])
      }
    } catch {
      throw MirrorFailure(exporting: error, to: path)
    }
  }

  /// Writes issues, and their comments if they were exported.
  public func write(_ entries: [ExportedIssue]) async throws(MirrorFailure) {
    do {
      try await queue.write { db in
        for entry in entries {
          try Self.insert(try entry.issue(), db)
          for comment in try entry.decodedComments() {
            try Self.insert(comment, on: entry.number, db)
          }
        }
      }
    } catch {
      throw MirrorFailure(exporting: error, to: path)
    }
  }

  /// Creates the search index if requested, and closes the file.
  public func finish() async throws(MirrorFailure) {
    do {
      if isSearchable { try await queue.write { db in try db.execute(sql: Self.index) } }
      try queue.close()
    } catch {
      throw MirrorFailure(exporting: error, to: path)
    }
  }

  private static func insert(_ issue: GitHub.Issue, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO issues VALUES (
          ?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      issue.number, issue.isPullRequest ? "pull_request" : "issue", issue.state.rawValue,
      issue.stateReason?.rawValue, whole(issue.title), issue.body.map(whole), issue.user?.login,
      issue.milestone?.title, issue.commentsCount, issue.createdAt.map(Timestamp.string(from:)),
      issue.updatedAt.map(Timestamp.string(from:)), issue.closedAt.map(Timestamp.string(from:)),
      issue.htmlURL,
    ])
    for label in issue.labels {
      try db.cachedStatement(
        sql: """
          INSERT INTO temp.label_time VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET time = excluded.time
          WHERE excluded.time > time
          """
      ).execute(arguments: [label.name, issue.updatedAt?.seconds ?? 0])
      if db.changesCount > 0 {
        try db.cachedStatement(
          sql: """
            INSERT INTO labels VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET
              color = excluded.color, description = excluded.description
            """
        ).execute(arguments: [label.name, label.color, label.description])
      }
      try db.cachedStatement(sql: "INSERT OR IGNORE INTO issue_labels VALUES (?, ?)")
        .execute(arguments: [issue.number, label.name])
    }
    for assignee in issue.assignees {
      try db.cachedStatement(sql: "INSERT OR IGNORE INTO issue_assignees VALUES (?, ?)")
        .execute(arguments: [issue.number, assignee.login])
    }
  }

  private static func insert(_ comment: IssueComment, on number: Int, _ db: Database) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO comments VALUES (?, ?, ?, CAST(? AS TEXT), ?, ?, ?)"
    ).execute(arguments: [
      comment.id, number, comment.user?.login, comment.body.map(whole),
      comment.createdAt.map(Timestamp.string(from:)),
      comment.updatedAt.map(Timestamp.string(from:)), comment.htmlURL,
    ])
  }

  /// Encodes text as bytes, because GRDB ends a string at a NUL.
  private static func whole(_ text: String) -> Data { Data(text.utf8) }

  private static let tables = """
    CREATE TABLE repository(name TEXT NOT NULL, host TEXT NOT NULL, synced_to TEXT);
    CREATE TABLE issues(
      number INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, state_reason TEXT,
      title TEXT NOT NULL, body TEXT, author TEXT, milestone TEXT, comments INTEGER NOT NULL,
      created_at TEXT, updated_at TEXT, closed_at TEXT, url TEXT);
    CREATE TABLE labels(name TEXT PRIMARY KEY, color TEXT, description TEXT);
    CREATE TABLE issue_labels(
      number INTEGER NOT NULL REFERENCES issues, label TEXT NOT NULL REFERENCES labels,
      PRIMARY KEY(number, label)) WITHOUT ROWID;
    CREATE INDEX issue_labels_by_label ON issue_labels(label);
    CREATE TABLE issue_assignees(
      number INTEGER NOT NULL REFERENCES issues, login TEXT NOT NULL,
      PRIMARY KEY(number, login)) WITHOUT ROWID;
    CREATE TABLE comments(
      id INTEGER PRIMARY KEY, number INTEGER NOT NULL REFERENCES issues, author TEXT, body TEXT,
      created_at TEXT, updated_at TEXT, url TEXT);
    CREATE INDEX comments_by_number ON comments(number);
    """

  /// The index doesn't store text.
  /// [sqlite-utils](https://sqlite-utils.datasette.io/en/stable/python-api.html#enabling-full-text-search) uses these
  /// names; Datasette finds the index by its `content`.
  private static let index = """
    CREATE VIRTUAL TABLE issues_fts USING fts5(
      title, body, content='issues', content_rowid='number', tokenize='porter unicode61');
    INSERT INTO issues_fts(issues_fts) VALUES ('rebuild');
    CREATE VIRTUAL TABLE comments_fts USING fts5(
      body, content='comments', content_rowid='id', tokenize='porter unicode61');
    INSERT INTO comments_fts(comments_fts) VALUES ('rebuild');
    """
}

extension MirrorFailure {
  fileprivate init(exporting error: any Error, to path: String) {
    if let error = error as? DatabaseError {
      let reason = error.message ?? "\(error.resultCode)"
      self.init(.notExported, "cannot write to “\(path)”: \(reason)")
    } else {
      self.init(any: error, at: path)
    }
  }
}
