package import GRDB

/// The full-text index over titles, bodies and comments: FTS5 tables without texts of their own.
///
/// What is indexed is kept once, in `item.title` and in the JSON of items and comments, from where a text is
/// taken again to remove it or to build the index anew: an index entry can only be removed with the text that
/// it was made of (<https://www.sqlite.org/fts5.html#external_content_tables>). SQLite's `json_extract` and
/// the package's decoder may differ in what they put where a string is no Unicode; ``TokenScanner`` takes
/// either for a separator. To either a text ends at a NUL.
///
/// A row is found by its **place**: the repository's key in front of the issue's number, or of the comment's
/// id. So the rows of one repository are one range, and the last rows of a range are its newest issues, which
/// is what a search among very many matches looks at first. Rows that are written in the order of their places
/// are written together; out of order each has a segment of its own to be merged later.
package enum SearchIndex {
  /// Makes the tokenizer and the functions of the search known to a connection, which can't use the tables
  /// without them.
  package static func register(_ db: Database) throws {
    db.add(tokenizer: IssueTokenizer.self)
    db.add(function: NameMatch.function)
    try RankFunction.register(db)
  }

  /// Makes the tables, which stand on `item` and `comment`.
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
    // Leaves that fill half a page of the file, merges of eight segments of a kind, not four, and room for
    // what a transaction adds, which makes one segment then: together a third of the time of a first sync
    // (https://www.sqlite.org/fts5.html#special_insert_commands; `hashsize` is in its source only).
    for table in tables {
      try db.execute(
        sql: """
          INSERT INTO \(table)(\(table), rank)
          VALUES ('pgsz', 8000), ('automerge', 8), ('hashsize', \(4 << 20))
          """)
    }
  }

  /// Whether the index was made with the tokenizer and the Unicode tables of this program.
  static func isCurrent(_ db: Database) throws -> Bool {
    let version = try String.fetchOne(
      db, sql: "SELECT value FROM property WHERE name = 'search_index'")
    return version == TokenScanner.version
  }

  /// Makes the whole index anew.
  ///
  /// In the order of places and entry by entry, not with FTS5's own command, which would sort all texts.
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

  /// Indexes an item; what it had before must be removed by then.
  ///
  /// Single rows of values, not `INSERT … SELECT`: before a statement that can write several rows SQLite opens
  /// a savepoint, at which FTS5 writes what it has gathered, so that each entry would have a segment of its own
  /// (a third of the time of a first sync).
  package static func insert(
    item number: Int, of repository: Int64, title: String, body: String?, _ db: Database
  ) throws {
    try BoundStatement(db, sql: "INSERT INTO item_text(rowid, title, body) VALUES (?, ?, ?)")
      .execute(repository << numberBits | Int64(number), title, body)
  }

  /// Removes an item from the index, before its row changes or goes.
  ///
  /// - Parameters:
  ///   - key: The item.
  ///   - text: The text that it is going to have; nil for none.
  ///   - db: The connection.
  /// - Returns: Whether it was removed: it stays where it has that text.
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

  /// Byte for byte: to Swift a letter with a mark is the same as the marked letter.
  private static func isSame(_ stored: DatabaseValue, _ text: String?) -> Bool {
    guard let text else { return stored.isNull }
    return String.fromDatabaseValue(stored)?.utf8.elementsEqual(text.utf8) ?? false
  }

  /// Indexes a comment; what it had before must be removed by then.
  package static func insert(
    comment id: Int64, of repository: Int64, body: String?, _ db: Database
  ) throws {
    try BoundStatement(db, sql: "INSERT INTO comment_text(rowid, body) VALUES (?, ?)")
      .execute(repository << commentBits | id, body)
  }

  /// Removes a comment from the index, before its row changes or goes.
  ///
  /// - Parameters:
  ///   - key: The comment.
  ///   - text: The text that it is going to have; nil for none.
  ///   - db: The connection.
  /// - Returns: Whether it was removed: it stays where it has that text.
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

  /// Compares the index with what it was made of.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` where they differ.
  package static func check(_ db: Database) throws {
    for table in tables {
      try db.execute(sql: "INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
    }
  }

  /// The tables.
  static let tables = ["item_text", "comment_text"]

  /// Merges what a table has into one segment, a step of some milliseconds at a time, which leaves out what was
  /// removed (<https://www.sqlite.org/fts5.html#the_merge_command>).
  ///
  /// - Returns: Whether that was the last step.
  static func compact(_ table: String, isFirst: Bool, _ db: Database) throws -> Bool {
    let before = db.totalChangesCount
    try db.execute(
      sql: "INSERT INTO \(table)(\(table), rank) VALUES ('merge', \(isFirst ? -200 : 200))")
    return db.totalChangesCount - before < 2
  }

  /// How many bits of a place are the number of an issue.
  static let numberBits = Int64(bits(of: Int64(FeedPage.Entry.largestNumber)))
  /// How many bits of a place are the id of a comment.
  static let commentBits = Int64(bits(of: FeedPage.Entry.largestCommentID))

  private static func bits(of number: Int64) -> Int { Int64.bitWidth - number.leadingZeroBitCount }

  /// The row of `item` that a row of `item_text` was made of.
  static let itemRow = """
    item.repository = (item_text.rowid >> \(numberBits))
    AND item.number = (item_text.rowid & \((1 << numberBits) - 1))
    """
  /// The row of `comment` that a row of `comment_text` was made of.
  static let commentRow = """
    comment.repository = (comment_text.rowid >> \(commentBits))
    AND comment.id = (comment_text.rowid & \((1 << commentBits) - 1))
    """

  /// The places of a repository's issues.
  static func items(of repository: Int64) -> ClosedRange<Int64> {
    let first = repository << numberBits
    return first...first + (1 << numberBits) - 1
  }

  /// The places of a repository's comments.
  static func comments(of repository: Int64) -> ClosedRange<Int64> {
    let first = repository << commentBits
    return first...first + (1 << commentBits) - 1
  }

  private static let itemPlace = "(repository << \(numberBits) | number)"
  private static let commentPlace = "(repository << \(commentBits) | id)"
  static let body = "json_extract(CAST(json AS TEXT), '$.body')"
}

/// ``TokenScanner`` as SQLite calls it: <https://www.sqlite.org/fts5.html#custom_tokenizers>.
///
/// Documents and queries are taken apart alike. SQLite makes one for each table and connection, and a
/// connection is used by one thread at a time.
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
