import CurlTransport
import GitHubAPI
import HTTPTargets
import IssueTracker
import PlatformModules
import Reactive
import ReactiveTesting
import TestSupport

/// A made-up GitHub, and the time, the network and the activity of a search of it.
struct SearchWorld: Sendable {
  /// Tells which requests are answered when a gate is open.
  typealias Holding = @Sendable (LoopbackRequest) -> Gate?

  static let path = "/search/repositories"
  static let start = Date(timeIntervalSince1970: 1_800_000_000)

  let clock = TestClock()
  let reachability = ManualReachability()
  let activity = ActivityIndicator()
  let github: LoopbackGitHub

  /// - Parameter found: How many repositories each search finds.
  init(found: Int = 130) {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = []
    configuration.repositoriesPerSearch = found
    configuration.now = Self.now(by: clock)
    github = LoopbackGitHub(configuration)
  }

  private static func now(by clock: TestClock) -> @Sendable () -> Date {
    { start.addingTimeInterval(clock.now.offset / .seconds(1)) }
  }

  /// A search of a server whose provider sends each request once, and keeps no limits: what isn't sent
  /// is held back by the search.
  func search(asking server: LoopbackServer, retry: RetryPolicy? = nil) throws
    -> RepositorySearch
  {
    let provider = Provider.gitHub(
      .init(
        server: try GitHubServer(apiURL: server.url), retries: retry, rateLimits: nil,
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())),
        now: Self.now(by: clock)))
    return RepositorySearch(
      provider: provider, reachability: reachability, activity: activity, clock: clock,
      now: Self.now(by: clock))
  }

  /// Starts a server of this GitHub and a run of a search of it.
  ///
  /// - Parameters:
  ///   - form: Which form of the search.
  ///   - held: Answers a request that it gives a gate for when that is open.
  ///   - body: Uses them.
  /// - Throws: What `body` throws, or that there is a state that `body` has not looked at.
  func run(
    _ form: SearchForm, holding held: @escaping Holding = { _ in nil },
    _ body: (SearchRun, LoopbackServer) async throws -> Void
  ) async throws {
    let github = github
    try await withLoopbackServer { request in
      await held(request)?.wait()
      return await github.handler(request)
    } perform: { server in
      let run = try await SearchRun(form, search(asking: server))
      try await body(run, server)
      try await run.finish()
    }
  }

  /// Holds the answers to a query.
  static func holding(query: String, by gate: Gate) -> Holding {
    { $0.queryValue("q") == query ? gate : nil }
  }

  /// Holds a page of every query.
  static func holding(page: Int, by gate: Gate) -> Holding {
    { $0.path == path && $0.queryValue("page") ?? "1" == "\(page)" ? gate : nil }
  }

  /// Lets the connection break in the middle of an answer, as often as a page is tried.
  func loseNetwork(times: Int = 3) {
    github.intercept(
      times: times, where: { $0.path == Self.path },
      response: { _, _ in
        // A byte of the answer, for else libcurl asks again by itself.
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
      })
  }
}

extension LoopbackServer {
  /// The queries of the searches so far.
  var searches: [String] {
    log.requests.filter { $0.path == SearchWorld.path }.compactMap(\.rawQuery)
  }

  /// The queries of the searches so far, and of those about to be sent.
  ///
  /// Nothing tells that a request isn't sent. While others go back and forth, one that is sent in error
  /// gets here.
  var settledSearches: [String] {
    get async throws {
      for _ in 1...5 { _ = try await Provider<GitHub>(asking: self).request(.rateLimit) }
      return searches
    }
  }
}
