public import IssueMirror
package import PlatformModules

extension PostgresMirror {
  private static let exportPageSize = 200

  /// Reads all stored issues of a repository, page by page. The pages keep a connection until the last one is read or
  /// the iterator is destroyed.
  public func export(
    of repository: MirroredRepository, filter: IssueFilter = IssueFilter(),
    includesPullRequests: Bool = false, includesComments: Bool = false
  ) -> IssuePages<ExportedIssue> {
    let list = MirrorList(
      repository: repository, filter: filter, includesPullRequests: includesPullRequests)
    return pages(of: list, size: Self.exportPageSize) { numbers, db in
      let documents = try Self.json(of: numbers, repository, db)
      let comments =
        includesComments ? try Self.commentDocuments(on: numbers, of: repository, db) : [:]
      return try numbers.compactMap { number in
        try documents[number].map { json in
          ExportedIssue(
            number: number, json: try GitHubJSON.checkKept(json, "issue \(number)"),
            comments: includesComments ? comments[number] ?? [] : nil)
        }
      }
    }
  }

  package func rows(
    of list: MirrorList, pageSize: Int, withAssignees: Bool
  ) -> IssuePages<GitHub.Issue> {
    pages(of: list, size: pageSize) { numbers, db in
      let documents = try Self.json(of: numbers, list.repository, db)
      return try numbers.compactMap { number in
        try documents[number].map {
          try GitHubJSON.decodeKept(GitHub.Issue.self, $0, "issue \(number)")
        }
      }
    }
  }

  package func documents(of list: MirrorList, pageSize: Int) -> IssuePages<Data> {
    pages(of: list, size: pageSize) { numbers, db in
      let documents = try Self.json(of: numbers, list.repository, db)
      return try numbers.compactMap { number in
        try documents[number].map { try GitHubJSON.checkKept($0, "issue \(number)") }
      }
    }
  }

  private func pages<Row: Sendable>(
    of list: MirrorList, size: Int,
    _ read: @escaping @Sendable ([Int], PostgresSession) throws -> [Row]
  ) -> IssuePages<Row> {
    IssuePages { MomentReader(mirror: self, list: list, pageSize: size, read: read) }
  }

  private static func commentDocuments(
    on numbers: [Int], of repository: MirroredRepository, _ db: PostgresSession
  ) throws -> [Int: [Data]] {
    var comments: [Int: [Data]] = [:]
    for row in try db.rows(
      """
      SELECT number, json FROM comment
      WHERE repository = \(repository.id) AND number = ANY (\(numbers))
      ORDER BY number, created_at NULLS FIRST, id
      """)
    {
      let number: Int = try row.value(0)
      let json = try GitHubJSON.checkKept(row.value(1), "a comment on issue \(number)")
      comments[number, default: []].append(json)
    }
    return comments
  }
}

/// Reads in a single transaction, which sees the database at the time of its first statement. The transaction ends with
/// the connection, which is closed with this object.
private struct MomentReader<Row: Sendable>: IssuePageReader {
  private enum State {
    case unread
    case reading(PostgresConnection, ArraySlice<Int>)
    case ended
  }

  private let mirror: PostgresMirror
  private let list: MirrorList
  private let pageSize: Int
  private let read: @Sendable ([Int], PostgresSession) throws -> [Row]
  private var state = State.unread

  init(
    mirror: PostgresMirror, list: MirrorList, pageSize: Int,
    read: @escaping @Sendable ([Int], PostgresSession) throws -> [Row]
  ) {
    self.mirror = mirror
    self.list = list
    self.pageSize = pageSize
    self.read = read
  }

  mutating func next() async throws(MirrorFailure) -> [Row]? {
    let (list, read) = (list, read)
    if case .unread = state {
      if let limit = list.limit, limit <= pageSize {
        state = .ended
        let page = try await mirror.reading { db in try read(Self.numbers(of: list, db), db) }
        return page.isEmpty ? nil : page
      }
    }
    do {
      if case .unread = state {
        let connection = try await mirror.pool.open()
        let numbers = try await connection.run { db in
          try db.begin(.reading)
          return try Self.numbers(of: list, db)
        }
        state = .reading(connection, numbers[...])
      }
      while case .reading(let connection, let rest) = state, !rest.isEmpty {
        let portion = Array(rest.prefix(pageSize))
        state = .reading(connection, rest.dropFirst(pageSize))
        let page = try await connection.run { db in try read(portion, db) }
        if !page.isEmpty { return page }
      }
      state = .ended
      return nil
    } catch {
      throw MirrorFailure(any: error, in: mirror.place)
    }
  }

  private static func numbers(of list: MirrorList, _ db: PostgresSession) throws -> [Int] {
    try db.column(list.selection("item.number"))
  }
}
