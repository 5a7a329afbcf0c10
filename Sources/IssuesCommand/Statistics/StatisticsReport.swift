internal import IssueMirror
internal import PlatformModules
internal import StyledText

/// Writes tables with bars on a terminal, lines in a pipe, an object with `--json`.
struct StatisticsReport: Sendable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case repository
    case host
    /// Up to then the mirror is complete; null until the first sync is done.
    case syncedTo = "synced_to"
    case open
    case closed
    case weeks
    case ages
    /// In seconds; null without open issues.
    case medianAge = "median_age"
    case labels
    case authors
    /// From the opening to the last closing.
    case timeToClose = "time_to_close"
    /// These three are null if they aren't known.
    case timeToFirstAnswer = "time_to_first_answer"
    case timeToMaintainersAnswer = "time_to_maintainers_answer"
    case firstAnswers = "first_answers"
    case unanswered
    /// What isn't known, and the command that mirrors what it takes.
    case unknown
  }

  let statistics: RepositoryStatistics

  func write(to session: CommandSession, fields: JSONFields?) async throws {
    if let fields {
      try await JSONSink.write(object(), fields, to: session)
    } else if session.style.layout == .table {
      let tables = StatisticsTables(
        statistics, style: session.style, bars: BarStyle(environment: session.environment))
      try await session.output.write(tables.text + notes(in: session.style))
    } else {
      try await session.output.write(TSV(color: session.style.color).page(lines))
    }
  }

  func object() throws -> JSONObject {
    try JSONObject(encoding: Whole(statistics: statistics))
  }

  private var unknown: [UnknownFigure] { UnknownFigure.all(in: statistics) }

  private func notes(in style: OutputStyle) -> String {
    unknown.map { figure in
      let lines = StyledLine(figure.sentence, style: .faint).wrapped(to: style.width)
      return "\n" + lines.map { $0.rendered(in: style.color) + "\n" }.joined()
    }.joined()
  }

  /// For programs, each with its kind first.
  private var lines: [[StyledLine]] {
    var lines = [
      ["repository", statistics.repository.fullName], ["open", "\(statistics.openCount)"],
      ["closed", "\(statistics.closedCount)"],
    ]
    lines += statistics.medianAge.map { [["median_age", "\(Int($0))"]] } ?? []
    lines += statistics.weeks.map {
      [
        "week", StatisticsTables.day($0), "\($0.opened)", "\($0.closed)",
        $0.reopened.map { "\($0)" } ?? "", "\($0.balance)",
      ]
    }
    lines += statistics.ages.map { band in
      ["age", "\(band.days)", band.limit.map { "\($0)" } ?? "", "\(band.count)"]
    }
    lines += statistics.labels.map { ["label", $0.name, "\($0.opened)", "\($0.open)"] }
    lines += statistics.authors.map { author in
      ["author", author.login, "\(author.opened)", author.comments.map { "\($0)" } ?? ""]
    }
    lines += statistics.durations.map { duration in
      [
        "time", duration.kind, "\(duration.durations.count)",
        duration.durations.median.map { "\(Int($0))" } ?? "",
        duration.durations.ninetieth.map { "\(Int($0))" } ?? "",
      ]
    }
    if let answers = statistics.answers {
      lines.append(["unanswered", "\(answers.issues - answers.byAnyone.count)"])
      lines += answers.people.map {
        ["answerer", $0.login, "\($0.answers)", $0.isMaintainer ? "maintainer" : ""]
      }
    }
    lines += unknown.map { ["unknown", $0.figure, $0.command] }
    return lines.map { cells in
      cells.enumerated().map { StyledLine($0.element, style: $0.offset == 0 ? .heading : .plain) }
    }
  }

  /// Has null for unknown values.
  private struct Whole: Encodable {
    let statistics: RepositoryStatistics

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Field.self)
      let repository = statistics.repository
      for field in Field.allCases {
        switch field {
        case .repository: try container.encode(repository.fullName, forKey: field)
        case .host: try container.encode(repository.host, forKey: field)
        case .syncedTo:
          try container.encode(repository.syncedTo.map(Timestamp.string(from:)), forKey: field)
        case .open: try container.encode(statistics.openCount, forKey: field)
        case .closed: try container.encode(statistics.closedCount, forKey: field)
        case .weeks: try container.encode(statistics.weeks.map(Week.init), forKey: field)
        case .ages: try container.encode(statistics.ages.map(Age.init), forKey: field)
        case .medianAge: try container.encode(statistics.medianAge.map { Int($0) }, forKey: field)
        case .labels: try container.encode(statistics.labels.map(Label.init), forKey: field)
        case .authors: try container.encode(statistics.authors.map(Author.init), forKey: field)
        case .timeToClose: try container.encode(Time(statistics.closing), forKey: field)
        case .timeToFirstAnswer:
          try container.encode(statistics.answers.map { Time($0.byAnyone) }, forKey: field)
        case .timeToMaintainersAnswer:
          try container.encode(statistics.answers.map { Time($0.byMaintainers) }, forKey: field)
        case .firstAnswers:
          try container.encode(statistics.answers?.people.map(Answerer.init), forKey: field)
        case .unanswered:
          try container.encode(
            statistics.answers.map { $0.issues - $0.byAnyone.count }, forKey: field)
        case .unknown: try container.encode(UnknownFigure.all(in: statistics), forKey: field)
        }
      }
    }
  }

  private struct Week: Encodable {
    let week: String
    let opened: Int
    let closed: Int
    /// Left out where it isn't known.
    let reopened: Int?
    let balance: Int

    init(_ week: RepositoryStatistics.Week) {
      (self.week, opened, closed) = (StatisticsTables.day(week), week.opened, week.closed)
      (reopened, balance) = (week.reopened, week.balance)
    }
  }

  private struct Time: Encodable {
    let issues: Int
    /// In seconds, like the other one.
    let median: Int?
    let ninetieth: Int?

    init(_ durations: RepositoryStatistics.Durations) {
      issues = durations.count
      (median, ninetieth) = (durations.median.map { Int($0) }, durations.ninetieth.map { Int($0) })
    }
  }

  private struct Answerer: Encodable {
    let login: String
    let answers: Int
    let maintainer: Bool

    init(_ person: RepositoryStatistics.Answerer) {
      (login, answers, maintainer) = (person.login, person.answers, person.isMaintainer)
    }
  }

  private struct Age: Encodable {
    let days: Int
    let limit: Int?
    let count: Int

    init(_ band: RepositoryStatistics.AgeBand) {
      (days, limit, count) = (band.days, band.limit, band.count)
    }
  }

  private struct Label: Encodable {
    let name: String
    let color: String?
    let opened: Int
    let open: Int

    init(_ label: RepositoryStatistics.LabelActivity) {
      (name, color, opened, open) = (label.name, label.color, label.opened, label.open)
    }
  }

  private struct Author: Encodable {
    let login: String
    let opened: Int
    let comments: Int?

    init(_ author: RepositoryStatistics.AuthorActivity) {
      (login, opened, comments) = (author.login, author.opened, author.comments)
    }
  }
}
