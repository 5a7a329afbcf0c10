internal import GRDB
internal import IssueTracker
public import PlatformModules
internal import PrivateDatabase

extension Mirror {
  /// Computes statistics of a repository's issues at one moment.
  ///
  /// ```swift
  /// let statistics = try await mirror.statistics(of: repository)
  /// for week in statistics.weeks { print(week.start, week.opened, week.closed) }
  /// ```
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - weeks: The number of weeks, from 1 to 10,000, including the current one.
  ///   - now: The current time.
  /// - Returns: The statistics; all counts are zero if the mirror doesn't have any issues.
  /// - Throws: ``MirrorFailure``.
  public func statistics(
    of repository: MirroredRepository, weeks: Int = 12, now: Date = Date()
  ) async throws(MirrorFailure) -> RepositoryStatistics {
    let weeks = RepositoryStatistics.weeks(weeks, to: now)
    return try await reading { db in
      try RepositoryStatistics(
        of: repository, weeks, now,
        from: StatisticsQueries(db: db, repository: repository.id, from: weeks.lowerBound.start))
    }
  }
}

private struct StatisticsQueries: StatisticsReader {
  let db: Database
  let repository: Int64
  let from: Int

  private var arguments: StatementArguments { ["repository": repository, "from": from] }

  func counts() throws -> (open: Int, closed: Int) {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT COALESCE(SUM(state = 'open'), 0), COALESCE(SUM(state <> 'open'), 0) FROM item
        WHERE repository = ? AND is_pull_request = 0
        """, arguments: [repository])
    return (try row?.value(0) ?? 0, try row?.value(1) ?? 0)
  }

  func weekly(_ event: StatisticsEvent) throws -> [CalendarWeek: Int] {
    let own = "item.repository = :repository AND item.is_pull_request = 0"
    func events(_ kind: String) -> String {
      """
      SELECT event.created_at AS time FROM event
        JOIN item ON item.repository = event.repository AND item.number = event.number
      WHERE event.repository = :repository AND kind = '\(kind)' AND event.created_at >= :from
        AND item.is_pull_request = 0
      """
    }
    // A reopened issue may keep its closing time.
    let closed = """
      SELECT closed_at AS time FROM item WHERE \(own) AND state <> 'open' AND closed_at >= :from
      """
    let times =
      switch event {
      case .created: "SELECT created_at AS time FROM item WHERE \(own) AND created_at >= :from"
      case .closed: closed
      case .closings:
        """
        \(events("closed")) UNION ALL
        \(closed) AND NOT EXISTS (
          SELECT 1 FROM event WHERE event.repository = item.repository
            AND event.number = item.number AND kind = 'closed')
        """
      case .reopenings: events("reopened")
      }
    let rows = try Row.fetchAll(
      db, sql: "SELECT (time + :offset) / :length AS week, COUNT(*) FROM (\(times)) GROUP BY week",
      arguments: arguments + ["offset": CalendarWeek.offset, "length": CalendarWeek.length])
    return try Dictionary(
      uniqueKeysWithValues: rows.map { (CalendarWeek(index: try $0.value(0)), try $0.value(1)) })
  }

  func openingTimes() throws -> [Int] {
    try Int.fetchAll(
      db,
      sql: """
        SELECT created_at FROM item
        WHERE repository = ? AND is_pull_request = 0 AND state = 'open' AND created_at IS NOT NULL
        """, arguments: [repository])
  }

  func labels() throws -> [RepositoryStatistics.LabelActivity] {
    try Row.fetchAll(
      db,
      sql: """
        -- Of the items no more is read than an index has: beside the texts, rows are far apart.
        WITH activity(label, opened, open) AS (
          SELECT item_label.label, SUM(ifnull(item.created_at >= :from, 0)),
            SUM(item.state = 'open')
          FROM item INDEXED BY item_summary
            CROSS JOIN item_label ON item_label.item = item.key
          WHERE item.repository = :repository AND item.is_pull_request = 0
            AND (item.state = 'open' OR item.created_at >= :from)
          GROUP BY item_label.label)
        SELECT label.name, label.color, opened, open
        FROM activity JOIN label ON label.key = activity.label
        """, arguments: arguments
    ).map { row in
      RepositoryStatistics.LabelActivity(
        name: try row.value(0), color: try row.value(1), opened: try row.value(2),
        open: try row.value(3))
    }
  }

  func authors(countsComments: Bool) throws -> [RepositoryStatistics.AuthorActivity] {
    let comments = """
      UNION ALL
      SELECT comment.author, 0 FROM comment
        JOIN item ON item.repository = comment.repository AND item.number = comment.number
      WHERE comment.repository = :repository AND item.is_pull_request = 0
        AND comment.created_at >= :from
      """
    return try Row.fetchAll(
      db,
      sql: """
        SELECT max(author COLLATE BINARY), SUM(is_issue) AS opened, SUM(1 - is_issue) AS comments
        FROM (
          SELECT author, 1 AS is_issue FROM item
          WHERE repository = :repository AND is_pull_request = 0 AND created_at >= :from
          \(countsComments ? comments : ""))
        WHERE author IS NOT NULL GROUP BY author COLLATE NOCASE
        ORDER BY opened + comments DESC, opened DESC, author COLLATE NOCASE LIMIT :limit
        """, arguments: arguments + ["limit": RepositoryStatistics.maximumEntries]
    ).map { row in
      RepositoryStatistics.AuthorActivity(
        login: try row.value(0), opened: try row.value(1),
        comments: countsComments ? try row.value(2) : nil)
    }
  }

  func closingTimes() throws -> [Int] {
    try Int.fetchAll(
      db,
      sql: """
        SELECT closed_at - created_at FROM item
        WHERE repository = :repository AND is_pull_request = 0 AND state <> 'open'
          AND closed_at >= :from AND created_at IS NOT NULL
        """, arguments: arguments)
  }

  func openedIssues() throws -> [Int: FirstAnswers.Issue] {
    var issues: [Int: FirstAnswers.Issue] = [:]
    try forEachRow(
      """
      SELECT number, author, created_at FROM item
      WHERE repository = :repository AND is_pull_request = 0 AND created_at >= :from
      """
    ) { row in
      issues[try row.value(0)] = FirstAnswers.Issue(
        author: try row.value(1), createdAt: try row.value(2))
    }
    return issues
  }

  func forEachCommenter(
    on host: String, _ body: (_ login: String, _ comment: Data?, _ person: Data?) -> Void
  ) throws {
    try forEachRow(
      """
      SELECT author,
        (SELECT json FROM comment WHERE repository = :repository AND author = people.author
         ORDER BY number DESC, id DESC LIMIT 1),
        (SELECT json FROM user WHERE host = :host AND login = people.author)
      FROM (
        SELECT DISTINCT author FROM comment
        WHERE repository = :repository AND created_at >= :from AND author IS NOT NULL) AS people
      """, arguments + ["host": host]
    ) { body(try $0.value(0), try $0.value(1), try $0.value(2)) }
  }

  func forEachComment(_ body: (_ author: String, _ number: Int, _ time: Int) -> Void) throws {
    try forEachRow(
      """
      SELECT author, number, created_at FROM comment
      WHERE repository = :repository AND created_at >= :from AND author IS NOT NULL
      ORDER BY created_at, id
      """
    ) { body(try $0.value(0), try $0.value(1), try $0.value(2)) }
  }

  func forEachCommentEvent(
    _ body: (_ author: String, _ association: String?, _ number: Int, _ time: Int) -> Void
  ) throws {
    try forEachRow(
      """
      SELECT actor, association, number, created_at FROM event
      WHERE repository = :repository AND kind = 'commented' AND created_at >= :from
        AND actor IS NOT NULL AND NOT is_by_bot
      ORDER BY created_at, number, position
      """
    ) { body(try $0.value(0), try $0.value(1), try $0.value(2), try $0.value(3)) }
  }

  private func forEachRow(
    _ sql: String, _ arguments: StatementArguments? = nil, _ body: (Row) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments ?? self.arguments)
    while let row = try rows.next() { try body(row) }
  }
}
