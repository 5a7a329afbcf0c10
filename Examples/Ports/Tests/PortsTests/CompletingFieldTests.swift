import CurlTransport
import PortSupport
import Reactive
import ReactiveTesting
import Testing

@testable import CompletingField

@Suite("A field that completes", .timeLimit(.minutes(1)))
struct CompletingFieldTests {
  private func session(
    pause: Duration = .zero, clock: TestClock = TestClock()
  ) async throws -> Session {
    try await Session { input, setup in
      var arguments = Arguments()
      arguments.apiURL = setup.url
      let pages = RepositoryPages(
        arguments, transport: setup.transport, reachability: setup.reachability)
      return CompletingField(
        pause: pause, clock: clock, reachability: pages.reachability, provider: pages.predictions
      ).contents(of: input)
    }
  }

  private func target(_ text: String) -> String {
    "/search/repositories?q=\(text)&per_page=5&page=1"
  }

  private func found(_ name: String) -> String { #"{"items": [{"full_name": "\#(name)"}]}"# }

  @Test("it is busy until the completions are there, with every match marked")
  func matches() async throws {
    let session = try await session()
    await session.expect("[ready]")
    session.type("SWIFT")
    await session.expect("[busy]")
    try await session.server.next().answer(found(#"swiftlang/swift-\u001b[2Jsyntax"#))
    await session.expect(eventually: "<swift>lang/<swift>-[2Jsyntax [ready]")
    await session.end()
  }

  @Test("it asks for the text that a pause follows")
  func pause() async throws {
    let clock = TestClock()
    let session = try await session(pause: .milliseconds(300), clock: clock)
    session.type("s")
    try await clock.nextDeadline(in: .milliseconds(300))
    clock.advance(by: .milliseconds(200))
    session.type("sw")
    // The pause of the first text is no longer waited for.
    try await clock.nextDeadline(in: .milliseconds(300))
    clock.advance(by: .milliseconds(300))
    try await session.server.next().answer(found("sw/1"))
    await session.expect(eventually: "<sw>/1 [ready]")
    await session.end()
    #expect(await session.server.targets == [target("sw")])
  }

  @Test("a newer text drops the request of the older one on the wire")
  func superseded() async throws {
    let session = try await session()
    session.type("old")
    let dropped = try await session.server.next()
    let typed = ContinuousClock.now
    session.type("new")
    // It never got an answer, and the newer text hasn't one yet.
    let seen = try await dropped.dropped()
    print("CompletingField: request dropped after \(typed.duration(to: seen))")
    try await session.server.next().answer(found("new/1"))
    await session.expect(eventually: "<new>/1 [ready]")
    await session.end()
    #expect(await session.server.targets == [target("old"), target("new")])
  }

  @Test("the end of a limit is told, and the next text is asked for")
  func limit() async throws {
    let session = try await session()
    session.type("a")
    try await session.server.next().refuse(until: limitEnd)
    await session.expect(eventually: "[the limit is reached until 2033-05-18T03:33:20Z]")
    session.type("ab")
    try await session.server.next().answer(found("ab/1"))
    await session.expect(eventually: "<ab>/1 [ready]")
    await session.end()
  }

  @Test("back from offline, the text is asked for once more")
  func offline() async throws {
    let session = try await session()
    try await session.goOfflineAndBack(
      while: { session.type("a") }, until: { await session.expect(eventually: "[offline]") })
    try await session.server.next().answer(found("a/1"))
    await session.expect(eventually: "<a>/1 [ready]")
    await session.end()
    #expect(await session.server.targets == ["/rate_limit", target("a")])
  }
}
