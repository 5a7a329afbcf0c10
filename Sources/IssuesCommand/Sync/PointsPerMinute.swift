internal import IssueTracker

/// How many points the requests of a sync may cost in a minute.
enum PointsPerMinute {
  /// What GitHub allows.
  static let standard = 900

  /// The variable that lifts the limit for benchmarks, which measure how fast a sync is and not how long it
  /// waits.
  static let variable = "ISSUES_POINTS_PER_MINUTE"

  /// The number for a server. The variable counts for servers on this machine alone: GitHub would refuse what
  /// is asked faster than it allows.
  static func value(for server: GitHubServer, in environment: [String: String]) -> Int {
    guard server.origin.isLoopback, let points = environment[variable].flatMap(Int.init) else {
      return standard
    }
    return points
  }
}
