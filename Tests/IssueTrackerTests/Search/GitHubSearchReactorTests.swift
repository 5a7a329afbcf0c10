import GitHubAPI
import IssueTracker
import Reactive
import ReactiveTesting
import TestSupport
import Testing

@Suite("The search reactor", .timeLimit(.minutes(5)))
struct GitHubSearchReactorTests {
  private func run(
    _ world: SearchWorld, holding held: @escaping SearchWorld.Holding = { _ in nil },
    open: @escaping @Sendable (String) async -> Void = { _ in },
    _ body: (GitHubSearchReactor, LoopbackServer) async throws -> Void
  ) async throws {
    let github = world.github
    try await withLoopbackServer { request in
      await held(request)?.wait()
      return await github.handler(request)
    } perform: { server in
      try await body(GitHubSearchReactor(search: world.search(asking: server), open: open), server)
    }
  }

  @Test("a new query sets the query and the repositories, and the next page is appended")
  func pages() async throws {
    try await run(SearchWorld(found: 31)) { reactor, server in
      await reactor.send(.updateQuery("swift")).applied
      #expect(reactor.currentState.found.query == "swift")
      #expect(reactor.currentState.isLoadingNextPage)
      try await server.log.requests(count: 1)
      await reactor.send(.updateQuery("rust")).finished
      #expect(reactor.currentState.found.query == "rust")
      #expect(reactor.currentState.found.repositories.count == 30)
      #expect(!reactor.currentState.isLoadingNextPage)
      await reactor.send(.loadNextPage).finished
      #expect(reactor.currentState.found.repositories.count == 31)
      #expect(!reactor.currentState.isLoadingNextPage)
    }
  }

  @Test("a request for the next page is ignored during loading and without a next page")
  func ignored() async throws {
    let closed = Gate()
    let world = SearchWorld(found: 31)
    try await run(world, holding: SearchWorld.holding(page: 2, by: closed)) {
      reactor, server in
      await reactor.send(.loadNextPage).finished
      #expect(server.log.requestCount == 0)
      await reactor.send(.updateQuery("swift")).finished
      let loading = reactor.send(.loadNextPage)
      try await server.log.requests(count: 2)
      await reactor.send(.loadNextPage).finished
      await reactor.send(.updateQuery("swift")).finished
      closed.open()
      await loading.finished
      await reactor.send(.loadNextPage).finished
      #expect(reactor.currentState.found.repositories.count == 31)
      #expect(try await server.settledSearches.count == 2)
    }
  }

  @Test("a new query during the load of a page resets the loading flag")
  func reset() async throws {
    let closed = Gate()
    let world = SearchWorld(found: 31)
    try await run(world, holding: SearchWorld.holding(page: 2, by: closed)) {
      reactor, server in
      await reactor.send(.updateQuery("swift")).finished
      let loading = reactor.send(.loadNextPage)
      try await server.log.requests(count: 2)
      await reactor.send(.updateQuery("")).finished
      await loading.finished
      #expect(reactor.currentState == reactor.initialState)
      try await server.log.waitForCancellation { $0.queryValue("page") == "2" }
    }
  }

  @Test(
    "a selected result opens its page in the browser only if it is a web page",
    arguments: [
      ("https://github.com/a/b", true), ("http://h.example/", true), ("file:///etc/passwd", false),
      ("javascript:alert(1)", false), (nil, false),
    ])
  func select(url: String?, opens: Bool) async throws {
    let opened = Watched<[String]>([])
    let open: @Sendable (String) async -> Void = { url in opened.update { $0.append(url) } }
    try await run(SearchWorld(), open: open) { reactor, _ in
      let repository = GitHub.Repository(id: 1, fullName: "a/b", htmlURL: url)
      await reactor.send(.select(repository)).finished
      #expect(opened.current == (opens ? [url] : []).compactMap { $0 })
      #expect(reactor.currentState == reactor.initialState)
    }
  }
}
