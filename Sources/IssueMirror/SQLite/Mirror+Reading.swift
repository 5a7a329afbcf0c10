internal import GRDB
public import GitHubAPI
internal import PlatformModules
internal import PrivateDatabase

extension Mirror {
  /// All repositories in the mirror, ordered by host and name.
  public func repositories() async throws(MirrorFailure) -> [MirroredRepository] {
    try await reading { db in
      // Omits the JSON, which is most of the row. Reading a row in place finds its columns faster than reading a copy.
      try Array(
        Row.fetchCursor(
          db,
          sql: """
            SELECT key, host, id, full_name, synced_to, comments_synced_to, checked_at,
              comments_checked_at, verified_at, timelines_checked_at, timelines_missing_at
            FROM repository ORDER BY host, full_name, key
            """
        ).map { try MirroredRepository($0) })
    }
  }

  /// Finds a repository by its present name or a previously synced one, ignoring case.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - server: The server.
  /// - Returns: The repository that most recently had the name; nil if the mirror doesn't have it.
  /// - Throws: ``MirrorFailure``.
  public func repository(
    named name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository? {
    let host = server.host
    return try await reading { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM repository WHERE key = \(MirroredRepository.keyByName)",
        arguments: [host, name.description]
      ).map { try MirroredRepository($0) }
    }
  }

  package func repository(
    presentlyNamed name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository? {
    let host = server.host
    return try await reading { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT * FROM repository WHERE host = ? AND full_name = ?
          ORDER BY naming DESC, key DESC
          """, arguments: [host, name.description]
      ).map { try MirroredRepository($0) }
    }
  }

  /// The known milestones of a repository: those in its list, and those of its issues.
  ///
  /// - Parameter repository: The repository.
  /// - Returns: Their numbers and titles, ordered by number.
  /// - Throws: ``MirrorFailure``.
  public func milestones(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [GitHub.Milestone] {
    try await reading { db in
      try Row.fetchAll(
        db, sql: "SELECT number, title FROM milestone WHERE repository = ? ORDER BY number",
        arguments: [repository.id]
      ).compactMap { row in
        guard let title = String.fromDatabaseValue(row["title"]) else { return nil }
        return GitHub.Milestone(number: Int.fromDatabaseValue(row["number"]), title: title)
      }
    }
  }

  /// Each list is limited to a thousand names.
  package func names(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> NamesInUse {
    try await reading { db in
      func names(_ sql: String) throws -> [String] {
        try String.fetchAll(
          db, sql: "\(sql) LIMIT 1000", arguments: [repository.id])
      }
      var known = NamesInUse()
      known.labels = try names(
        """
        SELECT name FROM label LEFT JOIN item_label ON item_label.label = label.key
        WHERE repository = ? GROUP BY label.key ORDER BY count(item_label.item) DESC, name
        """)
      known.milestones = try names(
        "SELECT title FROM milestone WHERE repository = ? ORDER BY state DESC, number DESC")
      known.authors = try names(
        """
        SELECT author FROM item WHERE repository = ? AND author IS NOT NULL
        GROUP BY author ORDER BY count(*) DESC, author
        """)
      known.assignees = try names(
        """
        SELECT user.login FROM item CROSS JOIN item_assignee ON item_assignee.item = item.key
        CROSS JOIN user ON user.key = item_assignee.user
        WHERE item.repository = ? GROUP BY user.key ORDER BY count(*) DESC, user.login
        """)
      return known
    }
  }

  /// Lists issues as the server would list them.
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - filter: The issues to list, and their order.
  ///   - limit: The most issues to return; nil for no limit.
  ///   - includesPullRequests: Whether to include pull requests, as the server's lists do.
  /// - Returns: The issues, in the filter's order.
  /// - Throws: ``MirrorFailure``.
  public func issues(
    of repository: MirroredRepository, filter: IssueFilter = IssueFilter(), limit: Int? = nil,
    includesPullRequests: Bool = false
  ) async throws(MirrorFailure) -> [GitHub.Issue] {
    try await sentIssues(
      of: repository, filter: filter, limit: limit, includesPullRequests: includesPullRequests
    ).map(\.entity)
  }

  package func sentIssues(
    of repository: MirroredRepository, filter: IssueFilter, limit: Int?, includesPullRequests: Bool
  ) async throws(MirrorFailure) -> [Sent<GitHub.Issue>] {
    let list = MirrorList(
      repository: repository, filter: filter, limit: limit,
      includesPullRequests: includesPullRequests)
    return try await reading { db in
      let statement = try db.cachedStatement(sql: "SELECT number, json FROM item WHERE key = ?")
      return try list.keys(db).compactMap { key in
        guard let row = try Row.fetchOne(statement, arguments: [key]) else { return nil }
        let number: Int = try row.value(0)
        return try GitHubJSON.decodeKept(Sent<GitHub.Issue>.self, row.value(1), "issue \(number)")
      }
    }
  }

  /// Returns an issue or a pull request by number; nil if the mirror doesn't have it.
  public func issue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> GitHub.Issue? {
    try await sentIssue(number, of: repository)?.entity
  }

  package func sentIssue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Sent<GitHub.Issue>? {
    try await reading { db in
      let json = try Data.fetchOne(
        db, sql: "SELECT json FROM item WHERE repository = ? AND number = ?",
        arguments: [repository.id, number])
      return try json.map {
        try GitHubJSON.decodeKept(Sent<GitHub.Issue>.self, $0, "issue \(number)")
      }
    }
  }

  /// The comments on an issue or a pull request, oldest first; empty if comments aren't synced
  /// (``MirroredRepository/commentsSyncedTo``).
  public func comments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [IssueComment] {
    try await sentComments(on: number, of: repository).map(\.entity)
  }

  package func sentComments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Sent<IssueComment>] {
    try await reading { db in
      try Data.fetchAll(
        db,
        sql: """
          SELECT json FROM comment WHERE repository = ? AND number = ? ORDER BY created_at, id
          """, arguments: [repository.id, number]
      ).map {
        try GitHubJSON.decodeKept(Sent<IssueComment>.self, $0, "a comment on issue \(number)")
      }
    }
  }

  /// Counts issues, pull requests and comments.
  public func counts(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> MirrorCounts {
    try await reading { db in
      var counts = MirrorCounts()
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*), ifnull(sum(is_pull_request), 0), ifnull(sum(state = 'open'), 0),
            ifnull(sum(state = 'open' AND is_pull_request), 0)
          FROM item WHERE repository = ?
          """, arguments: [repository.id])
      if let row {
        let (all, open): (Int, Int) = (try row.value(0), try row.value(2))
        counts.pullRequests = try row.value(1)
        counts.openPullRequests = try row.value(3)
        counts.open = open - counts.openPullRequests
        counts.closed = all - open - (counts.pullRequests - counts.openPullRequests)
      }
      counts.comments = try Self.count("comment", repository, db)
      counts.tombstones = try Self.count("tombstone", repository, db)
      return counts
    }
  }

