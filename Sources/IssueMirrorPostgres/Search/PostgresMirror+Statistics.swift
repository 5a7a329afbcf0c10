public import IssueMirror
public import PlatformModules

extension PostgresMirror {
  /// Counts a repository's issues at one moment.
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - weeks: The number of weeks, from 1 to 10,000, including the current one.
  ///   - now: The current time.
  /// - Returns: The statistics; zeros if the mirror has no issues.
  /// - Throws: ``/IssueMirror/MirrorFailure``.
  public func statistics(
    of repository: MirroredRepository, weeks: Int = 12, now: Date = Date()
  ) async throws(MirrorFailure) -> RepositoryStatistics {
    let last = CalendarWeek(of: now)
    let shown = last.advanced(by: 1 - min(max(1, weeks), 10_000))...last
    return try await reading { db in
      let numbers = PostgresStatistics(db, repository.id, from: shown.lowerBound.start)
      let (open, closed) = try numbers.counts()
      let hasTimelines = repository.timelinesCheckedAt != nil
      let openedIn = try numbers.weekly("created_at", "TRUE")
      let closedIn =
        hasTimelines
        ? try numbers.weeklyClosings() : try numbers.weekly("closed_at", "state <> 'open'")
      let reopenedIn = hasTimelines ? try numbers.weeklyReopenings() : nil
      let ages = IssueAges(of: try numbers.openingTimes(), at: now.seconds)
      return RepositoryStatistics(
        repository: repository, now: now, openCount: open, closedCount: closed,
        weeks: shown.map { week in
          RepositoryStatistics.Week(
            start: Date(timeIntervalSince1970: TimeInterval(week.start)),
            opened: openedIn[week] ?? 0, closed: closedIn[week] ?? 0,
            reopened: reopenedIn.map { $0[week] ?? 0 })
        },
        ages: ages.bands(limits: RepositoryStatistics.ageLimits), medianAge: ages.median,
        labels: try numbers.labels(),
        authors: try numbers.authors(countsComments: repository.commentsSyncedTo != nil),
        closing: try numbers.closing(), answers: try numbers.answers(repository))
    }
  }
}

/// The numbers of a repository's issues, without pull requests.
struct PostgresStatistics {
  private let db: PostgresSession
  private let repository: Int64
  /// In seconds since 1970.
  private let from: Int

  init(_ db: PostgresSession, _ repository: Int64, from: Int) {
    self.db = db
    self.repository = repository
    self.from = from
  }

  private var own: PostgresSQL { "item.repository = \(repository) AND NOT item.is_pull_request" }

  func counts() throws -> (open: Int, closed: Int) {
    let row = try db.first(
      """
      SELECT count(*) FILTER (WHERE state = 'open'), count(*) FILTER (WHERE state <> 'open')
      FROM item WHERE \(own)
      """)
    return (try row?.value(0) ?? 0, try row?.value(1) ?? 0)
  }

  func weekly(_ time: PostgresSQL, _ condition: PostgresSQL) throws -> [CalendarWeek: Int] {
    try weekly(of: "SELECT \(time) AS time FROM item WHERE \(own) AND \(condition)")
  }

  /// An issue that is closed without an event was closed once.
  func weeklyClosings() throws -> [CalendarWeek: Int] {
    try weekly(
      of: """
        \(events("closed")) UNION ALL
        SELECT closed_at FROM item WHERE \(own) AND state <> 'open' AND NOT EXISTS (
          SELECT FROM event WHERE event.repository = item.repository
            AND event.number = item.number AND kind = 'closed')
        """)
  }

  func weeklyReopenings() throws -> [CalendarWeek: Int] { try weekly(of: events("reopened")) }

  private func events(_ kind: String) -> PostgresSQL {
    """
    SELECT event.created_at AS time FROM event JOIN item USING (repository, number)
    WHERE \(own) AND event.kind = \(kind)
    """
  }

  private func weekly(of times: PostgresSQL) throws -> [CalendarWeek: Int] {
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
      ORDER BY opened DESC, open DESC, label.name_key COLLATE "C" LIMIT \(RepositoryStatistics.maximumEntries)
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

  /// The time from the opening to the last closing, of the issues that were closed in these weeks.
  func closing() throws -> RepositoryStatistics.Durations {
    RepositoryStatistics.Durations(
      of: try db.column(
        """
        SELECT closed_at - created_at FROM item
        WHERE \(own) AND state <> 'open' AND closed_at >= \(from) AND created_at IS NOT NULL
        """))
  }

  /// From the comments if all are here, else from the timelines; nil without either.
  func answers(_ repository: MirroredRepository) throws -> RepositoryStatistics.Answers? {
    if repository.commentsSyncedTo != nil { return try answersFromComments(on: repository.host) }
    if repository.timelinesCheckedAt != nil { return try answersFromTimelines() }
    return nil
  }

  private func openedIssues() throws -> FirstAnswers {
    let rows = try db.rows(
      "SELECT number, author, created_at FROM item WHERE \(own) AND created_at >= \(from)")
    return FirstAnswers(
      to: try Dictionary(
        rows.map { row in
          (
            try row.value(0),
            FirstAnswers.Issue(author: try row.value(1), createdAt: try row.value(2))
          )
        }, uniquingKeysWith: { $1 }))
  }

  private func answersFromComments(on host: String) throws -> RepositoryStatistics.Answers {
    var answers = try openedIssues()
    // One comment a person: reading the JSON of all would take a hundred times as long.
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
    var (bots, maintainers): (Set<String>, Set<String>) = ([], [])
    for row in people {
      let author: String = try row.value(0)
      switch CommenterStanding(
        of: author, comment: try row.value(1), person: try row.value(2))
      {
      case .bot: bots.insert(author)
      case .maintainer: maintainers.insert(author)
      case .other: break
      }
    }
    let comments = try db.rows(
      """
      SELECT author, author_key, number, created_at FROM comment
      WHERE repository = \(repository) AND created_at >= \(from) AND author_key IS NOT NULL
      ORDER BY created_at, id
      """)
    for row in comments {
      let login: String = try row.value(1)
      guard !bots.contains(login) else { continue }
      answers.add(
        try row.value(0), maintainers.contains(login), to: try row.value(2), at: try row.value(3))
    }
    return answers.statistics
  }

  private func answersFromTimelines() throws -> RepositoryStatistics.Answers {
    var answers = try openedIssues()
    let comments = try db.rows(
      """
      SELECT actor, number, created_at, association FROM event
      WHERE repository = \(repository) AND kind = 'commented' AND created_at >= \(from)
        AND actor IS NOT NULL AND NOT is_by_bot
      ORDER BY created_at, number, position
      """)
    for row in comments {
      let association: String? = try row.value(3)
      answers.add(
        try row.value(0), FirstAnswers.maintainers.contains(association ?? ""),
        to: try row.value(1), at: try row.value(2))
    }
    return answers.statistics
  }
}
