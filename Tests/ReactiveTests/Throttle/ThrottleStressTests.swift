import Reactive
import TestSupport
import TestTraits
import Testing

@Suite("throttleLatest under stress", .tags(.heavy), .timeLimit(.minutes(10)), .serialized)
struct ThrottleStressTests {
  @Test("elements of a fast source are ascending and end with the last")
  func fastSource() async {
    for _ in 0..<(10 * stressRounds) {
      let clock = TestClock()
      let (source, input) = AsyncStream.makeStream(of: Int.self)
      let throttled = source.throttleLatest(for: .seconds(1), clock: clock)
      let isOver = Watched(false)
      let time = Task {
        while !isOver.current {
          clock.advanceToNextDeadline()
          await Task.yield()
        }
      }
      let producer = Task {
        for element in 1...5_000 {
          input.yield(element)
          if element.isMultiple(of: 10) { await Task.yield() }
        }
        input.finish()
      }
      var last = 0
      for await element in throttled {
        #expect(element > last)
        last = element
      }
      #expect(last == 5_000)
      isOver.update { $0 = true }
      await producer.value
      await time.value
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("a consumer canceled at any moment ends and doesn't leave a sleeping task")
  func cancelledAtAnyMoment() async throws {
    for round in 0..<(500 * stressRounds) {
      let clock = TestClock()
      let throttled = elements(1...10).throttleLatest(for: .seconds(1), clock: clock)
      let consumer = Task {
        for await _ in throttled {}
      }
      for _ in 0..<(round % 20) { await Task.yield() }
      consumer.cancel()
      await consumer.value
      try await clock.sleepers(0)
    }
  }
}
