public import IssueMirror
internal import PlatformModules

extension PostgresMirror {
  /// All repositories in the mirror, ordered by host and name.
  public func repositories() async throws(MirrorFailure) -> [MirroredRepository] {
    try await reading { db in
      try db.rows(
        "SELECT \(MirroredRepository.columns) FROM repository ORDER BY host, name_key, key"
      ).map { try MirroredRepository($0) }
    }
  }

  /// Finds a repository by its present name or a previously synced one, ignoring case.
  public func repository(
    named name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository? {
    let host = server.host
    return try await reading { db in
      guard let key = try Self.key(of: name, on: host, db) else { return nil }
      return try db.first(
        "SELECT \(MirroredRepository.columns) FROM repository WHERE key = \(key)"
      ).map { try MirroredRepository($0) }
    }
  }

  /// If two repositories have had a name, it belongs to the one recorded last.
  static func key(
    of name: RepositoryName, on host: String, _ db: PostgresSession
  ) throws -> Int64? {
    let name = name.description.lowercased()
    return try db.first(
      """
      SELECT coalesce(
        (SELECT key FROM repository WHERE host = \(host) AND name_key = \(name)
         ORDER BY naming DESC, key DESC LIMIT 1),
        (SELECT repository FROM former_name WHERE host = \(host) AND name_key = \(name)))
      """)?.value(0) ?? nil
  }

  static func named(
    _ names: [RepositoryName], among repositories: [MirroredRepository], _ db: PostgresSession
  ) throws -> [MirroredRepository] {
    guard !names.isEmpty else { return repositories }
    var keys: Set<Int64> = []
    for host in Set(repositories.map(\.host)) {
      for name in names {
        if let key = try key(of: name, on: host, db) { keys.insert(key) }
      }
    }
    return repositories.filter { keys.contains($0.id) }
  }

  package func repository(
    presentlyNamed name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository? {
    let (host, name) = (server.host, name.description.lowercased())
    return try await reading { db in
      try db.first(
        """
        SELECT \(MirroredRepository.columns) FROM repository
        WHERE host = \(host) AND name_key = \(name) ORDER BY naming DESC, key DESC LIMIT 1
        """
      ).map { try MirroredRepository($0) }
    }
  }

  package func description(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> GitHub.Repository? {
    try await reading { db in
      try db.first("SELECT json FROM repository WHERE key = \(repository.id)").map { row in
        try GitHubJSON.decodeKept(GitHub.Repository.self, row.value(0), repository.fullName)
      }
    }
  }

  /// The known milestones of a repository: those in its list, and those of its issues.
  public func milestones(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [GitHub.Milestone] {
    try await reading { db in
      try db.rows(
        "SELECT number, title FROM milestone WHERE repository = \(repository.id) ORDER BY number"
      ).map { GitHub.Milestone(number: try $0.value(0), title: try $0.value(1)) }
    }
  }

  /// Each list is limited to a thousand names.
  package func names(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> NamesInUse {
    try await reading { db in
      var known = NamesInUse()
      known.labels = try db.column(
        """
        SELECT name FROM label LEFT JOIN (
          SELECT name_key, count(*) AS uses FROM item, unnest(label_keys) AS name_key
          WHERE repository = \(repository.id) GROUP BY name_key) AS used USING (name_key)
        WHERE repository = \(repository.id) ORDER BY uses DESC NULLS LAST, name LIMIT 1000
        """)
      known.milestones = try db.column(
        """
        SELECT title FROM milestone WHERE repository = \(repository.id)
        ORDER BY state DESC NULLS LAST, number DESC LIMIT 1000
        """)
      known.authors = try db.column(
        """
        SELECT max(author) FROM item
        WHERE repository = \(repository.id) AND author_key IS NOT NULL
        GROUP BY author_key ORDER BY count(*) DESC, author_key LIMIT 1000
        """)
      known.assignees = try db.column(
        """
        SELECT login FROM person JOIN (
          SELECT login_key, count(*) AS uses FROM item, unnest(assignee_keys) AS login_key
          WHERE repository = \(repository.id) GROUP BY login_key) AS used USING (login_key)
        WHERE host = \(repository.host) ORDER BY uses DESC, login_key LIMIT 1000
        """)
      return known
    }
  }

  /// Lists issues as the server would list them.
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
      try db.rows(list.selection("item.number, item.json")).map { row in
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
      try Self.json(of: [number], repository, db)[number].map {
        try GitHubJSON.decodeKept(Sent<GitHub.Issue>.self, $0, "issue \(number)")
      }
    }
  }

  static func json(
    of numbers: [Int], _ repository: MirroredRepository, _ db: PostgresSession
  ) throws -> [Int: Data] {
    let rows = try db.rows(
      """
      SELECT number, json FROM item
      WHERE repository = \(repository.id) AND number = ANY (\(numbers))
      """)
    return try Dictionary(
      rows.map { (try $0.value(0), try $0.value(1)) }, uniquingKeysWith: { $1 })
  }

  /// The comments on an issue or a pull request, oldest first; empty if comments aren't synced.
  public func comments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [IssueComment] {
    try await sentComments(on: number, of: repository).map(\.entity)
  }

  package func sentComments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Sent<IssueComment>] {
    try await reading { db in
      let documents: [Data] = try db.column(
        """
        SELECT json FROM comment WHERE repository = \(repository.id) AND number = \(number)
        ORDER BY created_at NULLS FIRST, id
        """)
      return try documents.map {
        try GitHubJSON.decodeKept(Sent<IssueComment>.self, $0, "a comment on issue \(number)")
      }
    }
  }

  /// Counts issues, pull requests and comments.
  public func counts(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> MirrorCounts {
    try await reading { db in
      let row = try db.first(
        """
        SELECT
          count(*) FILTER (WHERE NOT is_pull_request AND state = 'open'),
          count(*) FILTER (WHERE NOT is_pull_request AND state <> 'open'),
          count(*) FILTER (WHERE is_pull_request),
          count(*) FILTER (WHERE is_pull_request AND state = 'open'),
          (SELECT count(*) FROM comment WHERE repository = \(repository.id)),
          (SELECT count(*) FROM tombstone WHERE repository = \(repository.id))
        FROM item WHERE repository = \(repository.id)
        """)
      guard let row else { return MirrorCounts() }
      return MirrorCounts(
        open: try row.value(0), closed: try row.value(1), pullRequests: try row.value(2),
        openPullRequests: try row.value(3), comments: try row.value(4),
        tombstones: try row.value(5))
    }
  }

  /// The issues of a repository that were deleted or transferred after they were mirrored, ordered by number.
  public func tombstones(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Tombstone] {
    try await reading { db in
      try db.rows(
        """
        SELECT number, title, moved_to, found_at FROM tombstone
        WHERE repository = \(repository.id) ORDER BY number
        """
      ).map { row in
        let address: String? = try row.value(2)
        let found: Int = try row.value(3)
        return Tombstone(
          number: try row.value(0), title: try row.value(1),
          fate: address.map { .transferred(to: $0) } ?? .deleted,
          foundAt: Date(timeIntervalSince1970: TimeInterval(found)))
      }
    }
  }

  /// The entries of a repository that couldn't be read, ordered by number. Every verification requests them again.
  public func setAside(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [SetAsideEntry] {
    try await reading { db in
      try db.rows(
        """
        SELECT number, CASE WHEN timeline = 'comments' THEN id END, reason FROM set_aside
        WHERE repository = \(repository.id) ORDER BY number, timeline DESC, id
        """
      ).map { row in
        SetAsideEntry(
          number: try row.value(0), commentID: try row.value(1), reason: try row.value(2))
      }
    }
  }

  package func setAsideCounts() async throws(MirrorFailure) -> [MirroredRepository.ID: Int] {
    try await reading { db in
      var counts: [MirroredRepository.ID: Int] = [:]
      let rows = try db.rows("SELECT repository, count(*) FROM set_aside GROUP BY repository")
      for row in rows { counts[try row.value(0)] = try row.value(1) }
      return counts
    }
  }

  package func listing(
    _ selection: MirrorListing.Selection, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> MirrorListing {
    try await reading { db in
      switch selection {
      case .filter(let filter):
        let list = MirrorList(
          repository: repository, filter: filter, includesPullRequests: false)
        return MirrorListing(
          repository: repository,
          numbers: try db.column(list.selection("item.number")))
      case .search(let query):
        let searched = try Self.named(query.repositories, among: [repository], db)
        if searched.isEmpty { return MirrorListing(repository: repository, numbers: []) }
        let found = try PostgresSearch(query, in: [repository.id], db)
          .found(limit: .max, db)
        return MirrorListing(
          repository: repository, numbers: found.hits.map(\.number),
          isExhaustive: found.isExhaustive)
      }
    }
  }

  package func issues(
    _ rows: Range<Int>, of listing: MirrorListing
  ) async throws(MirrorFailure) -> [GitHub.Issue] {
    let numbers = Array(listing.numbers[rows.clamped(to: listing.numbers.indices)])
    return try await reading { db in
      let documents = try Self.json(of: numbers, listing.repository, db)
      return try numbers.compactMap { number in
        try documents[number].map {
          try GitHubJSON.decodeKept(GitHub.Issue.self, $0, "issue \(number)")
        }
      }
    }
  }
}

extension MirrorList {
  func selection(_ columns: PostgresSQL) -> PostgresSQL {
    let conditions = PostgresConditions(
      SearchQuery(filter, includesPullRequests: includesPullRequests))
    return """
      SELECT \(columns) FROM item
      WHERE item.repository = \(repository.id)\(conditions.conjunction)
      ORDER BY \(conditions.order) LIMIT \(limit.map { max($0, 0) })
      """
  }
}
