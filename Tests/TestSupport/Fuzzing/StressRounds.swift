internal import PlatformModules

/// How many times the ordinary work a stress test does: `ISSUES_STRESS_ROUNDS`, or 1.
public let stressRounds = max(
  1, ProcessInfo.processInfo.environment["ISSUES_STRESS_ROUNDS"].flatMap { Int($0) } ?? 1)
