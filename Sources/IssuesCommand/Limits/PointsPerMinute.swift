internal import IssueTracker

enum PointsPerMinute {
  /// The name of the variable. It is for benchmarks that measure a sync without its waits.
  static let variable = "ISSUES_POINTS_PER_MINUTE"

  /// The points per minute. The variable applies only to servers on this machine, because GitHub rejects faster
  /// requests.
  static func value(for server: GitHubServer, in environment: [String: String]) -> Int {
    guard server.origin.isLoopback, let points = environment[variable].flatMap(Int.init) else {
      return SharedBudget.mostPointsInMinute
    }
    return points
  }
}
