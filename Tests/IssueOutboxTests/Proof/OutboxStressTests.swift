import Foundation
import TestSupport
import Testing

@Suite("The promise of the outbox", .timeLimit(.minutes(60)))
struct OutboxStressTests {
  /// The seeds: the one that `ISSUES_SEED` names, or 60 of them, or 50 for each round of a stress test.
  private static let seeds: [UInt64] = {
    if let seed = ProcessInfo.processInfo.environment["ISSUES_SEED"].flatMap({ UInt64($0) }) {
      return [seed]
    }
    guard stressRounds > 1 else { return Array(1...60) }
    // Others each time: a failure says which one it was.
    let first = UInt64.random(in: 1_000...1_000_000_000)
    return (0..<UInt64(50 * stressRounds)).map { first + $0 }
  }()

  @Test("whatever goes wrong, every wish is on the server once, or refused with a reason")
  func promise() async throws {
    print("Seeds \(Self.seeds[0])...\(Self.seeds[Self.seeds.count - 1])")
    for seed in Self.seeds {
      // A failure hides no other one.
      await #expect(throws: Never.self) { try await OutboxRun(seed: seed).perform() }
    }
  }

  /// Found a login that was noted for the wrong token, and a comment that had moved and counted as deleted.
  @Test("what once went wrong doesn't again", arguments: [25, 956_775_230])
  func regression(seed: UInt64) async throws { try await OutboxRun(seed: seed).perform() }
}
