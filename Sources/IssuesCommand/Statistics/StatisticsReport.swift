internal import IssueMirror
internal import PlatformModules
internal import StyledText

/// Writes tables with bars on a terminal, lines in a pipe, or an object with `--json`.
struct StatisticsReport: Sendable {
  enum Field: String, CaseIterable, Sendable {
    case repository
    case host
    /// The time up to which the mirror is complete; null until the first sync is done.
    case syncedTo = "synced_to"
    case open
    case closed
    case weeks
    case ages
    /// The median age in seconds; null without open issues.
    case medianAge = "median_age"
    case labels
    case authors
    /// The time from the opening to the last closing.
    case timeToClose = "time_to_close"
    /// This and the next two values are null if they aren't known.
    case timeToFirstAnswer = "time_to_first_answer"
    case timeToMaintainersAnswer = "time_to_maintainers_answer"
    case firstAnswers = "first_answers"
    case unanswered
    /// The unknown values, and the commands that mirror the data for them.
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
    try JSONObject(encoding: EncodedObject(Field.self, value))
  }

  private var unknown: [UnknownFigure] { UnknownFigure.all(in: statistics) }

  private func notes(in style: OutputStyle) -> String {
    unknown.map { figure in
      let lines = StyledLine(figure.sentence, style: .faint).wrapped(to: style.width)
      return "\n" + lines.map { $0.rendered(in: style.color) + "\n" }.joined()
    }.joined()
  }

  /// The lines for programs. Each begins with its kind.
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

  private func value(of field: Field) -> (any Encodable)? {
    let repository = statistics.repository
    return switch field {
    case .repository: repository.fullName
    case .host: repository.host
    case .syncedTo: repository.syncedTo.map(Timestamp.string(from:))
    case .open: statistics.openCount
    case .closed: statistics.closedCount
    case .weeks:
      statistics.weeks.map { week -> EncodedObject in
        [
          "week": StatisticsTables.day(week), "opened": week.opened, "closed": week.closed,
          "reopened": week.reopened, "balance": week.balance,
        ]
      }
    case .ages:
      statistics.ages.map { band -> EncodedObject in
        ["days": band.days, "limit": band.limit, "count": band.count]
      }
    case .medianAge: statistics.medianAge.map { Int($0) }
    case .labels:
      statistics.labels.map { label -> EncodedObject in
        [
          "name": label.name, "color": label.color, "opened": label.opened, "open": label.open,
        ]
      }
    case .authors:
      statistics.authors.map { author -> EncodedObject in
        ["login": author.login, "opened": author.opened, "comments": author.comments]
      }
    case .timeToClose: Self.time(statistics.closing)
    case .timeToFirstAnswer: (statistics.answers?.byAnyone).map(Self.time)
    case .timeToMaintainersAnswer: (statistics.answers?.byMaintainers).map(Self.time)
    case .firstAnswers:
      statistics.answers?.people.map { person -> EncodedObject in
        ["login": person.login, "answers": person.answers, "maintainer": person.isMaintainer]
      }
    case .unanswered: statistics.answers.map { $0.issues - $0.byAnyone.count }
    case .unknown: UnknownFigure.all(in: statistics)
    }
  }

  /// The durations in seconds.
  private static func time(_ durations: RepositoryStatistics.Durations) -> EncodedObject {
    [
      "issues": durations.count, "median": durations.median.map { Int($0) },
      "ninetieth": durations.ninetieth.map { Int($0) },
    ]
  }
}
