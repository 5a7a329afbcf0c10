import Reactive
import ReactiveTesting
import TestSupport
import Testing

@Suite("Probe", .timeLimit(.minutes(5)))
struct ProbeTests {
  private let source: AsyncStream<LookupEvent>
  private let input: AsyncStream<LookupEvent>.Continuation

  init() {
    (source, input) = AsyncStream.makeStream()
  }

  private func probe(
    patience: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock(),
    effect: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> Probe<Lookup, LookupEvent> {
    Probe(
      FeedbackLoop.lookup(
        .react(request: \.request) { request, _ in await effect(request) }, .events(source)),
      patience: patience, clock: clock)
  }

  @Test("a probe records events, effects and states in step order")
  func order() async throws {
    let probe = probe()
    input.yield(.ask(1))
    input.yield(.ask(2))
    try await probe.expect(
      .state(Lookup()), .event(.ask(1)), .started("1"), .state(Lookup(1)),
      .event(.ask(2)), .cancelled("1"), .started("2"), .state(Lookup(2)))
    try await probe.finish()
  }

  @Test("an unexpected record fails with a message that shows both records")
  func unexpected() async throws {
    let probe = probe()
    let failure = await #expect(throws: ProbeFailure.self) {
      try await probe.expect(.state(Lookup(3)))
    }
    #expect(
      failure?.description == """
        expected \(Probe<Lookup, LookupEvent>.Record.state(Lookup(3))), got \
        \(Probe<Lookup, LookupEvent>.Record.state(Lookup()))
        """)
  }

  @Test("a missing record fails after the timeout")
  func impatient() async throws {
    let clock = TestClock()
    let probe = probe(patience: .seconds(3), clock: clock)
    try await probe.expect(.state(Lookup()))
    async let failure = #expect(throws: ProbeFailure.self) { _ = try await probe.next() }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    #expect(await failure?.description == "nothing happened within 3.0 seconds")
    // Its timeout doesn't affect later records.
    input.yield(.ask(nil))
    #expect(try await probe.next() == .event(.ask(nil)))
  }

  @Test("finish fails if records are unchecked, and lists them")
  func unseen() async throws {
    let probe = probe()
    input.yield(.ask(1))
    try await probe.expect(.state(Lookup()), .event(.ask(1)))
    let failure = await #expect(throws: ProbeFailure.self) { try await probe.finish() }
    #expect(failure?.description.hasPrefix("unchecked records: 2\n  started") == true)
  }

  @Test("finish fails if effects are still running, and cancels them")
  func leftRunning() async throws {
    let (clock, cancelled) = (TestClock(), Gate())
    let probe = probe(patience: .seconds(3), clock: clock) { _ in
      await cancellation()
      cancelled.open()
    }
    input.yield(.ask(1))
    _ = try await probe.nextState()
    _ = try await probe.nextState()
    async let failure = #expect(throws: ProbeFailure.self) { try await probe.finish() }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    #expect(await failure?.description == "effects still running: 1")
    await cancelled.wait()
  }

  @Test("finish waits for effects that are about to return")
  func returning() async throws {
    let gate = Gate()
    let probe = probe { _ in await gate.wait() }
    input.yield(.ask(1))
    _ = try await probe.nextState()
    _ = try await probe.nextState()
    async let finished: Void = probe.finish()
    gate.open()
    try await finished
  }

  @Test("a canceled effect that ignores cancellation counts as running")
  func stubborn() async throws {
    let (clock, gate) = (TestClock(), Gate())
    let probe = probe(patience: .seconds(3), clock: clock) { _ in await gate.waitStubbornly() }
    input.yield(.ask(1))
    input.yield(.ask(nil))
    for _ in 0..<3 { _ = try await probe.nextState() }
    async let failure = #expect(throws: ProbeFailure.self) { try await probe.finish() }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    #expect(await failure?.description == "effects still running: 1")
    gate.open()
  }

  @Test("probed finishes its probe after the test and first throws the test's error")
  func probed() async throws {
    let loop = FeedbackLoop.lookup(initially: 1, .react(request: \.request) { _, _ in })
    #expect(
      try await loop.probed { probe in
        try await probe.expect(.started("1"), .state(Lookup(1)))
        return 1
      } == 1)
    let unseen = await #expect(throws: ProbeFailure.self) { try await loop.probed { _ in } }
    #expect(unseen?.description.hasPrefix("unchecked records") == true)
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await loop.probed { _ in throw Failure() } }
  }

  @Test("a released probe ends its run")
  func released() async throws {
    let cancelled = Gate()
    do {
      let probe = probe { _ in
        await cancellation()
        cancelled.open()
      }
      input.yield(.ask(1))
      _ = try await probe.nextState()
      _ = try await probe.nextState()
    }
    await cancelled.wait()
  }

  @Test("a probe can read any sequence of states to its end")
  func states() async throws {
    let probe = Probe(states: elements([1, 2, 2]))
    #expect(try await probe.nextState() == 1)
    try await probe.expect(.state(2), .state(2))
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await probe.next() }
    #expect(failure?.description == "no more records: the states have ended")
    try await probe.finish()
  }
}
