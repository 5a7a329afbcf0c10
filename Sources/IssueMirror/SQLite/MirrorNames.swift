internal import GRDB
public import IssueTracker
internal import PrivateDatabase

/// The names in the mirror, for shell completion. Reading doesn't wait, and doesn't write to the mirror.
///
/// The names come unchanged from their authors; escape them before you show them.
public struct MirrorNames: Sendable {
  /// The number and the title of an issue.
  public struct NumberedTitle: Hashable, Sendable, Identifiable {
    /// The number.
    public let number: Int
    /// The title.
    public let title: String

    /// The number.
    public var id: Int { number }
  }

  private let database: DatabaseQueue

  /// Opens the mirror at a path.
  ///
  /// - Throws: ``MirrorFailure`` if the mirror doesn't exist or can't be read.
  public init(path: String) throws(MirrorFailure) {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .immediateError
    configuration.prepareDatabase { try $0.defend() }
    do {
      database = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

  /// The repositories, the most recently synced first.
  public func repositories() async -> [(host: String, fullName: String)] {
    await rows("SELECT host, full_name FROM repository ORDER BY checked_at DESC") {
      (try $0.value(0), try $0.value(1))
    }
  }

  /// The issues whose numbers begin with the given digits: open ones first, then the newest first.
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - server: Its server.
  ///   - prefix: The digits; an empty prefix matches all issues, but not pull requests.
  ///   - limit: The most issues to return.
  /// - Returns: The numbers and titles; empty if the repository isn't mirrored.
  public func numbers(
    of repository: RepositoryName, on server: GitHubServer, prefix: String, limit: Int
  ) async -> [NumberedTitle] {
    guard let ranges = Self.ranges(prefix) else { return [] }
    let conditions = ranges.map { _ in "number BETWEEN ? AND ?" }.joined(separator: " OR ")
    let bounds = StatementArguments(ranges.flatMap { [$0.lowerBound, $0.upperBound] })
    // The inner query sorts the keys by an index, which doesn't contain titles.
    let sql = """
      SELECT number, title FROM item WHERE key IN (
        SELECT key FROM item WHERE repository = \(MirroredRepository.keyByName) AND (\(conditions))
          \(prefix.isEmpty ? "AND is_pull_request = 0" : "")
        ORDER BY state DESC, created_at DESC, number DESC LIMIT ?)
      ORDER BY state DESC, created_at DESC, number DESC
      """
    return await rows(sql, [server.host, "\(repository)"] + bounds + [limit]) {
      NumberedTitle(number: try $0.value(0), title: try $0.value(1))
    }
  }

  /// The labels whose names begin with a prefix, ignoring case, in alphabetical order.
  public func labels(
    of repository: RepositoryName, on server: GitHubServer, prefix: String
  ) async -> [(name: String, description: String?)] {
    await rows(
      """
      SELECT name, description FROM label WHERE repository = \(MirroredRepository.keyByName) AND name LIKE ? ESCAPE '\\'
      ORDER BY name
      """, [server.host, "\(repository)", Self.pattern(prefix)]
    ) { (try $0.value(0), try $0.value(1)) }
  }

  /// The milestones whose titles begin with a prefix, ignoring case, open ones first.
  public func milestones(
    of repository: RepositoryName, on server: GitHubServer, prefix: String
  ) async -> [NumberedTitle] {
    await rows(
      """
      SELECT number, title FROM milestone WHERE repository = \(MirroredRepository.keyByName) AND title LIKE ? ESCAPE '\\'
      ORDER BY state DESC, title
      """, [server.host, "\(repository)", Self.pattern(prefix)]
    ) { NumberedTitle(number: try $0.value(0), title: try $0.value(1)) }
  }

  /// The logins that begin with a prefix, ignoring case, ordered by the number of issues they opened, highest first.
  public func authors(
    of repository: RepositoryName, on server: GitHubServer, prefix: String, limit: Int
  ) async -> [String] {
    await rows(
      """
      SELECT author FROM item WHERE repository = \(MirroredRepository.keyByName) AND author LIKE ? ESCAPE '\\'
      GROUP BY author ORDER BY COUNT(*) DESC, author LIMIT ?
      """, [server.host, "\(repository)", Self.pattern(prefix), limit]
    ) { try $0.value(0) }
  }

  /// The logins that begin with a prefix, ignoring case, ordered by the number of their assignments, highest first.
  public func assignees(
    of repository: RepositoryName, on server: GitHubServer, prefix: String, limit: Int
  ) async -> [String] {
    await rows(
      """
      SELECT user.login FROM item JOIN item_assignee ON item_assignee.item = item.key
        JOIN user ON user.key = item_assignee.user
      WHERE item.repository = \(MirroredRepository.keyByName) AND user.login LIKE ? ESCAPE '\\'
      GROUP BY user.key ORDER BY COUNT(*) DESC, user.login LIMIT ?
      """, [server.host, "\(repository)", Self.pattern(prefix), limit]
    ) { try $0.value(0) }
  }

  /// The organization's fields whose names begin with a prefix, ignoring case, the most frequent first, counted in the
  /// thousand most recently changed issues.
  public func fields(
    of repository: RepositoryName, on server: GitHubServer, prefix: String, limit: Int
  ) async -> [String] {
    await rows(
      """
      SELECT json_extract(
          CASE entry.type WHEN 'object' THEN entry.value END, '$.issue_field_name') AS name
      FROM (
          SELECT key FROM item WHERE repository = \(MirroredRepository.keyByName) ORDER BY updated_at DESC LIMIT 1000
        ) AS recent JOIN item ON item.key = recent.key
          AND instr(item.json, CAST('"issue_field_values"' AS BLOB)) > 0,
        json_each(CAST(item.json AS TEXT), '$.issue_field_values') AS entry
      WHERE name LIKE ? ESCAPE '\\'
      GROUP BY name ORDER BY COUNT(*) DESC, name LIMIT ?
      """, [server.host, "\(repository)", Self.pattern(prefix), limit]
    ) { try $0.value(0) }
  }

  private func rows<Value: Sendable>(
    _ sql: String, _ arguments: StatementArguments = [],
    _ value: @escaping @Sendable (Row) throws -> Value
  ) async -> [Value] {
    let read = try? await database.read { db in
      try Row.fetchAll(db, sql: sql, arguments: arguments).map(value)
    }
    return read ?? []
  }

  private static func pattern(_ prefix: String) -> String {
    let escaped = prefix.map { ["%", "_", "\\"].contains($0) ? "\\\($0)" : "\($0)" }
    return escaped.joined() + "%"
  }

  static func ranges(_ prefix: String) -> [ClosedRange<Int>]? {
    guard !prefix.isEmpty else { return [1...Int(UInt32.max)] }
    guard prefix.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let first = Int(prefix), (1...Int(UInt32.max)).contains(first), prefix.first != "0"
    else { return nil }
    var ranges = [first...first]
    while let last = ranges.last, last.upperBound < Int(UInt32.max) {
      ranges.append(last.lowerBound * 10...last.upperBound * 10 + 9)
    }
    return ranges
  }
}
