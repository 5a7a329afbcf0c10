import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@Suite("IssueComments", .timeLimit(.minutes(5)))
struct IssueCommentsTests {
  private static let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 3))

  /// A GitHub whose second issue has some comments.
  private static func github(comments: Int) -> LoopbackGitHub {
    let github = LoopbackGitHub(repositories: [repository])
    github.changeIssue(2, of: repository) { $0.comments = comments }
    return github
  }

  private func comments(
    _ server: LoopbackServer, of name: String = "swiftlang/swift", number: Int = 2,
    pageSize: Int = 100
  ) throws -> IssueComments {
    IssueComments(
      provider: try Provider(asking: server), repository: try #require(RepositoryName(name)),
      number: number, pageSize: pageSize)
  }

  private func pages(_ comments: IssueComments) async throws -> [[IssueComment]] {
    var pages: [[IssueComment]] = []
    for try await page in comments { pages.append(page) }
    return pages
  }

  /// The places from 1 that the texts of comments name.
  private func places(_ comments: [IssueComment]) -> [Int] {
    comments.compactMap { $0.body?.split(separator: ":").first?.split(separator: " ").last }
      .compactMap { Int($0) }
  }

  @Test(
    "IssueComments returns every comment once, oldest first, with one request per page",
    arguments: [(1, 100), (100, 100), (101, 100), (250, 100), (250, 7), (30, 30)])
  func everything(count: Int, pageSize: Int) async throws {
    try await withLoopbackServer(answering: Self.github(comments: count).handler) { server in
      let pages = try await pages(comments(server, pageSize: pageSize))
      #expect(places(pages.flatMap { $0 }) == Array(1...count))
      #expect(pages.dropLast().allSatisfy { $0.count == pageSize })
      #expect(server.log.requestCount == (count + pageSize - 1) / pageSize)
      #expect(
        server.log.requests.first?.target
          == "/repos/swiftlang/swift/issues/2/comments?per_page=\(pageSize)")
    }
  }

  @Test("IssueComments is empty for an issue without comments")
  func none() async throws {
    try await withLoopbackServer(answering: Self.github(comments: 0).handler) { server in
      let pages = try await pages(comments(server))
      #expect(pages.isEmpty)
      #expect(server.log.requestCount == 1)
    }
  }

  @Test("IssueComments can be prefetched, and then sends each request once")
  func prefetch() async throws {
    try await withLoopbackServer(answering: Self.github(comments: 150).handler) { server in
      var iterator = try comments(server).makeAsyncIterator()
      iterator.prefetch()
      iterator.prefetch()
      try await server.log.waitForRequest()
      let first = try await iterator.next(isolation: nil)
      let second = try await iterator.next(isolation: nil)
      let third = try await iterator.next(isolation: nil)
      #expect([first?.count, second?.count, third?.count] == [100, 50, nil])
      #expect(server.log.requestCount == 2)
    }
  }

  @Test("IssueComments finds the comments of a renamed repository and of a transferred issue")
  func moved() async throws {
    let elsewhere = LoopbackRepository(id: 7, owner: "swiftlang", name: "elsewhere")
    let github = LoopbackGitHub(repositories: [Self.repository, elsewhere])
    github.changeIssue(2, of: Self.repository) { $0.comments = 5 }
    github.changeIssue(3, of: Self.repository) { $0.comments = 6 }
    github.transferIssue(3, of: Self.repository, to: elsewhere)
    try await withLoopbackServer(answering: github.handler) { server in
      let renamed = try await pages(comments(server, of: "apple/swift", pageSize: 2))
      #expect(places(renamed.flatMap { $0 }) == Array(1...5))
      let transferred = try await pages(comments(server, number: 3, pageSize: 4))
      #expect(places(transferred.flatMap { $0 }) == Array(1...6))
    }
  }

  @Test("IssueComments ends with an error after the complete pages if a page is interrupted")
  func broken() async throws {
    let github = Self.github(comments: 150)
    github.fail("/repositories/44838949/issues/2/comments", with: .serverError)
    try await withLoopbackServer(answering: github.handler) { server in
      var iterator = try comments(server).makeAsyncIterator()
      #expect(try await iterator.next(isolation: nil)?.count == 100)
      let error = await #expect(throws: NetworkError.self) {
        try await iterator.next(isolation: nil)
      }
      #expect(error?.response?.status == .internalServerError)
    }
  }

  @Test("IssueComments throws an error for a missing issue", arguments: [(99, 404), (1, 410)])
  func missing(number: Int, status: Int) async throws {
    let github = Self.github(comments: 1)
    github.deleteIssue(1, of: Self.repository)
    try await withLoopbackServer(answering: github.handler) { server in
      let error = await #expect(throws: NetworkError.self) {
        try await pages(comments(server, number: number))
      }
      #expect(error?.response?.status.code == status)
    }
  }

  @Test(
    "IssueComments returns a comment once, even if a deletion repeats it on the next page"
  )
  func repeated() async throws {
    var routes = RouteTable()
    routes.on(
      "/repos/swiftlang/swift/issues/2/comments",
      .json(
        #"[{"id":1},{"id":2}]"#,
        headers: ["Link": "</2>; rel=\"next\", </3>; rel=\"last\""]))
    routes.on("/2", .json(#"[{"id":2}]"#, headers: ["Link": "</3>; rel=\"next\""]))
    routes.on("/3", .json(#"[{"id":2},{"id":3,"body":null,"user":null}]"#))
    try await withLoopbackServer(answering: routes.handler) { server in
      let pages = try await pages(comments(server))
      #expect(pages.map { $0.map(\.id) } == [[1, 2], [3]])
    }
  }
}
