internal import IssueTracker

enum PointsPerMinute {
  /// For benchmarks, which measure a sync and not its waits.
  static let variable = "ISSUES_POINTS_PER_MINUTE"

  /// Only servers on this machine obey the variable: GitHub refuses faster requests.
  static func value(for server: GitHubServer, in environment: [String: String]) -> Int {
    guard server.origin.isLoopback, let points = environment[variable].flatMap(Int.init) else {
      return SharedBudget.mostPointsInMinute
    }
    return points
  }
}
