internal import GRDB
internal import IssueTracker
public import PlatformModules
internal import PrivateDatabase

extension Mirror {
  /// Counts a repository's issues at one moment.
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
  /// - Returns: The statistics; zeros if the mirror has no issues.
  /// - Throws: ``MirrorFailure``.
  public func statistics(
    of repository: MirroredRepository, weeks: Int = 12, now: Date = Date()
  ) async throws(MirrorFailure) -> RepositoryStatistics {
    let last = CalendarWeek(of: now)
    let shown = last.advanced(by: 1 - min(max(1, weeks), 10_000))...last
    return try await reading { db in
      let numbers = StatisticsQueries(db, repository: repository.id, from: shown.lowerBound.start)
      let (open, closed) = try numbers.counts()
      let hasTimelines = repository.timelinesCheckedAt != nil
      let openedIn = try numbers.weekly(.created)
      let closedIn = try hasTimelines ? numbers.weekly(.closings) : numbers.weekly(.closed)
      let reopenedIn = try hasTimelines ? numbers.weekly(.reopenings) : nil
      let ages = IssueAges(
        of: try numbers.openingTimes(), at: Int(now.timeIntervalSince1970.rounded(.down)))
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

struct StatisticsQueries {
  enum Event: String {
    case created = "created_at"
    case closed = "closed_at"
  }

  let db: Database
  private let repository: Int64
  /// In seconds since 1970.
  private let from: Int

  init(_ db: Database, repository: Int64, from: Int) {
    self.db = db
    self.repository = repository
    self.from = from
  }

  var arguments: StatementArguments { ["repository": repository, "from": from] }

  func counts() throws -> (open: Int, closed: Int) {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT COALESCE(SUM(state = 'open'), 0), COALESCE(SUM(state <> 'open'), 0) FROM item
        WHERE repository = ? AND is_pull_request = 0
        """, arguments: [repository])
    return (try row?.value(0) ?? 0, try row?.value(1) ?? 0)
  }

  func weekly(_ event: Event) throws -> [CalendarWeek: Int] {
    // A reopened issue may keep its closing time.
    let isMeant = event == .closed ? "state <> 'open'" : "TRUE"
    // A column name can't be an argument.
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT (\(event.rawValue) + :offset) / :length AS week, COUNT(*) FROM item
        WHERE repository = :repository AND is_pull_request = 0 AND \(event.rawValue) >= :from
          AND \(isMeant)
        GROUP BY week
        """,
      arguments: arguments + ["offset": CalendarWeek.offset, "length": CalendarWeek.length])
    return try Dictionary(
      uniqueKeysWithValues: rows.map { (CalendarWeek(index: try $0.value(0)), try $0.value(1)) })
  }

  /// In seconds since 1970.
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
        ORDER BY opened DESC, open DESC, label.name LIMIT :limit
        """, arguments: arguments + ["limit": RepositoryStatistics.maximumEntries]
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
}
