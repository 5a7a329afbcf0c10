#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How many times as much a stress test does than in an ordinary run: `ISSUES_STRESS_ROUNDS`, else once.
public let stressRounds = max(
  1, ProcessInfo.processInfo.environment["ISSUES_STRESS_ROUNDS"].flatMap { Int($0) } ?? 1)
