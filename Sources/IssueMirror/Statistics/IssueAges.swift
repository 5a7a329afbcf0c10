#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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
