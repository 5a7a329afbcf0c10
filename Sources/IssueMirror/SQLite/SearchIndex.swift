package import GRDB
internal import PrivateDatabase

/// The full-text index of titles, bodies and comments: FTS5 tables that don't store text
/// (<https://www.sqlite.org/fts5.html#external_content_tables>). Rebuilding and removing read the text again from
/// `item.title` and the JSON, with U+FFFD in place of U+0000. SQLite and the package's decoder may repair invalid
/// Unicode differently, but ``TokenScanner`` treats both results as separators.
///
/// The row id of an entry is its **place**: the repository's key, followed by the number of the issue or the id of the
/// comment. So a repository is a single range that ends with its newest issues, where a search with very many matches
/// begins. Write rows in this order; otherwise each row becomes a segment that must be merged later.
package enum SearchIndex {
  package static func register(_ db: Database) throws {
    db.add(tokenizer: IssueTokenizer.self)
    db.add(function: NameMatch.function)
    try RankFunction.register(db)
  }

  package static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE item_text USING fts5(
          title, body, content = 'item_source', content_rowid = 'place',
          tokenize = '\(IssueTokenizer.name)');
        CREATE VIRTUAL TABLE comment_text USING fts5(
          body, content = 'comment_source', content_rowid = 'place',
          tokenize = '\(IssueTokenizer.name)');
        """)
    // Leaves of half a file page, merges of eight segments, and memory for a whole transaction save a third of the time
    // of a first sync (https://www.sqlite.org/fts5.html#special_insert_commands; only the source code documents
    // `hashsize`).
    for table in tables {
      try db.execute(
        sql: """
          INSERT INTO \(table)(\(table), rank)
          VALUES ('pgsz', 8000), ('automerge', 8), ('hashsize', \(4 << 20))
          """)
    }
  }

  static let sources = """
    CREATE VIEW item_source AS
    SELECT \(itemPlace) AS place, title, \(body(of: "item")) AS body FROM item;
    CREATE VIEW comment_source AS
    SELECT \(commentPlace) AS place, \(body(of: "comment")) AS body FROM comment;
    """

  /// Whether the index was built with this program's tokenizer and Unicode tables.
  static func isCurrent(_ db: Database) throws -> Bool {
    let version = try String.fetchOne(
      db, sql: "SELECT value FROM property WHERE name = 'search_index'")
    return version == TokenScanner.version
  }

  /// Inserts in the order of places, because FTS5's own command would sort all texts.
  static func rebuild(_ db: Database) throws {
    for table in tables {
      try db.execute(sql: "INSERT INTO \(table)(\(table)) VALUES ('delete-all')")
    }
    let items = try Row.fetchCursor(
      db,
      sql:
        """
        SELECT repository, number, title, \(body(of: "item")) FROM item ORDER BY repository, number
        """)
    while let row = try items.next() {
      try insert(
        item: row.value(1), of: row.value(0), title: row.value(2), body: row.value(3), db)
    }
    let comments = try Row.fetchCursor(
      db,
      sql:
        """
        SELECT repository, id, \(body(of: "comment")) FROM comment ORDER BY repository, id
        """)
    while let row = try comments.next() {
      try insert(comment: row.value(1), of: row.value(0), body: row.value(2), db)
    }
    try db.execute(
      sql: "INSERT OR REPLACE INTO property (name, value) VALUES ('search_index', ?)",
      arguments: [TokenScanner.version])
  }

  /// Indexes an item, whose old entry must be removed first. This doesn't use `INSERT … SELECT`: for several rows,
  /// SQLite opens a savepoint, at which FTS5 flushes, so that each entry would become a segment. That would take a
  /// third of the time of a first sync.
  package static func insert(
    item number: Int, of repository: Int64, title: String, body: String?, _ db: Database
  ) throws {
    try db.cachedStatement(sql: "INSERT INTO item_text(rowid, title, body) VALUES (?, ?, ?)")
      .execute(arguments: [repository << numberBits | Int64(number), title, body])
  }

  /// Removes an entry, unless it already has the given text. Call this before the row changes.
  @discardableResult
  package static func remove(
    item key: Int64, unlessIs text: (title: String, body: String?)? = nil, _ db: Database
  ) throws -> Bool {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(itemPlace), title, \(body(of: "item")) FROM item WHERE key = ?"),
      arguments: [key])
    guard let row else { return false }
    if let text, isSame(row[1], text.title), isSame(row[2], text.body) { return false }
    try db.cachedStatement(
      sql: "INSERT INTO item_text(item_text, rowid, title, body) VALUES ('delete', ?, ?, ?)"
    ).execute(arguments: StatementArguments(row.databaseValues))
    return true
  }

  /// Compares byte for byte, because Swift considers canonically equivalent strings equal.
  private static func isSame(_ stored: DatabaseValue, _ text: String?) -> Bool {
    guard let text else { return stored.isNull }
    return String.fromDatabaseValue(stored)?.utf8.elementsEqual(text.utf8) ?? false
  }

  package static func insert(
    comment id: Int64, of repository: Int64, body: String?, _ db: Database
  ) throws {
    try db.cachedStatement(sql: "INSERT INTO comment_text(rowid, body) VALUES (?, ?)")
      .execute(arguments: [repository << commentBits | id, body])
  }

  @discardableResult
  package static func remove(
    comment key: Int64, unlessIs text: String?? = nil, _ db: Database
  ) throws -> Bool {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(commentPlace), \(body(of: "comment")) FROM comment WHERE key = ?"),
      arguments: [key])
    guard let row else { return false }
    if let text, isSame(row[1], text) { return false }
    try db.cachedStatement(
      sql: "INSERT INTO comment_text(comment_text, rowid, body) VALUES ('delete', ?, ?)"
    ).execute(arguments: StatementArguments(row.databaseValues))
    return true
  }

  /// Throws `SQLITE_CORRUPT` if the index doesn't match the texts.
  package static func check(_ db: Database) throws {
    for table in tables {
      try db.execute(sql: "INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
    }
  }

  static let tables = ["item_text", "comment_text"]

  /// Merges a table's segments for a few milliseconds, which discards removed entries
  /// (<https://www.sqlite.org/fts5.html#the_merge_command>). Returns whether the merge is complete.
  static func compact(_ table: String, isFirst: Bool, _ db: Database) throws -> Bool {
    let before = db.totalChangesCount
    try db.execute(
      sql: "INSERT INTO \(table)(\(table), rank) VALUES ('merge', \(isFirst ? -200 : 200))")
    return db.totalChangesCount - before < 2
  }

  static let numberBits = Int64(bits(of: Int64(FeedPage.Entry.largestNumber)))
  static let commentBits = Int64(bits(of: FeedPage.Entry.largestCommentID))

  private static func bits(of number: Int64) -> Int { Int64.bitWidth - number.leadingZeroBitCount }

  static let itemRow = """
    item.repository = (item_text.rowid >> \(numberBits))
    AND item.number = (item_text.rowid & \((1 << numberBits) - 1))
    """
  static let commentRow = """
    comment.repository = (comment_text.rowid >> \(commentBits))
    AND comment.id = (comment_text.rowid & \((1 << commentBits) - 1))
    """

  static func items(of repository: Int64) -> ClosedRange<Int64> {
    let first = repository << numberBits
    return first...first + (1 << numberBits) - 1
  }

  static func comments(of repository: Int64) -> ClosedRange<Int64> {
    let first = repository << commentBits
    return first...first + (1 << commentBits) - 1
  }

  private static let itemPlace = "(repository << \(numberBits) | number)"
  private static let commentPlace = "(repository << \(commentBits) | id)"

  static func body(of table: String) -> String { text("body", of: table) }

  /// Replaces U+0000, at which SQLite's functions end a string, with U+FFFD. `\\` is replaced first, because `\\u0000`
  /// isn't that character.
  static func text(_ name: String, of table: String) -> String {
    let json = "CAST(\(table).json AS TEXT)"
    return """
      json_extract(CASE WHEN \(table).is_abridged
        THEN replace(replace(\(json), '\\\\', '\\u005c'), '\\u0000', '\\ufffd') ELSE \(json) END, '$.\(name)')
      """
  }
}

/// The tokenizer of one table and connection, and therefore of one thread:
/// <https://www.sqlite.org/fts5.html#custom_tokenizers>.
final class IssueTokenizer: FTS5CustomTokenizer {
  static let name = "issues"
  private let scanner = TokenScanner()

  init(db: Database, arguments: [String]) {}

  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    guard let pText = unsafe pText, nText > 0 else { return TokenScanner.proceed }
    let bytes = unsafe UnsafeRawBufferPointer(start: pText, count: Int(nText))
    return unsafe bytes.withMemoryRebound(to: UInt8.self) { text in
      unsafe scanner.scan(text) { token, isColocated, source in
        unsafe UnsafeRawBufferPointer(token).withMemoryRebound(to: CChar.self) { token in
          unsafe tokenCallback(
            context, isColocated ? FTS5TokenFlags.colocated.rawValue : 0, token.baseAddress,
            CInt(token.count), CInt(source.lowerBound), CInt(source.upperBound))
        }
      }
    }
  }
}
