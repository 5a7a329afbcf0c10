import Foundation

/// How many times as much a stress test does than in an ordinary run: `ISSUES_STRESS_ROUNDS`, else once.
let stressRounds = max(
  1, ProcessInfo.processInfo.environment["ISSUES_STRESS_ROUNDS"].flatMap { Int($0) } ?? 1)
