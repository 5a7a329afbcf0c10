import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@Suite("IssueListing", .timeLimit(.minutes(5)))
struct IssueListingTests {
  private static let swift = RepositoryName("swiftlang/swift")

  private func listing(
    _ server: LoopbackServer, filter: IssueFilter = IssueFilter(), limit: Int? = nil,
    includesPullRequests: Bool = false
  ) throws -> IssueListing {
    IssueListing(
      provider: try Provider(asking: server), repository: try #require(Self.swift),
      filter: filter, limit: limit, includesPullRequests: includesPullRequests)
  }

  /// The pages, each as its numbers and whether there is more.
  private func pages(_ listing: IssueListing) async throws -> [(numbers: [Int], hasMore: Bool)] {
    var pages: [(numbers: [Int], hasMore: Bool)] = []
    for try await page in listing { pages.append((page.issues.map(\.number), page.hasMore)) }
    return pages
  }

  @Test("IssueListing returns every issue of 1,234 items once, in order", arguments: [false, true])
  func everything(includesPullRequests: Bool) async throws {
    let recipe = SyntheticIssues(count: 1_234)
    let github = LoopbackGitHub.everywhere(swift: recipe)
    try await withLoopbackServer(answering: github.handler) { server in
      let all = try await pages(
        listing(
          server, filter: IssueFilter(state: .all), includesPullRequests: includesPullRequests))
      let expected = recipe.make().reversed()
        .filter { includesPullRequests || !$0.isPullRequest }.map(\.number)
      #expect(all.flatMap(\.numbers) == expected)
      #expect(all.map(\.hasMore) == Array(repeating: true, count: 12) + [false])
      #expect(server.log.requestCount == 13)
      #expect(server.log.requests.first?.rawQuery == "state=all&per_page=100")
      // The links are followed as given: by the repository's id, with a cursor.
      #expect(
        server.log.requests.dropFirst().allSatisfy {
          $0.path == "/repositories/44838949/issues" && $0.queryValue("after") != nil
        })
    }
  }

  @Test(
    "a limit counts issues, and ends the listing when it is reached",
    arguments: [1, 30, 100, 101, 250], [false, true])
  func limits(limit: Int, includesPullRequests: Bool) async throws {
    let recipe = SyntheticIssues(count: 1_234)
    let github = LoopbackGitHub.everywhere(swift: recipe)
    try await withLoopbackServer(answering: github.handler) { server in
      let listing = try listing(
        server, limit: limit, includesPullRequests: includesPullRequests)
      let all = try await pages(listing)
      let items = recipe.make().reversed().filter(\.isOpen)
      let wanted = items.filter { includesPullRequests || !$0.isPullRequest }.prefix(limit)
      #expect(all.flatMap(\.numbers) == wanted.map(\.number))
      #expect(all.last?.hasMore == true)

      let pageSize = try #require(
        server.log.requests.first?.queryValue("per_page").flatMap(Int.init))
      #expect((1...100).contains(pageSize))
      let last = try #require(items.firstIndex { $0.number == wanted.last?.number })
      #expect(server.log.requestCount == last / pageSize + 1)
    }
  }

  @Test("a limit of zero issues doesn't send a request", arguments: [0, -1])
  func noLimit(limit: Int) async throws {
    try await withLoopbackServer(answering: LoopbackGitHub.everywhere().handler) { server in
      let all = try await pages(listing(server, limit: limit))
      #expect(all.isEmpty)
      #expect(server.log.requestCount == 0)
    }
  }

  /// A repository of open issues whose oldest items are pull requests.
  struct Ending: CustomTestStringConvertible {
    var issues: Int
    var pullRequests: Int
    var limit: Int?
    /// The `hasMore` of the last page.
    var hasMore: Bool

    var testDescription: String {
      "\(issues) issues before \(pullRequests) pull requests, limit \(limit.map(String.init) ?? "-")"
    }
  }

  @Test(
    "the last page shows whether the limit cut off the list",
    arguments: [
      Ending(issues: 0, pullRequests: 0, limit: nil, hasMore: false),
      Ending(issues: 0, pullRequests: 0, limit: 10, hasMore: false),
      Ending(issues: 0, pullRequests: 5, limit: 10, hasMore: false),
      Ending(issues: 0, pullRequests: 150, limit: nil, hasMore: false),
      Ending(issues: 20, pullRequests: 0, limit: 20, hasMore: false),
      Ending(issues: 20, pullRequests: 0, limit: 19, hasMore: true),
      Ending(issues: 20, pullRequests: 0, limit: 21, hasMore: false),
      Ending(issues: 20, pullRequests: 5, limit: 20, hasMore: false),
      Ending(issues: 20, pullRequests: 5, limit: 19, hasMore: true),
      Ending(issues: 100, pullRequests: 0, limit: 100, hasMore: false),
      Ending(issues: 101, pullRequests: 0, limit: 100, hasMore: true),
      Ending(issues: 150, pullRequests: 0, limit: 150, hasMore: false),
      Ending(issues: 150, pullRequests: 0, limit: 149, hasMore: true),
      Ending(issues: 150, pullRequests: 300, limit: 150, hasMore: true),
      Ending(issues: 100, pullRequests: 50, limit: nil, hasMore: false),
      Ending(issues: 100, pullRequests: 50, limit: 101, hasMore: false),
      Ending(issues: 100, pullRequests: 250, limit: nil, hasMore: false),
      // The limit is reached with a page's last item: what the next one holds is not looked at.
      Ending(issues: 100, pullRequests: 50, limit: 100, hasMore: true),
    ])
  func endings(ending: Ending) async throws {
    let recipe = SyntheticIssues(
      count: ending.issues + ending.pullRequests, pullRequests: 0, closed: 0)
    let repository = LoopbackRepository.swift(issues: recipe)
    let github = LoopbackGitHub(repositories: [repository])
    for number in 0..<ending.pullRequests {
      github.changeIssue(number + 1, of: repository) { $0.isPullRequest = true }
    }
    try await withLoopbackServer(answering: github.handler) { server in
      let all = try await pages(listing(server, limit: ending.limit))
      let count = min(ending.issues, ending.limit ?? .max)
      #expect(all.flatMap(\.numbers).count == count)
      #expect(all.last?.hasMore == ending.hasMore)
      #expect(all.dropLast().allSatisfy { $0.hasMore && !$0.numbers.isEmpty })
    }
  }

  @Test("an issue that is repeated on a page or across pages is returned and counted once")
  func repeatedNumbers() async throws {
    func page(_ numbers: [Int], next: String?) -> LoopbackResponse {
      let items = numbers.map { #"{"id": \#($0), "number": \#($0), "title": "", "state": "open"}"# }
      var answer = LoopbackResponse.json("[\(items.joined(separator: ","))]")
      if let next { answer.headers.add("Link", "<\(next)>; rel=\"next\"") }
      return answer
    }
    var routes = RouteTable()
    routes.on("/repos/swiftlang/swift/issues", page([9, 8, 8, 7], next: "/2"))
    routes.on("/2", page([7, 8, 6], next: "/3"))
    routes.on("/3", page([9], next: "/4"))
    routes.on("/4", page([6, 5, 4], next: nil))
    try await withLoopbackServer(answering: routes.handler) { server in
      let all = try await pages(listing(server))
      #expect(all.map(\.numbers) == [[9, 8, 7], [6], [5, 4]])
      let five = try await pages(listing(server, limit: 5))
      #expect(five.map(\.numbers) == [[9, 8, 7], [6], [5]])
    }
  }

  @Test("a listing doesn't repeat or lose issues when issues are opened during it")
  func changingList() async throws {
    let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 350, pullRequests: 0, closed: 0))
    let github = LoopbackGitHub(repositories: [repository])
    try await withLoopbackServer(answering: github.handler) { server in
      var numbers: [Int] = []
      for try await page in try listing(server) {
        numbers += page.issues.map(\.number)
        for _ in 0..<3 { github.addIssue(to: repository) }
      }
      #expect(numbers == Array((1...350).reversed()))
    }
  }

  @Test("an interrupted listing ends with an error after the complete pages")
  func broken() async throws {
    let github = LoopbackGitHub.everywhere()
    github.intercept(
      where: { $0.queryValue("after") != nil },
      response: { _, _ in .json("[{").with { $0.framing = .declaredLength(10_000) } })
    try await withLoopbackServer(answering: github.handler) { server in
      var iterator = try listing(server).makeAsyncIterator()
      let first = try await iterator.next(isolation: nil)
      #expect(first?.issues.map(\.number) == LoopbackGitHub.openIssues(among: 100))
      #expect(first?.hasMore == true)
      do throws(NetworkError) {
        _ = try await iterator.next(isolation: nil)
        Issue.record("the second page broke off")
      } catch {
        #expect(error.transportFailure?.reason == .interrupted)
      }
    }
  }
}
