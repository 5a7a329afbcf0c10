import Reactive
import ReactiveTesting
import TestSupport
import Testing

@Suite("debounce", .timeLimit(.minutes(5)))
struct DebounceTests {
  private let clock = TestClock()
  private let source = Subject<Int>()

  /// Sends elements, each a second after the one before, and then moves the clock on by two.
  private func send(_ numbers: [Int], isLast: Bool = false) async throws {
    while source.readerCount == 0 { await Task.yield() }
    for number in numbers {
      source.send(number)
      // The pause of this element: that of the one before would be over earlier.
      try await clock.nextDeadline(in: .seconds(2))
      if number == numbers.last { break }
      clock.advance(by: .seconds(1))
    }
    if isLast { source.finish() }
    clock.advance(by: .seconds(2))
  }

  @Test("only an element followed by a pause is passed on")
  func pauses() async throws {
    let passed = Reader(source.debounce(for: .seconds(2), clock: clock))
    for numbers in [[1, 2, 3], [4], [5, 6]] {
      async let sent: Void = send(numbers)
      #expect(await passed.next() == numbers.last)
      try await sent
    }
  }

  @Test("the last element is delivered even if the source ends before the pause is over")
  func lastElement() async throws {
    let passed = Reader(source.debounce(for: .seconds(2), clock: clock))
    async let sent: Void = send([1, 2], isLast: true)
    #expect(await passed.next() == 2)
    #expect(await passed.next() == nil)
    try await sent
  }
}
