import CurlTransport
import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import TestTraits
import Testing

@Suite("A cached listing", .tags(.heavy), .timeLimit(.minutes(5)))
struct CachedIssuesTests {
  private static let repository = LoopbackRepository.swift(
    issues: SyntheticIssues(count: count, pullRequests: 0.2, closed: 0.2))
  private static let count = runsFullTests ? 620 : 320

  private func rows(
    _ server: LoopbackServer, _ interceptors: [any Interceptor], _ filter: IssueFilter
  ) async throws -> [GitHub.Issue] {
    let provider = Provider.gitHub(
      .init(
        server: try GitHubServer(apiURL: server.url), interceptors: interceptors,
        transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
    let name = try #require(RepositoryName("swiftlang/swift"))
    var rows: [GitHub.Issue] = []
    for try await page in IssueListing(provider: provider, repository: name, filter: filter) {
      rows += page.issues
    }
    return rows
  }

  @Test(
    "a cached listing returns the same issues as an uncached one after any change",
    arguments: ([1, 2, 3] as [UInt64]).sampled(every: 3),
    [IssueFilter(), IssueFilter(state: .all, sort: .updated)])
  func property(seed: UInt64, filter: IssueFilter) async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    var generator = FuzzSource(seed: seed)
    try await withLoopbackServer(answering: github.handler) { server in
      let folder = try ScratchFolder()
      let memory = MemoryResponseStore()
      for _ in 0..<6 {
        let disk = DiskResponseStore(folder: "\(folder.path)/issues")
        let expected = try await rows(server, [], filter)
        for store in [memory, disk] as [any ResponseStore] {
          let rows = try await rows(server, [CachingInterceptor(store: store)], filter)
          #expect(rows.map(\.number) == expected.map(\.number))
          #expect(rows.map(\.title) == expected.map(\.title))
          await store.flush()
        }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          break
        case 1:
          // A whole page, at times: then a page has the address that another had.
          for _ in 0..<[1, 7, 100].randomElement(using: &generator)! {
            github.addIssue(to: Self.repository)
          }
        case 2:
          for _ in 0..<20 {
            let number = Int.random(in: 1...Self.count - 20, using: &generator)
            github.changeIssue(number, of: Self.repository) { issue in
              issue.closedAt = issue.isOpen ? issue.createdAt + 1 : nil
            }
          }
        default:
          let number = Int.random(in: 1...Self.count - 20, using: &generator)
          github.changeIssue(number, of: Self.repository) { $0.title = "changed" }
        }
      }
    }
  }

  @Test(
    "a second listing of 1,234 issues returns the same rows with one conditional request per page")
  func secondTime() async throws {
    let github = LoopbackGitHub(
      repositories: [.swift(issues: SyntheticIssues(count: 1_234, pullRequests: 0, closed: 0))])
    let statuses = Watched<[Int]>([])
    try await withLoopbackServer { request in
      let response = await github.handler(request)
      statuses.update { $0.append(response.status) }
      return response
    } perform: { server in
      let cache = CachingInterceptor(store: MemoryResponseStore())
      let first = try await rows(server, [cache], IssueFilter())
      #expect(first.count == 1_234)
      #expect(statuses.current == Array(repeating: 200, count: 13))
      let second = try await rows(server, [cache], IssueFilter())
      #expect(second.map(\.number) == first.map(\.number))
      #expect(second == first)
      #expect(statuses.current.dropFirst(13) == Array(repeating: 304, count: 13)[...])
      #expect(server.log.requests.suffix(13).allSatisfy { $0.headers["If-None-Match"] != nil })
      #expect(Set(server.log.requests.suffix(13).map(\.target)).count == 13)
    }
  }
}
