import CurlTransport
import PortSupport
import Testing

@testable import FeedbackSearch
@testable import PagedSearch
@testable import ReactorSearch

/// The programs that search with pages behave alike.
enum SearchProgram: String, CaseIterable {
  case feedback, paged, reactor

  func session() async throws -> Session {
    try await Session { input, setup in
      var arguments = Arguments()
      arguments.apiURL = setup.url
      let pages = RepositoryPages(
        arguments, transport: setup.transport, reachability: setup.reachability)
      return switch self {
      case .feedback: FeedbackSearch.lines(pages, of: input)
      // Without an interval, so that the test need not move the clock.
      case .paged: PagedSearch(pages: pages, interval: .zero).lines(of: input)
      case .reactor: ReactorSearch.lines(pages, of: input)
      }
    }
  }
}

@Suite("Searches with pages", .timeLimit(.minutes(1)))
struct SearchTests {
  private func target(_ text: String, page: Int) -> String {
    "/search/repositories?q=\(text)&per_page=5&page=\(page)"
  }

  private func found(_ name: String) -> String { #"{"items": [{"full_name": "\#(name)"}]}"# }

  private let more = ["Link": #"<https://api.github.com/more>; rel="next""#]

  @Test(
    "the next page is asked for once and appended, until the last",
    arguments: SearchProgram.allCases)
  func pages(program: SearchProgram) async throws {
    let session = try await program.session()
    session.type("a")
    await session.expect("a [loading]")
    try await session.server.next().answer(found("a/1"), headers: more)
    await session.expect("a a/1 [more]")
    session.type("")
    await session.expect("a a/1 [loading]")
    session.type("")
    try await session.server.next().answer(found("a/2"))
    await session.expect("a a/1 a/2 [end]")
    session.type("")
    session.type("b")
    await session.expect("b [loading]")
    try await session.server.next().answer(found("b/1"))
    await session.expect("b b/1 [end]")
    await session.end()
    #expect(
      await session.server.targets == [
        target("a", page: 1), target("a", page: 2), target("b", page: 1),
      ])
  }

  @Test(
    "a newer search drops the page of the older one on the wire",
    arguments: SearchProgram.allCases, [1, 2])
  func superseded(program: SearchProgram, page: Int) async throws {
    let session = try await program.session()
    session.type("old")
    await session.expect("old [loading]")
    var dropped = try await session.server.next()
    if page == 2 {
      try await dropped.answer(found("old/1"), headers: more)
      await session.expect("old old/1 [more]")
      session.type("")
      await session.expect("old old/1 [loading]")
      dropped = try await session.server.next()
    }
    let typed = ContinuousClock.now
    session.type("new")
    // It never got an answer, and the newer search hasn't one yet.
    let seen = try await dropped.dropped()
    print("\(program) search: page \(page) dropped after \(typed.duration(to: seen))")
    await session.expect("new [loading]")
    try await session.server.next().answer(found("new/1"))
    await session.expect("new new/1 [end]")
    await session.end()
  }

  @Test(
    "the end of a limit is told, and the page is asked for again", arguments: SearchProgram.allCases
  )
  func limit(program: SearchProgram) async throws {
    let session = try await program.session()
    session.type("a")
    await session.expect("a [loading]")
    try await session.server.next().refuse(until: limitEnd)
    await session.expect("a [the limit is reached until 2033-05-18T03:33:20Z]")
    session.type("")
    await session.expect("a [loading]")
    try await session.server.next().answer(found("a/1"))
    await session.expect("a a/1 [end]")
    await session.end()
  }

  @Test("back from offline, the page is asked for once more", arguments: SearchProgram.allCases)
  func offline(program: SearchProgram) async throws {
    let session = try await program.session()
    try await session.goOfflineAndBack(
      while: { session.type("a") }, says: "a [loading]", "a [offline]")
    try await session.server.next().answer(found("a/1"))
    await session.expect("a a/1 [end]")
    await session.end()
    #expect(await session.server.targets == ["/rate_limit", target("a", page: 1)])
  }
}