  private static func count(
    _ table: String, _ repository: MirroredRepository, _ db: Database
  ) throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM \(table) WHERE repository = ?", arguments: [repository.id])
      ?? 0
  }
}

extension MirroredRepository {
  /// Argument 1 is the host, and 2 the name. If two repositories have had a name, it belongs to the one recorded last.
  static let keyByName = """
    ifnull(
      (SELECT key FROM repository WHERE host = ?1 AND full_name = ?2
       ORDER BY naming DESC, key DESC LIMIT 1),
      (SELECT repository FROM former_name WHERE host = ?1 AND name = ?2))
    """

  static func named(
    _ names: [RepositoryName], among repositories: [MirroredRepository], _ db: Database
  ) throws -> [MirroredRepository] {
    guard !names.isEmpty else { return repositories }
    var keys: Set<Int64> = []
    for host in Set(repositories.map(\.host)) {
      for name in names {
        let key = try Int64.fetchOne(
          db, sql: "SELECT \(keyByName)", arguments: [host, name.description])
        if let key { keys.insert(key) }
      }
    }
    return repositories.filter { keys.contains($0.id) }
  }

  init(_ row: Row) throws {
    try self.init(
      id: row.value("key"), host: row.value("host"), serverID: row.value("id"),
      fullName: row.value("full_name"), syncedTo: Date(seconds: row.value("synced_to")),
      commentsSyncedTo: Date(seconds: row.value("comments_synced_to")),
      checkedAt: Date(seconds: row.value("checked_at")),
      commentsCheckedAt: Date(seconds: row.value("comments_checked_at")),
      verifiedAt: Date(seconds: row.value("verified_at")))
    timelinesCheckedAt = Date(seconds: try row.value("timelines_checked_at"))
    lacksTimelinesSince = Date(seconds: try row.value("timelines_missing_at"))
  }
}
