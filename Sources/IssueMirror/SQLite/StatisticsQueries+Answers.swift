internal import GRDB
internal import PlatformModules
internal import PrivateDatabase

/// What comments and timelines add to the statistics.
extension StatisticsQueries {
  /// From the comments if all are here, else from the timelines; nil without either.
  func answers(_ repository: MirroredRepository) throws -> RepositoryStatistics.Answers? {
    if repository.commentsSyncedTo != nil { return try answersFromComments(on: repository.host) }
    if repository.timelinesCheckedAt != nil { return try answersFromTimelines() }
    return nil
  }

  private func openedIssues() throws -> FirstAnswers {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT number, author, created_at FROM item
        WHERE repository = :repository AND is_pull_request = 0 AND created_at >= :from
        """, arguments: arguments)
    var issues: [Int: FirstAnswers.Issue] = [:]
    while let row = try rows.next() {
      issues[try row.value(0)] = FirstAnswers.Issue(
        author: try row.value(1), createdAt: try row.value(2))
    }
    return FirstAnswers(to: issues)
  }

  private func answersFromComments(on host: String) throws -> RepositoryStatistics.Answers {
    var answers = try openedIssues()
    // One comment a person: reading the JSON of all would take a hundred times as long.
    let people = try Row.fetchCursor(
      db,
      sql: """
        SELECT author,
          (SELECT json FROM comment WHERE repository = :repository AND author = people.author
           ORDER BY number DESC, id DESC LIMIT 1),
          (SELECT json FROM user WHERE host = :host AND login = people.author)
        FROM (
          SELECT DISTINCT author FROM comment
          WHERE repository = :repository AND created_at >= :from AND author IS NOT NULL) AS people
        """, arguments: arguments + ["host": host])
    var (bots, maintainers): (Set<String>, Set<String>) = ([], [])
    while let row = try people.next() {
      let author: String = try row.value(0)
      switch CommenterStanding(
        of: author, comment: try row.value(1), person: try row.value(2))
      {
      case .bot: bots.insert(author.lowercased())
      case .maintainer: maintainers.insert(author.lowercased())
      case .other: break
      }
    }
    let comments = try Row.fetchCursor(
      db,
      sql: """
        SELECT author, number, created_at FROM comment
        WHERE repository = :repository AND created_at >= :from AND author IS NOT NULL
        ORDER BY created_at, id
        """, arguments: arguments)
    while let row = try comments.next() {
      let author: String = try row.value(0)
      let login = author.lowercased()
      guard !bots.contains(login) else { continue }
      answers.add(
        author, maintainers.contains(login), to: try row.value(1), at: try row.value(2))
    }
    return answers.statistics
  }

  private func answersFromTimelines() throws -> RepositoryStatistics.Answers {
    var answers = try openedIssues()
    let comments = try Row.fetchCursor(
      db,
      sql: """
        SELECT actor, number, created_at, association FROM event
        WHERE repository = :repository AND kind = 'commented' AND created_at >= :from
          AND actor IS NOT NULL AND NOT is_by_bot
        ORDER BY created_at, number, position
        """, arguments: arguments)
    while let row = try comments.next() {
      let association: String? = try row.value(3)
      answers.add(
        try row.value(0), FirstAnswers.maintainers.contains(association ?? ""),
        to: try row.value(1), at: try row.value(2))
    }
    return answers.statistics
  }

  /// The time from the opening to the last closing, of the issues that were closed in these weeks.
  func closing() throws -> RepositoryStatistics.Durations {
    RepositoryStatistics.Durations(
      of: try Int.fetchAll(
        db,
        sql: """
          SELECT closed_at - created_at FROM item
          WHERE repository = :repository AND is_pull_request = 0 AND state <> 'open'
            AND closed_at >= :from AND created_at IS NOT NULL
          """, arguments: arguments))
  }

  enum Change: String {
    case closings = "closed"
    case reopenings = "reopened"
  }

  /// How often something happened, by week. An issue that is closed without an event was closed once.
  func weekly(_ change: Change) throws -> [CalendarWeek: Int] {
    let withoutEvent = """
      UNION ALL
      SELECT closed_at FROM item
      WHERE repository = :repository AND is_pull_request = 0 AND state <> 'open'
        AND closed_at >= :from AND NOT EXISTS (
          SELECT 1 FROM event
          WHERE event.repository = item.repository AND event.number = item.number
            AND kind = 'closed')
      """
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT (time + :offset) / :length AS week, COUNT(*) FROM (
          SELECT event.created_at AS time FROM event
            JOIN item ON item.repository = event.repository AND item.number = event.number
          WHERE event.repository = :repository AND kind = :kind AND event.created_at >= :from
            AND item.is_pull_request = 0
          \(change == .closings ? withoutEvent : ""))
        GROUP BY week
        """,
      arguments: arguments + [
        "kind": change.rawValue, "offset": CalendarWeek.offset, "length": CalendarWeek.length,
      ])
    return try Dictionary(
      uniqueKeysWithValues: rows.map { (CalendarWeek(index: try $0.value(0)), try $0.value(1)) })
  }
}
