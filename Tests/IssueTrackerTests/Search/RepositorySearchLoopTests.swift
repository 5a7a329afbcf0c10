import GitHubAPI
import IssueTracker
import Reactive
import ReactiveTesting
import TestSupport
import Testing

@Suite("The feedback loop of a search", .timeLimit(.minutes(5)))
struct RepositorySearchLoopTests {
  private typealias State = RepositorySearch.LoopState
  private typealias Event = RepositorySearch.LoopEvent

  @Test(
    "a failed page isn't loaded again until the user scrolls or changes the query"
  )
  func failure() async throws {
    let world = SearchWorld(found: 3)
    world.github.fail(SearchWorld.path, with: .serverError, times: 2)
    try await withLoopbackServer(answering: world.github.handler) { server in
      let (typing, pulling) = (SearchInput<String>(), SearchInput<Void>())
      let search = try world.search(asking: server)
      let probe = Probe(search.loop(typing, loadNextPage: pulling))
      let initial = try await probe.nextState()
      #expect(initial.loadNextPage == nil && initial.found == RepositorySearchState())

      typing.send("swift")
      let page = GitHub.searchRepositories(query: "swift")
      #expect(try await probe.nextState().loadNextPage == page)
      let failed = try await probe.nextState()
      #expect(failed.found.failure != nil)
      #expect(!failed.shouldLoadNextPage && failed.loadNextPage == nil)

      pulling.send()
      let again = try await probe.nextState()
      #expect(again.shouldLoadNextPage && again.loadNextPage == page)
      #expect(again.found == failed.found, "the failure is shown until there is an answer")
      #expect(try await probe.nextState().found.failure != nil)

      world.clock.advance(by: .seconds(1))
      typing.send("rust")
      let changed = try await probe.nextState()
      #expect(changed.found == RepositorySearchState(query: "rust"))
      #expect(changed.shouldLoadNextPage)
      let found = try await probe.nextState()
      #expect(found.found.repositories.count == 3 && !found.shouldLoadNextPage)
      typing.finish()
      pulling.finish()
      try await probe.finish()
      #expect(server.searches.count == 3)
    }
  }
}
