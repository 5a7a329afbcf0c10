#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How many times over the stress tests run: `ISSUES_STRESS_ROUNDS` in the environment, or once.
let stressRounds =
  ProcessInfo.processInfo.environment["ISSUES_STRESS_ROUNDS"].flatMap(Int.init) ?? 1
