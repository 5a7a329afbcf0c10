import GitHubAPI
import HTTPTargets
import IssueTracker
import PlatformModules
import Testing

@Suite("The state of a search")
struct RepositorySearchStateTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func link(_ page: Int) throws -> PageLink {
    let name = try #require(HTTPField.Name("Link"))
    let field = HTTPField(name: name, value: "<https://h.example/?page=\(page)>; rel=next")
    return try #require(try PageLink.next(in: HTTPFields([field]), of: "https://h.example/"))
  }

  private func page(_ ids: ClosedRange<Int64>, next: Int? = nil) throws -> RepositorySearchOutcome {
    .page(
      RepositorySearchPage(
        repositories: ids.map { GitHub.Repository(id: $0, fullName: "a/\($0)") }, totalCount: 9,
        next: try next.map(link)))
  }

  @Test("the state of a search has a first page to load unless the query is empty")
  func start() {
    #expect(
      RepositorySearchState(query: "a", pageSize: 7).nextPage
        == .searchRepositories(query: "a", pageSize: 7))
    #expect(!RepositorySearchState().canLoadNextPage(at: Self.now))
  }

  @Test("the state of a search has each repository once, in its first position")
  func once() throws {
    var state = RepositorySearchState(query: "a")
    state.apply(try page(1...3, next: 2))
    state.apply(try page(2...5))
    #expect(state.repositories.map(\.id) == [1, 2, 3, 4, 5])
    #expect(state.nextPage == nil)
  }

  @Test(
    "the state of a search keeps its results through any failure, and a page clears the failure"
  )
  func failures() throws {
    let until = Self.now.addingTimeInterval(60)
    var state = RepositorySearchState(query: "a")
    state.apply(try page(1...3, next: 2))
    let loaded = state
    for failure: RepositorySearchOutcome in [
      .limitExceeded(until: until), .offline, .failed(reason: "r"),
    ] {
      state.apply(failure)
      #expect(state.repositories == loaded.repositories)
      #expect(state.nextPage == loaded.nextPage)
      #expect((state.connection == .offline) == (failure == .offline))
      #expect(state.failure == (failure == .failed(reason: "r") ? "r" : nil))
      #expect((state.limitExceededUntil == until) == (failure == .limitExceeded(until: until)))
      #expect(state.canLoadNextPage(at: Self.now) == (state.limitExceededUntil == nil))
      #expect(state.canLoadNextPage(at: until))
    }
    state.apply(try page(4...4))
    #expect(state.failure == nil && state.connection == .online)
  }

  @Test("the state of a search ends after the maximum number of pages from any server")
  func bound() throws {
    var state = RepositorySearchState(query: "a")
    var count = 0
    while state.nextPage != nil, count < 2_000 {
      state.apply(try page(1...1, next: 1))
      count += 1
    }
    #expect(count == 1_000)
  }
}
