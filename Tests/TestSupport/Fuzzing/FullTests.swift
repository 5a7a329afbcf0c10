internal import PlatformModules

/// Whether heavy tests do all their work: `ISSUES_FULL_TESTS=1`. An ordinary run does a fixed part of it.
public let runsFullTests = environment["ISSUES_FULL_TESTS"] == "1"

/// The seed of random inputs that `ISSUES_SEED` names; nil for each test's own, so that every run has the same inputs.
public let chosenSeed = environment["ISSUES_SEED"].flatMap(UInt64.init)

/// How many times the ordinary work a stress test does.
public let stressRounds = runsFullTests ? 5 : 1

private let environment = ProcessInfo.processInfo.environment

extension Collection {
  /// All elements in a full run; in an ordinary one the first, and each that is `stride` after such a one.
  public func sampled(every stride: Int) -> [Element] {
    enumerated().filter { runsFullTests || $0.offset.isMultiple(of: stride) }.map(\.element)
  }
}
