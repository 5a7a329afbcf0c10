import CurlTransport
import PortSupport
import Reactive
import ReactiveTesting
import Testing

@testable import PagedSearch

/// What only the sequence does; `SearchTests` has the rest.
@Suite("A search with pages as a sequence", .timeLimit(.minutes(1)))
struct PagedSearchTests {
  private func pages(_ setup: Session.Setup) -> RepositoryPages {
    var arguments = Arguments()
    arguments.apiURL = setup.url
    return RepositoryPages(
      arguments, transport: setup.transport, reachability: setup.reachability)
  }

  private func target(_ text: String) -> String {
    "/search/repositories?q=\(text)&per_page=5&page=1"
  }

  @Test("the first text is searched for at once, and the newest after an interval")
  func throttle() async throws {
    let clock = TestClock()
    let (typed, typing) = AsyncStream.makeStream(of: String.self)
    let (readings, reading) = AsyncStream.makeStream(of: Void.self)
    let texts = AsyncStream {
      reading.yield()
      for await text in typed { return text }
      return nil
    }
    let session = try await Session { _, setup in
      PagedSearch(pages: pages(setup), clock: clock).lists(of: texts, ends: Subject())
    }
    typing.yield("s")
    await session.expect("s [loading]")
    let dropped = try await session.server.next()
    typing.yield("sw")
    typing.yield("swift")
    // Whoever asks for a fourth text has held the third.
    var held = readings.makeAsyncIterator()
    for _ in 1...4 { await held.next() }
    try await clock.nextDeadline(in: .milliseconds(300))
    clock.advance(by: .milliseconds(300))
    _ = try await dropped.dropped()
    await session.expect("swift [loading]")
    try await session.server.next().answer(#"{"items": [{"full_name": "swift/1"}]}"#)
    await session.expect("swift swift/1 [end]")
    typing.finish()
    await session.end()
    #expect(await session.server.targets == [target("s"), target("swift")])
  }

  @Test("a blank text drops the page on the wire, and asks for nothing")
  func blank() async throws {
    let session = try await Session { input, setup in
      PagedSearch(pages: pages(setup), interval: .zero).lines(of: input)
    }
    session.type("a")
    await session.expect("a [loading]")
    let dropped = try await session.server.next()
    session.type("  ")
    _ = try await dropped.dropped()
    await session.expect("[end]")
    await session.end()
    #expect(await session.server.targets == [target("a")])
  }

  @Test("the end that is reached while a page loads doesn't count")
  func early() async throws {
    let ends = Subject<Void>()
    let session = try await Session { _, setup in
      let texts = AsyncStream { typing in
        typing.yield("a")
        typing.finish()
      }
      return PagedSearch(pages: pages(setup), interval: .zero).lists(of: texts, ends: ends)
    }
    await session.expect("a [loading]")
    let request = try await session.server.next()
    ends.send(())
    try await request.answer(
      #"{"items": []}"#, headers: ["Link": #"<https://api.github.com/more>; rel="next""#])
    await session.expect("a [more]")
    ends.finish()
    await session.end()
    #expect(await session.server.targets == [target("a")])
  }
}
