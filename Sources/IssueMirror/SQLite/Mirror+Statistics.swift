internal import GRDB
internal import IssueTracker

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Mirror {
  /// Counts what is kept of a repository, all of it as it was at one moment.
  ///
  /// ```swift
  /// let statistics = try await mirror.statistics(of: repository)
  /// for week in statistics.weeks { print(week.start, week.opened, week.closed) }
  /// ```
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - weeks: How many weeks are told of, the one that is under way among them; at least one is, at most
  ///     10,000 are.
  ///   - now: The time.
  /// - Returns: The numbers; zeros where nothing is kept.
  /// - Throws: ``MirrorFailure``.
  public func statistics(
    of repository: MirroredRepository, weeks: Int = 12, now: Date = Date()
  ) async throws(MirrorFailure) -> RepositoryStatistics {
    let last = CalendarWeek(of: now)
    let shown = last.advanced(by: 1 - min(max(1, weeks), 10_000))...last
    return try await reading { db in
      let numbers = StatisticsQueries(db, repository: repository.id, from: shown.lowerBound.start)
      let (open, closed) = try numbers.counts()
      let (openedIn, closedIn) = (try numbers.weekly(.created), try numbers.weekly(.closed))
      let ages = IssueAges(
        of: try numbers.openingTimes(), at: Int(now.timeIntervalSince1970.rounded(.down)))
      return RepositoryStatistics(
        repository: repository, now: now, openCount: open, closedCount: closed,
        weeks: shown.map { week in
          RepositoryStatistics.Week(
            start: Date(timeIntervalSince1970: TimeInterval(week.start)),
            opened: openedIn[week] ?? 0, closed: closedIn[week] ?? 0)
        },
        ages: ages.bands(limits: RepositoryStatistics.ageLimits), medianAge: ages.median,
        labels: try numbers.labels(),
        authors: try numbers.authors(countsComments: repository.commentsSyncedTo != nil))
    }
  }
}
