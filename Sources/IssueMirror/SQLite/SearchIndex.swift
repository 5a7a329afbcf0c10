package import GRDB
internal import PrivateDatabase

/// The full-text index over titles, bodies and comments: FTS5 tables without texts of their own.
///
/// The texts are in `item.title` and in the JSON of items and comments. They are read again to rebuild the index, or
/// to remove an entry, which takes the text that it was made of
/// (<https://www.sqlite.org/fts5.html#external_content_tables>). SQLite's `json_extract` and the package's decoder
/// may differ in how they repair invalid Unicode, but ``TokenScanner`` treats both results as separators. For both, a
/// text ends at a NUL.
///
/// The row id of an entry is its **place**: the repository's key followed by the number of the issue or the id of the
/// comment. So a repository is one range of rows, with its newest issues last, where a search with very many matches
/// begins. Write rows in the order of their places: out of order, each becomes a segment that has to be merged later.
package enum SearchIndex {
  /// Registers the tokenizer and the functions that a connection needs to use the tables.
  package static func register(_ db: Database) throws {
    db.add(tokenizer: IssueTokenizer.self)
    db.add(function: NameMatch.function)
    try RankFunction.register(db)
  }

  /// Creates the tables, which read from `item` and `comment`.
  package static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIEW item_source AS
        SELECT \(itemPlace) AS place, title, \(body) AS body FROM item;
        CREATE VIRTUAL TABLE item_text USING fts5(
          title, body, content = 'item_source', content_rowid = 'place',
          tokenize = '\(IssueTokenizer.name)');
        CREATE VIEW comment_source AS
        SELECT \(commentPlace) AS place, \(body) AS body FROM comment;
        CREATE VIRTUAL TABLE comment_text USING fts5(
          body, content = 'comment_source', content_rowid = 'place',
          tokenize = '\(IssueTokenizer.name)');
        """)
    // Leaves that fill half a page of the file; merges of eight segments instead of four; and memory for all that a
    // transaction adds, so that it becomes one segment. Together these save a third of a first sync
    // (https://www.sqlite.org/fts5.html#special_insert_commands; `hashsize` is documented only in the source).
    for table in tables {
      try db.execute(
        sql: """
          INSERT INTO \(table)(\(table), rank)
          VALUES ('pgsz', 8000), ('automerge', 8), ('hashsize', \(4 << 20))
          """)
    }
  }

  /// Whether the index was made with this program's tokenizer and Unicode tables.
  static func isCurrent(_ db: Database) throws -> Bool {
    let version = try String.fetchOne(
      db, sql: "SELECT value FROM property WHERE name = 'search_index'")
    return version == TokenScanner.version
  }

  /// Rebuilds the whole index, in the order of places: FTS5's own command would sort all texts.
  static func rebuild(_ db: Database) throws {
    for table in tables {
      try db.execute(sql: "INSERT INTO \(table)(\(table)) VALUES ('delete-all')")
    }
    let items = try Row.fetchCursor(
      db, sql: "SELECT repository, number, title, \(body) FROM item ORDER BY repository, number")
    while let row = try items.next() {
      try insert(
        item: row.value(1), of: row.value(0), title: row.value(2), body: row.value(3), db)
    }
    let comments = try Row.fetchCursor(
      db, sql: "SELECT repository, id, \(body) FROM comment ORDER BY repository, id")
    while let row = try comments.next() {
      try insert(comment: row.value(1), of: row.value(0), body: row.value(2), db)
    }
    try db.execute(
      sql: "INSERT OR REPLACE INTO property (name, value) VALUES ('search_index', ?)",
      arguments: [TokenScanner.version])
  }

  /// Indexes an item, whose old entry has to be removed first.
  ///
  /// This inserts single rows, not `INSERT … SELECT`. Before a statement that may write several rows, SQLite opens a
  /// savepoint, where FTS5 flushes what it has gathered. Each entry would become a segment (a third of the time of a
  /// first sync).
  package static func insert(
    item number: Int, of repository: Int64, title: String, body: String?, _ db: Database
  ) throws {
    try BoundStatement(db, sql: "INSERT INTO item_text(rowid, title, body) VALUES (?, ?, ?)")
      .execute(repository << numberBits | Int64(number), title, body)
  }

  /// Removes an item from the index, before its row changes or is deleted. The entry stays if it has the given text
  /// already.
  ///
  /// - Returns: Whether it was removed.
  /// - Throws: `DatabaseError`.
  @discardableResult
  package static func remove(
    item key: Int64, unlessIs text: (title: String, body: String?)? = nil, _ db: Database
  ) throws -> Bool {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(itemPlace), title, \(body) FROM item WHERE key = ?"),
      arguments: [key])
    guard let row else { return false }
    if let text, isSame(row[1], text.title), isSame(row[2], text.body) { return false }
    try db.cachedStatement(
      sql: "INSERT INTO item_text(item_text, rowid, title, body) VALUES ('delete', ?, ?, ?)"
    ).execute(arguments: StatementArguments(row.databaseValues))
    return true
  }

  /// Byte for byte: Swift considers canonically equivalent texts equal.
  private static func isSame(_ stored: DatabaseValue, _ text: String?) -> Bool {
    guard let text else { return stored.isNull }
    return String.fromDatabaseValue(stored)?.utf8.elementsEqual(text.utf8) ?? false
  }

  /// Indexes a comment, whose old entry has to be removed first.
  package static func insert(
    comment id: Int64, of repository: Int64, body: String?, _ db: Database
  ) throws {
    try BoundStatement(db, sql: "INSERT INTO comment_text(rowid, body) VALUES (?, ?)")
      .execute(repository << commentBits | id, body)
  }

  /// Removes a comment from the index, before its row changes or is deleted. The entry stays if it has the given text
  /// already.
  ///
  /// - Returns: Whether it was removed.
  /// - Throws: `DatabaseError`.
  @discardableResult
  package static func remove(
    comment key: Int64, unlessIs text: String?? = nil, _ db: Database
  ) throws -> Bool {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(commentPlace), \(body) FROM comment WHERE key = ?"),
      arguments: [key])
    guard let row else { return false }
    if let text, isSame(row[1], text) { return false }
    try db.cachedStatement(
      sql: "INSERT INTO comment_text(comment_text, rowid, body) VALUES ('delete', ?, ?)"
    ).execute(arguments: StatementArguments(row.databaseValues))
    return true
  }

  /// Compares the index with the texts.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if they differ.
  package static func check(_ db: Database) throws {
    for table in tables {
      try db.execute(sql: "INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
    }
  }

  static let tables = ["item_text", "comment_text"]

  /// Merges a table's segments into one, which drops removed entries, for some milliseconds
  /// (<https://www.sqlite.org/fts5.html#the_merge_command>).
  ///
  /// - Returns: Whether the merge is complete.
  static func compact(_ table: String, isFirst: Bool, _ db: Database) throws -> Bool {
    let before = db.totalChangesCount
    try db.execute(
      sql: "INSERT INTO \(table)(\(table), rank) VALUES ('merge', \(isFirst ? -200 : 200))")
    return db.totalChangesCount - before < 2
  }

  /// How many bits of a place hold the number of an issue.
  static let numberBits = Int64(bits(of: Int64(FeedPage.Entry.largestNumber)))
  /// How many bits of a place hold the id of a comment.
  static let commentBits = Int64(bits(of: FeedPage.Entry.largestCommentID))

  private static func bits(of number: Int64) -> Int { Int64.bitWidth - number.leadingZeroBitCount }

  /// Joins `item` to `item_text`.
  static let itemRow = """
    item.repository = (item_text.rowid >> \(numberBits))
    AND item.number = (item_text.rowid & \((1 << numberBits) - 1))
    """
  /// Joins `comment` to `comment_text`.
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
  static let body = "json_extract(CAST(json AS TEXT), '$.body')"
}

/// ``TokenScanner`` as a tokenizer of SQLite, for texts and queries:
/// <https://www.sqlite.org/fts5.html#custom_tokenizers>.
///
/// SQLite makes one for each table and connection, which only one thread at a time uses.
final class IssueTokenizer: FTS5CustomTokenizer {
  static let name = "issues"
  private let scanner = TokenScanner()

  init(db: Database, arguments: [String]) {}

  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    guard let pText, nText > 0 else { return TokenScanner.proceed }
    let bytes = UnsafeRawBufferPointer(start: pText, count: Int(nText))
    return bytes.withMemoryRebound(to: UInt8.self) { text in
      scanner.scan(text) { token, isColocated, source in
        UnsafeRawBufferPointer(token).withMemoryRebound(to: CChar.self) { token in
          tokenCallback(
            context, isColocated ? FTS5TokenFlags.colocated.rawValue : 0, token.baseAddress,
            CInt(token.count), CInt(source.lowerBound), CInt(source.upperBound))
        }
      }
    }
  }
}
