import Reactive
import TestSupport
import Testing

@Suite("debounce and distinct", .timeLimit(.minutes(5)))
struct DebounceTests {
  private let clock = TestClock()
  private let source = PacedSource<String>()

  @Test("an element passes when nothing has followed it for the pause")
  func passesAfterPause() async throws {
    var passed = source.debounce(for: .seconds(1), clock: clock).makeAsyncIterator()
    async let first = passed.next()
    await source.send("s")
    try await clock.sleepers(1)
    clock.advance(by: .seconds(0.9))
    await source.send("sw")
    try await clock.nextDeadline(in: .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(await first == "sw")
    await source.send("swift")
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await passed.next() == "swift")
  }

  @Test("the last element passes at the end of its pause although the source has ended")
  func lastElement() async throws {
    async let passed = elements(["swift"]).debounce(for: .seconds(1), clock: clock)
      .reduce(into: []) { $0.append($1) }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await passed == ["swift"])
  }

  @Test("equal elements in a row are one, also for an optional element that is nil first")
  func distinct() async {
    let passed = elements([nil, nil, 1, 1, 2, nil, 1]).distinct()
    #expect(await passed.reduce(into: []) { $0.append($1) } == [nil, 1, 2, nil, 1])
  }
}
