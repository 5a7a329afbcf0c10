public import GitHubAPI
public import HTTPTargets
public import Reactive

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// GitHub's search for repositories, page by page, for text that somebody is typing.
///
/// ```swift
/// let search = RepositorySearch()
/// for await state in search.search(texts, loadNextPage: scrolledToTheEnd) {
///   show(state.repositories)
/// }
/// ```
///
/// It comes in three forms that give the same states from the same requests: a sequence
/// (``search(_:loadNextPage:)``), a feedback loop (``loop(_:loadNextPage:)``) and a reactor
/// (``GitHubSearchReactor``).
///
/// - A query starts from the empty state. Each page adds to what was loaded before; after it the search
///   waits until the next one is wanted. That it is wanted while a page is loading counts for nothing.
/// - When the server reports a limit, what was loaded stays, and this query makes no request before the
///   limit ends, wanted or not. Another query may.
/// - When the server can't be reached in three tries, what was loaded stays, and the same page is asked for
///   again when it can be reached; after growing pauses where that keeps failing.
/// - After any other failure the next page is asked for again when it is wanted.
public struct RepositorySearch: Sendable {
  /// Tells whether requests are running; a wait for the network is none.
  public let activity: ActivityIndicator
  /// How many repositories to ask for at a time.
  let pageSize: Int
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  private let provider: Provider<GitHub>
  private let reachability: any Reachability

  /// How often a page is asked for before the server counts as unreachable, the provider's own retries
  /// included.
  private static let maximumTries = 3

  /// Creates a search; nothing is asked before there is a query.
  ///
  /// - Parameters:
  ///   - provider: Where to ask.
  ///   - reachability: Tells when a server that could not be reached can be again.
  ///   - activity: Is told of running requests.
  ///   - pageSize: How many repositories to ask for at a time, 1–100.
  ///   - clock: The clock of the throttle, and of what waits for a limit to end.
  ///   - now: The local time, to tell whether a limit has ended.
  public init(
    provider: Provider<GitHub>, reachability: any Reachability,
    activity: ActivityIndicator = ActivityIndicator(), pageSize: Int = 30,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.provider = provider
    self.reachability = reachability
    self.activity = activity
    self.pageSize = pageSize
    self.clock = clock
    self.now = now
  }

  /// Creates a search of a server, over the shared ``CurlTransport/CurlTransport``.
  ///
  /// - Parameters:
  ///   - server: The server; github.com unless said otherwise.
  ///   - token: The access token; nil to ask without one.
  public init(server: GitHubServer = .github, token: AccessToken? = nil) {
    self.init(
      provider: Provider(server: server, token: token),
      reachability: ProbingReachability(server: server, token: token))
  }

  /// The state that a query begins with.
  func start(_ query: String) -> RepositorySearchState {
    RepositorySearchState(query: query, pageSize: pageSize)
  }

  /// Loads one page: the function that all forms share.
  ///
  /// - Parameter page: The first page of a query, or one that a server named.
  /// - Returns: The page, or what there is instead; of no interest when the task was cancelled.
  public func load(_ page: GitHub) async -> RepositorySearchOutcome {
    await activity.track { await tryLoading(page) }
  }

  private func tryLoading(_ page: GitHub) async -> RepositorySearchOutcome {
    var tries = 0
    while true {
      do throws(NetworkError) {
        return .page(try await request(page))
      } catch {
        tries += max(error.attempts, 1)
        guard error.isUnreachable, tries < Self.maximumTries, !Task.isCancelled else {
          return RepositorySearchOutcome(error, now: now())
        }
      }
    }
  }

  /// Loads one page, again each time the server has come back after it could not be reached.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - emit: Is told each outcome. The last one is not ``RepositorySearchOutcome/offline``.
  func load(
    _ page: GitHub, emit: (RepositorySearchOutcome) async -> Void
  ) async {
    var failures = 0
    while !Task.isCancelled {
      let outcome = await load(page)
      if outcome == .offline, !Task.isCancelled { reachability.reportFailure() }
      await emit(outcome)
      guard outcome == .offline else { return }
      failures += 1
      await reachability.waitUntilReachable()
      if let pause = Self.pause(afterFailures: failures) { try? await clock.sleep(for: pause) }
    }
  }

  /// How long to let a page be that could not be got so many times in a row, though each time the server
  /// could be reached again: it may answer everything but this page. From the third time on that is 1 s,
  /// 2 s, 4 s and so on to a minute.
  package static func pause(afterFailures count: Int) -> Duration? {
    count < 3 ? nil : .seconds(min(1 << min(count - 3, 6), 60))
  }

  private func request(_ page: GitHub) async throws(NetworkError) -> RepositorySearchPage {
    let response = try await provider.request(page)
    let results: SearchResults<Repository> = try response.decode(using: GitHubJSON.decoder())
    return RepositorySearchPage(
      repositories: results.items, totalCount: results.totalCount,
      isIncomplete: results.isIncomplete,
      next: try PageLink(nextIn: response.headers, of: response.request.url))
  }
}
