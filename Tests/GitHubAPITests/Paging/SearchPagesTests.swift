import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("PagedListing of a search", .timeLimit(.minutes(5)))
struct SearchPagesTests {
  private func listing(_ server: LoopbackServer) throws -> PagedListing<GitHub.Repository> {
    PagedListing(
      provider: try Provider(asking: server, retry: nil),
      first: .searchRepositories(query: "swift", pageSize: 100), format: .searchResults)
  }

  @Test("each page has the total count, and the pages end at GitHub's limit")
  func pages() async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositoriesPerSearch = 1234
    let github = LoopbackGitHub(configuration)
    try await withLoopbackServer(answering: github.handler) { server in
      var pages = try listing(server).makeAsyncIterator()
      var ids: Set<Int64> = []
      var count = 0
      while let page = try await pages.next(isolation: nil) {
        count += 1
        #expect(page.totalCount == 1234)
        #expect(!page.isIncomplete)
        #expect(page.hasNext == (count < 10))
        ids.formUnion(page.items.map(\.id))
      }
      #expect(count == 10)
      #expect(ids.count == 1000)
    }
  }

  @Test("an incomplete search is marked, and a missing total is the number of items")
  func incomplete() async throws {
    var routes = RouteTable()
    routes.on(
      "/search/repositories",
      [
        .json(#"{"total_count":7,"incomplete_results":true,"items":[]}"#),
        .json(#"{"items":[{"id":1,"full_name":"a/b"}]}"#), .json("7"), .json("[]"),
      ])
    try await withLoopbackServer(answering: routes.handler) { server in
      var first = try listing(server).makeAsyncIterator()
      let page = try #require(try await first.next(isolation: nil))
      #expect(page.totalCount == 7 && page.isIncomplete && page.items.isEmpty)
      var second = try listing(server).makeAsyncIterator()
      #expect(try await second.next(isolation: nil)?.totalCount == 1)
      var third = try listing(server).makeAsyncIterator()
      let error = await #expect(throws: NetworkError.self) {
        try await third.next(isolation: nil)
      }
      #expect(error?.code == .decoding)
      var fourth = try listing(server).makeAsyncIterator()
      #expect(try await fourth.next(isolation: nil)?.items.isEmpty == true)
    }
  }

  @Test("a list other than a search has no total count")
  func array() async throws {
    try await withLoopbackServer {
      NumberPages.response(to: $0, count: 2)
    } perform: { server in
      var pages = PagedListing<Int>(
        provider: try Provider(asking: server, retry: nil), first: NumberPages.first
      ).makeAsyncIterator()
      let page = try await pages.next(isolation: nil)
      #expect(page?.totalCount == nil && page?.isIncomplete == false)
    }
  }

  @Test("the user's own repositories are requested by last push, and the sample is a list of them")
  func ownRepositories() async throws {
    var routes = RouteTable()
    routes.on("/user/repos", .json(#"[{"id":1,"full_name":"me/mine","private":true}]"#))
    try await withLoopbackServer(answering: routes.handler) { server in
      let response = try await Provider(asking: server, retry: nil)
        .request(.ownRepositories(pageSize: 100))
      let repositories: [GitHub.Repository] = try response.decode(using: GitHubJSON.decoder())
      #expect(repositories.map(\.fullName) == ["me/mine"])
      let request = try #require(server.log.requests.first)
      #expect(request.queryValue("sort") == "pushed" && request.queryValue("per_page") == "100")
    }
    let sample = GitHub.ownRepositories().sampleData
    #expect(try GitHubJSON.decode([GitHub.Repository].self, from: sample).isEmpty == false)
  }
}
