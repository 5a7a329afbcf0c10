import Reactive
import TestSupport
import Testing

@Suite("throttleLatest", .timeLimit(.minutes(5)))
struct ThrottleLatestTests {
  private let clock = TestClock()
  private let source = PacedSource<Int>()

  @Test("the first element passes immediately, and then the newest one after each interval")
  func newestAtTheEnd() async throws {
    let elements = Reader(source.throttleLatest(for: .seconds(3), clock: clock))
    async let first: Void = source.send(1)
    #expect(await elements.next() == 1)
    await first
    await source.send(2)
    await source.send(3)
    clock.advance(by: .seconds(3))
    #expect(await elements.next() == 3)
    await source.send(4)
    try await clock.sleepers(1)
    #expect(clock.untilNextDeadline == .seconds(3))
    clock.advance(by: .seconds(3))
    #expect(await elements.next() == 4)
  }

  @Test("the longest interval and pause don't trap")
  func longest() async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let throttled = Reader(source.throttleLatest(for: .seconds(Int64.max)))
    input.yield(1)
    #expect(await throttled.next() == 1)
    let (texts, typed) = AsyncStream.makeStream(of: Int.self)
    let debounced = Task { await texts.debounce(for: .seconds(Int64.max)).first { _ in true } }
    typed.yield(1)
    debounced.cancel()
    #expect(await debounced.value == nil)
  }

  @Test("the first element is delivered even if all others are ready")
  func firstOfMany() async {
    let first = Reader(
      elements(1...100).throttleLatest(for: .seconds(3), clock: clock)
    )
    #expect(await first.next() == 1)
  }

  @Test("no further element is delivered before the end of the interval")
  func notBefore() async throws {
    let delivered = Watched<[Int]>([])
    let throttled = source.throttleLatest(for: .seconds(3), clock: clock)
    let consumer = Task {
      for await element in throttled { delivered.update { $0.append(element) } }
    }
    await source.send(1)
    try await delivered.value { $0 == [1] ? () : nil }
    await source.send(2)
    try await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    await source.send(3)
    #expect(delivered.current == [1])
    clock.advance(by: .seconds(1))
    try await delivered.value { $0 == [1, 3] ? () : nil }
    consumer.cancel()
  }

  @Test("after an interval without elements, the next element passes immediately")
  func opensAgain() async throws {
    let elements = Reader(source.throttleLatest(for: .seconds(3), clock: clock))
    async let first: Void = source.send(1)
    #expect(await elements.next() == 1)
    await first
    try await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    try await clock.sleepers(0)
    await source.send(2)
    #expect(await elements.next() == 2)
  }

  @Test("a held element is delivered at the end of its interval even if the source has ended")
  func deliversAfterTheEnd() async throws {
    let elements = Reader(source.throttleLatest(for: .seconds(3), clock: clock))
    async let first: Void = source.send(1)
    #expect(await elements.next() == 1)
    await first
    await source.send(2)
    source.finish()
    try await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await elements.next() == 2)
    #expect(await elements.next() == nil)
    #expect(clock.now.offset == .seconds(3))
  }

  @Test("the sequence ends with the source if no element is held")
  func endsAtOnce() async throws {
    let elements = Reader(source.throttleLatest(for: .seconds(3), clock: clock))
    async let first: Void = source.send(1)
    #expect(await elements.next() == 1)
    await first
    source.finish()
    #expect(await elements.next() == nil)
    #expect(await elements.next() == nil)
    #expect(clock.sleeperCount == 0)
  }

  @Test("a consumer that is busy longer than an interval gets the newest element")
  func busyConsumer() async throws {
    let elements = Reader(source.throttleLatest(for: .seconds(3), clock: clock))
    async let first: Void = source.send(1)
    #expect(await elements.next() == 1)
    await first
    for element in 2...4 {
      await source.send(element)
      try await clock.sleepers(1)
      clock.advance(by: .seconds(3))
      try await clock.sleepers(1)
    }
    #expect(await elements.next() == 4)
  }

  @Test("canceling the consumer ends its wait, the interval and the source")
  func consumerCancelled() async throws {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let (taken, sourceCancelled) = (Gate(), Gate())
    input.onTermination = { if case .cancelled = $0 { sourceCancelled.open() } }
    let throttled = source.throttleLatest(for: .seconds(3), clock: clock)
    let consumer = Task {
      for await _ in throttled { taken.open() }
    }
    input.yield(1)
    input.yield(2)
    await taken.wait()
    consumer.cancel()
    await consumer.value
    await sourceCancelled.wait()
    try await clock.sleepers(0)
  }

  @Test("leaving the loop ends the interval and the source")
  func leavingCancels() async throws {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let sourceCancelled = Gate()
    input.onTermination = { if case .cancelled = $0 { sourceCancelled.open() } }
    input.yield(1)
    for await _ in source.throttleLatest(for: .seconds(3), clock: clock) { break }
    await sourceCancelled.wait()
    try await clock.sleepers(0)
  }

  @Test("nothing starts before the first next(), and each iterator is a separate run")
  func coldAndIndependent() async {
    let source = CountingSource(elements: [1])
    let throttled = source.throttleLatest(for: .seconds(3), clock: clock)
    let (first, second) = (Reader(throttled), Reader(throttled))
    #expect(source.runs == 0)
    #expect([await first.next(), await first.next()] == [1, nil])
    #expect(source.runs == 1)
    #expect([await second.next(), await second.next()] == [1, nil])
    #expect(source.runs == 2)
  }
}
