#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the mirror tells of the issues of a repository in numbers: see ``Mirror/statistics(of:weeks:now:)``.
///
/// Issues proper are counted, pull requests aren't.
public struct RepositoryStatistics: Hashable, Sendable {
  /// A week, from Monday 00:00 by UTC.
  public struct Week: Hashable, Sendable {
    /// When it began.
    public var start: Date
    /// How many issues were opened in it.
    public var opened: Int
    /// How many issues were closed in it that are still closed.
    public var closed: Int

    /// Makes a week.
    public init(start: Date, opened: Int, closed: Int) {
      self.start = start
      self.opened = opened
      self.closed = closed
    }
  }

  /// The open issues that are of similar age.
  public struct AgeBand: Hashable, Sendable {
    /// The least age, in days.
    public var days: Int
    /// The age that they haven't reached, in days; nil where there is no greatest.
    public var limit: Int?
    /// How many there are.
    public var count: Int

    /// Makes a band.
    public init(days: Int, limit: Int?, count: Int) {
      self.days = days
      self.limit = limit
      self.count = count
    }
  }

  /// How much goes on under a label.
  public struct LabelActivity: Hashable, Sendable {
    /// Its name, as somebody typed it.
    public var name: String
    /// Its colour, six hexadecimal digits where the server kept to that.
    public var color: String?
    /// How many issues that have it were opened in the weeks that are told of.
    public var opened: Int
    /// How many open issues have it.
    public var open: Int

    /// Makes an entry.
    public init(name: String, color: String? = nil, opened: Int, open: Int) {
      self.name = name
      self.color = color
      self.opened = opened
      self.open = open
    }
  }

  /// What somebody did in the weeks that are told of.
  public struct AuthorActivity: Hashable, Sendable {
    /// Their login, as the server spells it.
    public var login: String
    /// How many issues they opened.
    public var opened: Int
    /// How many comments they wrote on issues; nil where the mirror doesn't keep comments.
    public var comments: Int?

    /// Makes an entry.
    public init(login: String, opened: Int, comments: Int?) {
      self.login = login
      self.opened = opened
      self.comments = comments
    }
  }

  /// The repository, and how fresh what is told of it is.
  public var repository: MirroredRepository
  /// The time that ages are reckoned from.
  public var now: Date
  /// How many issues are open.
  public var openCount: Int
  /// How many issues are closed.
  public var closedCount: Int
  /// The weeks, the oldest first; the last one is under way.
  public var weeks: [Week]
  /// The open issues by their age, the youngest first, every band of ``ageLimits`` among them.
  public var ages: [AgeBand]
  /// The age in seconds that half of the open issues haven't reached; nil where none is open.
  public var medianAge: TimeInterval?
  /// The labels of which most issues were opened, then those of which most are open.
  public var labels: [LabelActivity]
  /// The people who opened and commented most.
  public var authors: [AuthorActivity]

  /// Makes statistics.
  public init(
    repository: MirroredRepository, now: Date, openCount: Int, closedCount: Int, weeks: [Week],
    ages: [AgeBand], medianAge: TimeInterval?, labels: [LabelActivity], authors: [AuthorActivity]
  ) {
    self.repository = repository
    self.now = now
    self.openCount = openCount
    self.closedCount = closedCount
    self.weeks = weeks
    self.ages = ages
    self.medianAge = medianAge
    self.labels = labels
    self.authors = authors
  }

  /// ``medianAge`` as people say it: `5 hours`, `12 days`, `7 months`, `2.5 years`; nil where none is open.
  public var medianAgeText: String? { medianAge.map(IssueAges.text) }

  /// Where one band of ages ends and the next begins, in days.
  public static let ageLimits = [7, 30, 90, 365, 2 * 365, 5 * 365]
  /// How many labels and how many authors there are at most.
  public static let maximumEntries = 10
}

extension RepositoryStatistics.AgeBand: CustomStringConvertible {
  /// The band as people say it: `under 7 days`, `90 days to 1 year`, `2 to 5 years`, `5 years and more`.
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

/// How old a number of issues are.
struct IssueAges {
  private static let day = 86_400

  /// The ages in seconds, in ascending order.
  private let ages: [Int]

  /// Reckons ages.
  ///
  /// - Parameters:
  ///   - times: When the issues were opened, in seconds since 1970. A time ahead is a clock that is off,
  ///     and counts as now.
  ///   - now: When their ages are asked for, in the same way.
  init(of times: [Int], at now: Int) {
    ages = times.map { max(0, now.subtractingReportingOverflow($0).partialValue) }.sorted()
  }

  /// The age that half of them haven't reached: that of the middle one, or the mean of the middle two.
  var median: TimeInterval? {
    guard !ages.isEmpty else { return nil }
    let upper = ages.count / 2
    let lower = ages.count.isMultiple(of: 2) ? upper - 1 : upper
    return (TimeInterval(ages[lower]) + TimeInterval(ages[upper])) / 2
  }

  /// An age as people say it, in the largest unit of which there are a few.
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

  /// How many there are of each band.
  ///
  /// - Parameter limits: Where a band ends and the next begins, in days, in ascending order.
  /// - Returns: The bands, the youngest first.
  func bands(limits: [Int]) -> [RepositoryStatistics.AgeBand] {
    zip([0] + limits, limits.map(Optional.some) + [nil]).map { days, limit in
      let seconds = days * Self.day..<(limit.map { $0 * Self.day } ?? .max)
      return RepositoryStatistics.AgeBand(
        days: days, limit: limit, count: ages.count(where: seconds.contains))
    }
  }
}

/// A week of the calendar, from Monday 00:00 by UTC, as ISO 8601 has it.
struct CalendarWeek: Hashable, Strideable {
  /// How long it lasts, in seconds.
  static let length = 7 * 86_400
  /// How long before 1970, a Thursday, the first of the weeks began.
  static let offset = 3 * 86_400

  /// How many weeks after the one of 1970-01-01 it is.
  let index: Int

  init(index: Int) {
    self.index = index
  }

  /// The week that a time is in.
  init(of date: Date) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + Self.offset
    self.init(index: Int((Double(seconds) / Double(Self.length)).rounded(.down)))
  }

  /// When it begins, in seconds since 1970.
  var start: Int { index * Self.length - Self.offset }

  func distance(to other: CalendarWeek) -> Int { other.index - index }

  func advanced(by count: Int) -> CalendarWeek { CalendarWeek(index: index + count) }
}
