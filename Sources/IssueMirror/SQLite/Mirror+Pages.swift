internal import GRDB
public import IssueTracker
package import PlatformModules
internal import PrivateDatabase

extension Mirror {
  static let exportPageSize = 200

  /// Reads all stored issues of a repository, page by page (``IssuePages``).
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - filter: The issues to read, and their order.
  ///   - includesPullRequests: Whether to include pull requests.
  ///   - includesComments: Whether to include comments.
  /// - Returns: The pages. Nothing is read before the first one is requested.
  public func export(
    of repository: MirroredRepository, filter: IssueFilter = IssueFilter(),
    includesPullRequests: Bool = false, includesComments: Bool = false
  ) -> IssuePages<ExportedIssue> {
    pages(
      of: MirrorList(
        repository: repository, filter: filter, includesPullRequests: includesPullRequests),
      size: Self.exportPageSize
    ) { keys, db in
      try Self.entries(of: keys, repository, includesComments: includesComments, db)
    }
  }

  package func rows(
    of list: MirrorList, pageSize: Int, withAssignees: Bool
  ) -> IssuePages<GitHub.Issue> {
    pages(of: list, size: pageSize) { keys, db in
      var reader = try ListedIssueReader(db, withAssignees: withAssignees)
      return try keys.compactMap { try reader.issue($0) }
    }
  }

  package func documents(of list: MirrorList, pageSize: Int) -> IssuePages<Data> {
    pages(of: list, size: pageSize) { keys, db in
      let statement = try db.cachedStatement(sql: "SELECT number, json FROM item WHERE key = ?")
      return try keys.compactMap { key in
        guard let row = try Row.fetchOne(statement, arguments: [key]) else { return nil }
        let number: Int = try row.value(0)
        return try GitHubJSON.checkKept(row.value(1), "issue \(number)")
      }
    }
  }

  private func pages<Row: Sendable>(
    of list: MirrorList, size: Int,
    _ read: @escaping @Sendable ([Int64], Database) throws -> [Row]
  ) -> IssuePages<Row> {
    IssuePages { SnapshotReader(mirror: self, list: list, pageSize: size, read: read) }
  }

  private static func entries(
    of keys: [Int64], _ repository: MirroredRepository, includesComments: Bool, _ db: Database
  ) throws -> [ExportedIssue] {
    let marks = databaseQuestionMarks(count: keys.count)
    let rows = try Row.fetchAll(
      db, sql: "SELECT key, number, json FROM item WHERE key IN (\(marks))",
      arguments: StatementArguments(keys))
    let items = Dictionary(
      uniqueKeysWithValues: try rows.map { row -> (Int64, (number: Int, json: Data)) in
        (try row.value(0), (try row.value(1), try row.value(2)))
      })
    let comments =
      includesComments ? try comments(on: items.values.map(\.number), of: repository, db) : [:]
    return try keys.compactMap { key in
      try items[key].map { item in
        ExportedIssue(
          number: item.number,
          json: try GitHubJSON.checkKept(item.json, "issue \(item.number)"),
          comments: includesComments ? comments[item.number] ?? [] : nil)
      }
    }
  }

  private static func comments(
    on numbers: [Int], of repository: MirroredRepository, _ db: Database
  ) throws -> [Int: [Data]] {
    let marks = databaseQuestionMarks(count: numbers.count)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT number, json FROM comment WHERE repository = ? AND number IN (\(marks))
        ORDER BY number, created_at, id
        """, arguments: [repository.id] + StatementArguments(numbers))
    var comments: [Int: [Data]] = [:]
    while let row = try rows.next() {
      let number: Int = try row.value(0)
      let json = try GitHubJSON.checkKept(row.value(1), "a comment on issue \(number)")
      comments[number, default: []].append(json)
    }
    return comments
  }
}

private struct SnapshotReader<Row: Sendable>: IssuePageReader {
  private enum State {
    case unread
    case reading(DatabaseSnapshot, ReadAhead<Row>, ArraySlice<Int64>)
    case ended
  }

  private let mirror: Mirror
  private let list: MirrorList
  private let pageSize: Int
  private let read: @Sendable ([Int64], Database) throws -> [Row]
  private var state = State.unread

  init(
    mirror: Mirror, list: MirrorList, pageSize: Int,
    read: @escaping @Sendable ([Int64], Database) throws -> [Row]
  ) {
    self.mirror = mirror
    self.list = list
    self.pageSize = pageSize
    self.read = read
  }

  mutating func next() async throws(MirrorFailure) -> [Row]? {
    do {
      let (list, read, database) = (list, read, mirror.database)
      if case .unread = state {
        if let limit = list.limit, limit <= pageSize {
          // A snapshot would use another connection.
          state = .ended
          let page = try await database.read { db in try read(list.keys(db), db) }
          return page.isEmpty ? nil : page
        }
        let snapshot = try await database.read { _ in try database.makeSnapshot() }
        readAhead(in: snapshot, try await snapshot.read { db in try list.keys(db) }[...])
      }
      while case .reading(let snapshot, let ahead, let rest) = state {
        let page = try await ahead.page()
        readAhead(in: snapshot, rest)
        if !page.isEmpty { return page }
      }
      return nil
    } catch {
      throw MirrorFailure(any: error, at: mirror.path)
    }
  }

  private mutating func readAhead(in snapshot: DatabaseSnapshot, _ keys: ArraySlice<Int64>) {
    let (read, portion) = (read, Array(keys.prefix(pageSize)))
    state =
      portion.isEmpty
      ? .ended
      : .reading(
        snapshot,
        ReadAhead { try await snapshot.read { db in try read(portion, db) } },
        keys.dropFirst(pageSize))
  }
}

private final class ReadAhead<Row: Sendable>: Sendable {
  private let task: Task<[Row], any Error>

  init(_ read: @escaping @Sendable () async throws -> [Row]) {
    task = Task { try await read() }
  }

  deinit { task.cancel() }

  func page() async throws -> [Row] {
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
