import Reactive
import ReactiveTesting
import SearchBox
import Testing

@Suite("Search box")
struct SearchBoxTests {
  private static func box(_ text: String, _ results: [String]?) -> SearchBox {
    var box = SearchBox()
    (box.text, box.results) = (text, results)
    return box
  }

  @Test("what is typed within a moment is searched for once", .timeLimit(.minutes(1)))
  func typing() async throws {
    let clock = TestClock()
    let (texts, typing) = AsyncStream.makeStream(of: String.self)
    let probe = Probe(SearchBox.loop(texts, clock: clock) { ["\($0)lang"] })
    try await probe.expect(.state(Self.box("", [])))

    typing.yield("sw")
    try await probe.expect(
      .event(.typed("sw")), .started("sw"), .state(Self.box("sw", nil)))
    try await clock.sleepers(1)
    clock.advance(by: .milliseconds(200))

    typing.yield("swift")
    try await probe.expect(
      .event(.typed("swift")), .cancelled("sw"), .started("swift"),
      .state(Self.box("swift", nil)))
    try await clock.sleepers(1)
    clock.advance(by: .milliseconds(300))
    try await probe.expect(
      .event(.found(["swiftlang"])), .cancelled("swift"),
      .state(Self.box("swift", ["swiftlang"])))

    typing.yield("")
    try await probe.expect(.event(.typed("")), .state(Self.box("", [])))
    typing.finish()
    try await probe.finish()
  }
}
