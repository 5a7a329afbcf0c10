internal import IssueTracker

enum PointsPerMinute {
  /// For benchmarks, which measure a sync without its waits.
  static let variable = "ISSUES_POINTS_PER_MINUTE"

  /// Applies only to servers on this machine: GitHub rejects faster requests.
  static func value(for server: GitHubServer, in environment: [String: String]) -> Int {
    guard server.origin.isLoopback, let points = environment[variable].flatMap(Int.init) else {
      return SharedBudget.mostPointsInMinute
    }
    return points
  }
}
