internal import IssueMirror
internal import PlatformModules
internal import StyledText

/// A repository in the overview of statistics.
struct StatisticsOverview: ListItem {
  let statistics: RepositoryStatistics

  private var opened: Int { statistics.weeks.reduce(0) { $0 + $1.opened } }
  private var closed: Int { statistics.weeks.reduce(0) { $0 + $1.closed } }

  static let columns: [ItemColumn<StatisticsOverview>] = [
    .init("REPOSITORY", .flexible(minimum: 20)) { row, _ in
      StyledLine(row.statistics.repository.typedName, style: .heading)
    },
    .init("OPEN", alignment: .trailing) { row, _ in StyledLine("\(row.statistics.openCount)") },
    .init("OPENED", alignment: .trailing) { row, _ in StyledLine("\(row.opened)") },
    .init("CLOSED", alignment: .trailing) { row, _ in StyledLine("\(row.closed)") },
    .init("MEDIAN AGE", .limited(percent: 25), dropOrder: 1) { row, now in
      let seconds = row.statistics.medianAge.map { "\(Int($0))" }
      return StyledLine((now == nil ? seconds : row.statistics.medianAgeText) ?? "")
    },
    .init("SYNCED", .limited(percent: 30), dropOrder: 0) { row, now in
      StyledLine(now.map { row.statistics.repository.age(now: $0) } ?? "", style: .faint)
    },
  ]

  func plainCells() -> [StyledLine] { Self.columns.dropLast().map { $0.cell(self, nil) } }

  func object() throws -> JSONObject { try StatisticsReport(statistics: statistics).object() }
}

extension StatisticsOverview {
  /// Shows the repositories whose first sync is complete, busiest first.
  static func show(_ weeks: Int, in session: CommandSession, fields: JSONFields?) async throws {
    var writer = try ListWriter<StatisticsOverview>(session, fields: fields)
    let mirror = try await session.existingMirror()
    let repositories = try await mirror?.repositories() ?? []
    let whole = repositories.filter(\.isComplete)
    let heading =
      "\(whole.count == 1 ? "1 repository" : "\(whole.count) repositories") in "
      + (weeks == 1 ? "the last week" : "the last \(weeks) weeks")
    var rows: [StatisticsOverview] = []
    for (number, repository) in whole.enumerated() {
      session.progress.update("Counting \(number + 1) of \(whole.count)…")
      guard let mirror else { break }
      rows.append(
        StatisticsOverview(statistics: try await mirror.statistics(of: repository, weeks: weeks)))
    }
    session.progress.finish()
    rows.sort {
      ($0.opened + $0.closed, $0.statistics.openCount) > (
        $1.opened + $1.closed, $1.statistics.openCount
      )
    }
    try await writer.write(rows, heading: heading)
    try await writer.finish()
    session.tellFreshness(of: repositories)
    if repositories.isEmpty, writer.isTable {
      session.errors.write("Nothing is mirrored yet. Start with 'issues sync OWNER/REPO'.")
    }
  }
}
