public import PlatformModules

/// Statistics of a repository's issues, without pull requests (``Mirror/statistics(of:weeks:now:)``).
public struct RepositoryStatistics: Hashable, Sendable {
  /// A week that begins on Monday at 00:00 UTC.
  public struct Week: Hashable, Sendable, Identifiable {
    /// The beginning of the week.
    public var start: Date
    /// The number of issues opened.
    public var opened: Int
    /// The number of closings if ``reopened`` is known, otherwise the number of issues closed in the week that are
    /// still closed.
    public var closed: Int
    /// The number of reopenings; nil if the mirror doesn't have all timelines.
    public var reopened: Int?

    /// The beginning.
    public var id: Date { start }
    /// The change in the number of open issues during the week.
    public var balance: Int { opened + (reopened ?? 0) - closed }
  }

  /// Open issues of similar age.
  public struct AgeBand: Hashable, Sendable, Identifiable {
    /// The lower bound in days.
    public var days: Int
    /// The upper limit in days, exclusive; nil without a limit.
    public var limit: Int?
    /// The number of issues.
    public var count: Int

    /// The lower bound.
    public var id: Int { days }
  }

  /// The activity of a label.
  public struct LabelActivity: Hashable, Sendable, Identifiable {
    /// The name, as typed by its author.
    public var name: String
    /// The color: usually six hexadecimal digits.
    public var color: String?
    /// The number of issues with the label that were opened in the reported weeks.
    public var opened: Int
    /// The number of open issues with the label.
    public var open: Int

    /// Creates an entry.
    public init(name: String, color: String? = nil, opened: Int, open: Int) {
      self.name = name
      self.color = color
      self.opened = opened
      self.open = open
    }

    /// The name.
    public var id: String { name }
  }

  /// The activity of a person in the reported weeks.
  public struct AuthorActivity: Hashable, Sendable, Identifiable {
    /// The login, as spelled by the server.
    public var login: String
    /// The number of issues that they opened.
    public var opened: Int
    /// The number of comments that they wrote on issues; nil if comments aren't mirrored.
    public var comments: Int?

    /// Creates an entry.
    public init(login: String, opened: Int, comments: Int?) {
      self.login = login
      self.opened = opened
      self.comments = comments
    }

    /// The login.
    public var id: String { login }
  }

  /// The repository.
  public var repository: MirroredRepository
  /// The time up to which ages are measured.
  public var now: Date
  /// The number of open issues.
  public var openCount: Int
  /// The number of closed issues.
  public var closedCount: Int
  /// The weeks, oldest first. The last one is still incomplete.
  public var weeks: [Week]
  /// The number of open issues in each age band between ``ageLimits``, the newest issues first.
  public var ages: [AgeBand]
  /// The median age of open issues in seconds; nil if no issue is open.
  public var medianAge: TimeInterval?
  /// The labels with the most opened issues; at equal numbers, the labels with the most open issues come first.
  public var labels: [LabelActivity]
  /// The people who opened the most issues and wrote the most comments.
  public var authors: [AuthorActivity]
  /// The times from the opening to the last closing of the issues that were closed in the reported weeks.
  public var closing = Durations()
  /// The first answers; nil if the mirror has neither all comments nor all timelines.
  public var answers: Answers?

  /// ``medianAge`` as text: `5 hours`, `12 days`, `7 months`, `2.5 years`; nil if no issue is open.
  public var medianAgeText: String? { medianAge.map(IssueAges.text) }

  /// The limits between age bands, in days.
  public static let ageLimits = [7, 30, 90, 365, 2 * 365, 5 * 365]
  /// The most labels and the most authors in a report.
  public static let maximumEntries = 10
}

extension RepositoryStatistics.AgeBand: CustomStringConvertible {
  /// The band as text: `under 7 days`, `90 days to 1 year`, `2 to 5 years`, `5 years and more`.
  public var description: String {
    let (least, leastUnit) = Self.amount(days)
    guard let limit else { return "\(least) \(leastUnit) and more" }
    let (most, mostUnit) = Self.amount(limit)
    guard days > 0 else { return "under \(most) \(mostUnit)" }
    let isSameUnit = leastUnit.first == mostUnit.first
    return "\(least)\(isSameUnit ? "" : " \(leastUnit)") to \(most) \(mostUnit)"
  }

  private static func amount(_ days: Int) -> (count: Int, unit: String) {
    let isYears = days >= 365 && days.isMultiple(of: 365)
    let (count, unit) = isYears ? (days / 365, "year") : (days, "day")
    return (count, count == 1 ? unit : "\(unit)s")
  }
}

package struct IssueAges {
  private static let day = 86_400

  /// The ages in seconds, ascending.
  private let ages: [Int]

  /// Ages of issues opened at these times, in seconds since 1970. A time in the future, caused by a wrong clock, counts
  /// as now.
  package init(of times: [Int], at now: Int) {
    ages = times.map { max(0, now.subtractingReportingOverflow($0).partialValue) }.sorted()
  }

  package var median: TimeInterval? {
    guard !ages.isEmpty else { return nil }
    let upper = ages.count / 2
    let lower = ages.count.isMultiple(of: 2) ? upper - 1 : upper
    return (TimeInterval(ages[lower]) + TimeInterval(ages[upper])) / 2
  }

  /// The age in hours up to a day, in days up to 100 days, in months up to two years, and otherwise in years.
  static func text(_ age: TimeInterval) -> String {
    let hours = Int(age / 3_600)
    let (days, years) = (hours / 24, age / TimeInterval(365 * day))
    let (count, unit) =
      switch days {
      case 0: (hours, "hour")
      case ..<100: (days, "day")
      case ..<730: (days / 30, "month")
      default: (0, "year")
      }
    guard unit != "year" else { return "\((years * 10).rounded(.down) / 10) years" }
    return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }

  package func bands(limits: [Int]) -> [RepositoryStatistics.AgeBand] {
    zip([0] + limits, limits.map(Optional.some) + [nil]).map { days, limit in
      let seconds = days * Self.day..<(limit.map { $0 * Self.day } ?? .max)
      return RepositoryStatistics.AgeBand(
        days: days, limit: limit, count: ages.count(where: seconds.contains))
    }
  }
}

/// An ISO 8601 week, which begins on Monday at 00:00 UTC.
package struct CalendarWeek: Hashable, Strideable {
  /// The length in seconds.
  package static let length = 7 * 86_400
  /// The time in seconds from the preceding Monday to the beginning of 1970, a Thursday.
  package static let offset = 3 * 86_400

  package let index: Int

  package init(index: Int) {
    self.index = index
  }

  package init(of date: Date) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + Self.offset
    self.init(index: Int((Double(seconds) / Double(Self.length)).rounded(.down)))
  }

  /// The beginning, in seconds since 1970.
  package var start: Int { index * Self.length - Self.offset }

  package func distance(to other: CalendarWeek) -> Int { other.index - index }

  package func advanced(by count: Int) -> CalendarWeek { CalendarWeek(index: index + count) }
}
