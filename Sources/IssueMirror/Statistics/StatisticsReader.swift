package import PlatformModules

/// Reads the numbers of a repository's issues, without pull requests, from a database engine. Times are in seconds
/// since 1970.
package protocol StatisticsReader {
  /// The beginning of the first week.
  var from: Int { get }

  func counts() throws -> (open: Int, closed: Int)

  func weekly(_ event: StatisticsEvent) throws -> [CalendarWeek: Int]

  /// The opening times of the open issues.
  func openingTimes() throws -> [Int]

  /// All labels of these issues, in any order.
  func labels() throws -> [RepositoryStatistics.LabelActivity]

  func authors(countsComments: Bool) throws -> [RepositoryStatistics.AuthorActivity]

  /// The times from the opening to the last closing of the issues that were closed in these weeks.
  func closingTimes() throws -> [Int]

  /// The opened issues by number.
  func openedIssues() throws -> [Int: FirstAnswers.Issue]

  /// Reads only one comment of each commenter, because reading the JSON of all comments would take a hundred times as
  /// long.
  func forEachCommenter(
    on host: String, _ body: (_ login: String, _ comment: Data?, _ person: Data?) -> Void
  ) throws

  /// Reads the comments, oldest first.
  func forEachComment(_ body: (_ author: String, _ number: Int, _ time: Int) -> Void) throws

  /// Reads the comments in timelines, oldest first, except those by bots.
  func forEachCommentEvent(
    _ body: (_ author: String, _ association: String?, _ number: Int, _ time: Int) -> Void
  ) throws
}

/// An event that is counted per week.
package enum StatisticsEvent: Sendable {
  case created
  /// The last closing of an issue that is still closed.
  case closed
  /// Any closing in a timeline. An issue that is closed without an event counts as closed once.
  case closings
  case reopenings
}

extension RepositoryStatistics {
  /// The given number of weeks, up to the current one.
  package static func weeks(_ count: Int, to now: Date) -> ClosedRange<CalendarWeek> {
    let last = CalendarWeek(of: now)
    return last.advanced(by: 1 - min(max(1, count), 10_000))...last
  }

  package init(
    of repository: MirroredRepository, _ weeks: ClosedRange<CalendarWeek>, _ now: Date,
    from reader: some StatisticsReader
  ) throws {
    let (open, closed) = try reader.counts()
    let hasTimelines = repository.timelinesCheckedAt != nil
    let openedIn = try reader.weekly(.created)
    let closedIn = try reader.weekly(hasTimelines ? .closings : .closed)
    let reopenedIn = try hasTimelines ? reader.weekly(.reopenings) : nil
    let ages = IssueAges(of: try reader.openingTimes(), at: now.seconds)
    self.init(
      repository: repository, now: now, openCount: open, closedCount: closed,
      weeks: weeks.map { week in
        Week(
          start: Date(timeIntervalSince1970: TimeInterval(week.start)),
          opened: openedIn[week] ?? 0, closed: closedIn[week] ?? 0,
          reopened: reopenedIn.map { $0[week] ?? 0 })
      },
      ages: ages.bands(limits: Self.ageLimits), medianAge: ages.median,
      labels: Self.mostActive(try reader.labels()),
      authors: try reader.authors(countsComments: repository.commentsSyncedTo != nil),
      closing: Durations(of: try reader.closingTimes()),
      answers: try Answers(of: repository, from: reader))
  }

  /// Sorts here, because engines compare letters beyond ASCII differently.
  private static func mostActive(_ labels: [LabelActivity]) -> [LabelActivity] {
    let keyed = labels.map { (label: $0, key: Array($0.name.lowercased().utf8)) }
    return keyed.sorted { first, second in
      let (one, other) = (
        (first.label.opened, first.label.open), (second.label.opened, second.label.open)
      )
      return one == other ? first.key.lexicographicallyPrecedes(second.key) : one > other
    }.prefix(maximumEntries).map(\.label)
  }
}

extension RepositoryStatistics.Answers {
  /// Reads from the comments if all are stored, otherwise from the timelines; nil if neither is complete.
  fileprivate init?(of repository: MirroredRepository, from reader: some StatisticsReader) throws {
    let hasComments = repository.commentsSyncedTo != nil
    guard hasComments || repository.timelinesCheckedAt != nil else { return nil }
    var answers = FirstAnswers(to: try reader.openedIssues())
    if hasComments {
      var (bots, maintainers): (Set<String>, Set<String>) = ([], [])
      try reader.forEachCommenter(on: repository.host) { login, comment, person in
        switch CommenterStanding(of: login, comment: comment, person: person) {
        case .bot: bots.insert(login.lowercased())
        case .maintainer: maintainers.insert(login.lowercased())
        case .other: break
        }
      }
      try reader.forEachComment { author, number, time in
        let login = author.lowercased()
        guard !bots.contains(login) else { return }
        answers.add(author, maintainers.contains(login), to: number, at: time)
      }
    } else {
      try reader.forEachCommentEvent { author, association, number, time in
        answers.add(
          author, FirstAnswers.maintainers.contains(association ?? ""), to: number, at: time)
      }
    }
    self = answers.statistics
  }
}
