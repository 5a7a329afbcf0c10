import TestSupport
import Testing

@Suite("Test clock", .timeLimit(.minutes(5)))
struct TestClockTests {
  @Test("a sleeper wakes at its deadline and not before")
  func advance() async throws {
    let clock = TestClock()
    let order = Watched<[Int]>([])
    let late = Task {
      try await clock.sleep(for: .seconds(3))
      order.update { $0.append(3) }
    }
    let early = Task {
      try await clock.sleep(for: .seconds(1))
      order.update { $0.append(1) }
    }
    try await clock.sleepers(atLeast: 2)
    #expect(clock.untilNextDeadline == .seconds(1))
    clock.advance(by: .seconds(2))
    try await early.value
    #expect(order.current == [1])
    #expect(clock.sleeperCount == 1)
    #expect(clock.advanceToNextDeadline() == .seconds(1))
    try await late.value
    #expect(order.current == [1, 3])
    #expect(clock.now.offset == .seconds(3))
  }

  @Test("a canceled sleeper ends with an error and no longer counts")
  func cancel() async throws {
    let clock = TestClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.sleepers(atLeast: 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("a sleep until a past deadline returns immediately")
  func past() async throws {
    let clock = TestClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(offset: .seconds(5)))
    #expect(clock.sleeperCount == 0)
  }

  @Test("all sleepers wake at the same deadline", arguments: 1...20)
  func many(round: Int) async throws {
    let clock = TestClock()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...50 {
        group.addTask { try await clock.sleep(for: .seconds(round)) }
      }
      try await clock.sleepers(atLeast: 50)
      clock.advance(by: .seconds(round))
      try await group.waitForAll()
    }
    #expect(clock.sleeperCount == 0)
  }
}
