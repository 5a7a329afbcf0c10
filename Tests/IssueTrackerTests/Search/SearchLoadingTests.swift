import CurlTransport
import GitHubAPI
import HTTPTargets
import IssueTracker
import PlatformModules
import Reactive
import ReactiveTesting
import TestSupport
import Testing

@Suite("Loading a page of a search", .timeLimit(.minutes(5)))
struct SearchLoadingTests {
  @Test("loading a page of a search returns the page and the link to the next one")
  func page() async throws {
    let world = SearchWorld(found: 31)
    try await withLoopbackServer(answering: world.github.handler) { server in
      let search = try world.search(asking: server)
      guard case .page(let first) = await search.load(.searchRepositories(query: "swift")) else {
        Issue.record("no page")
        return
      }
      #expect(first.repositories.count == 30 && first.totalCount == 31 && !first.isIncomplete)
      let next = try #require(first.next)
      guard case .page(let last) = await search.load(.page(next)) else {
        Issue.record("no page")
        return
      }
      #expect(last.repositories.count == 1 && last.next == nil)
    }
  }

  @Test("loading a page of a search counts the provider's retries toward its three attempts")
  func retries() async throws {
    let world = SearchWorld()
    world.loseNetwork(times: .max)
    for (retries, requests) in [(0, 3), (1, 4), (2, 3), (3, 4)] {
      try await withLoopbackServer(answering: world.github.handler) { server in
        let policy = RetryPolicy(maximumRetries: retries, baseDelay: .zero)
        let search = try world.search(asking: server, retry: policy)
        #expect(await search.load(.searchRepositories(query: "swift")) == .offline)
        #expect(server.log.requestCount == requests, "after \(retries) retries of the provider")
      }
    }
  }

  @Test("loading a page of a search distinguishes an unreachable server from an error response")
  func kinds() async throws {
    let server = try await LoopbackServer.start { _ in .json("{}") }
    let search = try SearchWorld().search(asking: server)
    await server.stop()
    #expect(await search.load(.searchRepositories(query: "swift")) == .offline)

    let world = SearchWorld()
    try await withLoopbackServer(answering: world.github.handler) { server in
      let search = try world.search(asking: server)
      for error: GitHubError in [.serverError, .unavailable, .forbidden, .badCredentials] {
        world.github.stopIntercepting()
        world.github.fail(SearchWorld.path, with: error)
        guard case .failed(let reason) = await search.load(.searchRepositories(query: "a")) else {
          Issue.record("\(error) is no failure")
          continue
        }
        #expect(!reason.isEmpty)
      }
      world.github.stopIntercepting()
      for query in ["", String(repeating: "a", count: 257)] {
        guard case .failed = await search.load(.searchRepositories(query: query)) else {
          Issue.record("“\(query)” is no failure")
          continue
        }
      }
      #expect(server.log.requestCount == 6, "none of them is tried again")
    }
  }

  @Test(
    "a limit that has already ended lasts one second",
    arguments: [
      .secondaryRateLimit(status: 429, retryAfter: 0), .primaryRateLimit(status: 403, reset: -9),
    ] as [GitHubError])
  func shortLimit(error: GitHubError) async throws {
    let world = SearchWorld()
    world.github.fail(SearchWorld.path, with: error)
    try await withLoopbackServer(answering: world.github.handler) { server in
      let search = try world.search(asking: server)
      let outcome = await search.load(.searchRepositories(query: "swift"))
      #expect(outcome == .limitExceeded(until: SearchWorld.start.addingTimeInterval(1)))
    }
  }

  @Test(
    "a server is reachable when it responds with any status", arguments: [200, 403, 404, 500])
  func probing(status: Int) async throws {
    try await withLoopbackServer { _ in
      .json("{}", status: status)
    } perform: { server in
      let reachability = try Self.reachability(of: server)
      await reachability.waitUntilReachable()
      #expect(server.log.requestCount == 0, "nobody has reported a failure")
      reachability.reportFailure()
      await reachability.waitUntilReachable()
      #expect(reachability.isReachable)
      #expect(server.log.requests.map(\.target) == ["/rate_limit"])
    }
  }

  @Test("a server that breaks connections is unreachable, and is probed again")
  func unreachable() async throws {
    let answers = Watched(0)
    try await withLoopbackServer { _ in
      answers.update { $0 += 1 }
      return answers.current < 3 ? .closeWithoutAnswering : .json("{}")
    } perform: { server in
      let reachability = try Self.reachability(of: server)
      reachability.reportFailure()
      await reachability.waitUntilReachable()
      #expect(answers.current >= 3)
    }
  }

  private static func reachability(of server: LoopbackServer) throws -> ProbingReachability {
    ProbingReachability(
      server: try GitHubServer(apiURL: server.url),
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())),
      pauses: .zero ... .zero)
  }
}
