public import IssueMirror
public import PlatformModules

extension PostgresMirror {
  /// Computes statistics of a repository's issues at one moment, like a ``/IssueMirror/Mirror``.
  public func statistics(
    of repository: MirroredRepository, weeks: Int = 12, now: Date = Date()
  ) async throws(MirrorFailure) -> RepositoryStatistics {
    let weeks = RepositoryStatistics.weeks(weeks, to: now)
    return try await reading { db in
      try RepositoryStatistics(
        of: repository, weeks, now,
        from: PostgresStatistics(db: db, repository: repository.id, from: weeks.lowerBound.start))
    }
  }
}

private struct PostgresStatistics: StatisticsReader {
  let db: PostgresSession
  let repository: Int64
  let from: Int

  private var own: PostgresSQL { "item.repository = \(repository) AND NOT item.is_pull_request" }

  func counts() throws -> (open: Int, closed: Int) {
    let row = try db.first(
      """
      SELECT count(*) FILTER (WHERE state = 'open'), count(*) FILTER (WHERE state <> 'open')
      FROM item WHERE \(own)
      """)
    return (try row?.value(0) ?? 0, try row?.value(1) ?? 0)
  }

  func weekly(_ event: StatisticsEvent) throws -> [CalendarWeek: Int] {
    func events(_ kind: String) -> PostgresSQL {
      """
      SELECT event.created_at AS time FROM event JOIN item USING (repository, number)
      WHERE \(own) AND event.kind = \(kind)
      """
    }
    let closed: PostgresSQL = "SELECT closed_at AS time FROM item WHERE \(own) AND state <> 'open'"
    let times: PostgresSQL =
      switch event {
      case .created: "SELECT created_at AS time FROM item WHERE \(own)"
      case .closed: closed
      case .closings:
        """
        \(events("closed")) UNION ALL
        \(closed) AND NOT EXISTS (
          SELECT FROM event WHERE event.repository = item.repository
            AND event.number = item.number AND kind = 'closed')
        """
      case .reopenings: events("reopened")
      }
    let rows = try db.rows(
      """
      SELECT (time + \(CalendarWeek.offset)) / \(CalendarWeek.length), count(*)
      FROM (\(times)) AS times WHERE time >= \(from) GROUP BY 1
      """)
    return try Dictionary(
      rows.map { (CalendarWeek(index: try $0.value(0)), try $0.value(1)) },
      uniquingKeysWith: { $1 })
  }

  func openingTimes() throws -> [Int] {
    try db.column(
      "SELECT created_at FROM item WHERE \(own) AND state = 'open' AND created_at IS NOT NULL")
  }

  func labels() throws -> [RepositoryStatistics.LabelActivity] {
    try db.rows(
      """
      SELECT label.name, label.color, opened, open FROM (
        SELECT name_key, count(*) FILTER (WHERE item.created_at >= \(from)) AS opened,
          count(*) FILTER (WHERE item.state = 'open') AS open
        FROM item, unnest(label_keys) AS name_key
        WHERE \(own) AND (item.state = 'open' OR item.created_at >= \(from))
        GROUP BY name_key) AS activity JOIN label USING (name_key)
      WHERE label.repository = \(repository)
      """
    ).map { row in
      RepositoryStatistics.LabelActivity(
        name: try row.value(0), color: try row.value(1), opened: try row.value(2),
        open: try row.value(3))
    }
  }

  func authors(countsComments: Bool) throws -> [RepositoryStatistics.AuthorActivity] {
    let comments: PostgresSQL =
      countsComments
      ? """
      UNION ALL
      SELECT comment.author, comment.author_key, 0
      FROM comment JOIN item USING (repository, number)
      WHERE \(own) AND comment.created_at >= \(from)
      """ : ""
    return try db.rows(
      """
      SELECT max(author COLLATE "C"), sum(is_issue) AS opened, sum(1 - is_issue) AS comments FROM (
        SELECT author, author_key, 1 AS is_issue FROM item WHERE \(own) AND created_at >= \(from)
        \(comments)) AS activity
      WHERE author_key IS NOT NULL GROUP BY author_key
      ORDER BY count(*) DESC, opened DESC, author_key COLLATE "C"
      LIMIT \(RepositoryStatistics.maximumEntries)
      """
    ).map { row in
      RepositoryStatistics.AuthorActivity(
        login: try row.value(0), opened: try row.value(1),
        comments: countsComments ? try row.value(2) : nil)
    }
  }

  func closingTimes() throws -> [Int] {
    try db.column(
      """
      SELECT closed_at - created_at FROM item
      WHERE \(own) AND state <> 'open' AND closed_at >= \(from) AND created_at IS NOT NULL
      """)
  }

  func openedIssues() throws -> [Int: FirstAnswers.Issue] {
    let rows = try db.rows(
      "SELECT number, author, created_at FROM item WHERE \(own) AND created_at >= \(from)")
    return try Dictionary(
      rows.map { row in
        (
          try row.value(0),
          FirstAnswers.Issue(author: try row.value(1), createdAt: try row.value(2))
        )
      }, uniquingKeysWith: { $1 })
  }

  func forEachCommenter(
    on host: String, _ body: (_ login: String, _ comment: Data?, _ person: Data?) -> Void
  ) throws {
    let people = try db.rows(
      """
      SELECT people.author_key, (
          SELECT json FROM comment
          WHERE repository = \(repository) AND author_key = people.author_key
          ORDER BY number DESC, id DESC LIMIT 1),
        (SELECT json FROM person WHERE host = \(host) AND login_key = people.author_key)
      FROM (
        SELECT DISTINCT author_key FROM comment
        WHERE repository = \(repository) AND created_at >= \(from) AND author_key IS NOT NULL)
        AS people
      """)
    for row in people { body(try row.value(0), try row.value(1), try row.value(2)) }
  }

  func forEachComment(_ body: (_ author: String, _ number: Int, _ time: Int) -> Void) throws {
    let comments = try db.rows(
      """
      SELECT author, number, created_at FROM comment
      WHERE repository = \(repository) AND created_at >= \(from) AND author_key IS NOT NULL
      ORDER BY created_at, id
      """)
    for row in comments { body(try row.value(0), try row.value(1), try row.value(2)) }
  }

  func forEachCommentEvent(
    _ body: (_ author: String, _ association: String?, _ number: Int, _ time: Int) -> Void
  ) throws {
    let comments = try db.rows(
      """
      SELECT actor, association, number, created_at FROM event
      WHERE repository = \(repository) AND kind = 'commented' AND created_at >= \(from)
        AND actor IS NOT NULL AND NOT is_by_bot
      ORDER BY created_at, number, position
      """)
    for row in comments {
      body(try row.value(0), try row.value(1), try row.value(2), try row.value(3))
    }
  }
}
