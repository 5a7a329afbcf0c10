public import GitHubAPI
public import HTTPTargets
public import PlatformModules
public import Reactive

/// GitHub's repository search, page by page, for typed text.
///
/// ```swift
/// let search = RepositorySearch()
/// for await state in search.search(texts, loadNextPage: scrolledToTheEnd) {
///   show(state.repositories)
/// }
/// ```
///
/// It has three forms with the same states and requests: a sequence (``search(_:loadNextPage:)``), a feedback loop
/// (``loop(_:loadNextPage:feedbacks:)``) and a reactor (``GitHubSearchReactor``).
///
/// - A query starts with the empty state. Each page is added to the previous ones, and then the search waits until the
///   next page is requested. Signals that arrive while a page is loading are ignored.
/// - If the server reports a limit, the results stay, and this query doesn't send a request before the limit ends.
///   Another query may. Without results, there is nothing to scroll: the first page is requested again when the limit
///   ends.
/// - If the server can't be reached in three tries, the results stay. The same page is requested again when the server
///   can be reached, with increasing pauses if that keeps failing.
/// - After any other failure, the page is requested again at the next signal.
public struct RepositorySearch: Sendable {
  /// Indicates whether requests are running. Waiting for the network doesn't count.
  public let activity: ActivityIndicator
  let pageSize: Int
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  private let provider: Provider<GitHub>
  private let reachability: any Reachability

  /// The tries per page, including the provider's retries, before the server counts as unreachable.
  private static let maximumTries = 3

  /// Creates a search. It doesn't send a request before the first query.
  ///
  /// - Parameters:
  ///   - provider: The provider that sends the requests.
  ///   - reachability: Reports when an unreachable server can be reached again.
  ///   - activity: The indicator that counts running requests.
  ///   - pageSize: The number of repositories per request, from 1 to 100.
  ///   - clock: The clock for the throttle and for waiting until limits end.
  ///   - now: The local time, which determines whether a limit has ended.
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

  /// Creates a search on a server, with ``PlatformTransport/shared``.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token; nil for anonymous access.
  public init(server: GitHubServer = .github, token: AccessToken? = nil) {
    self.init(
      provider: Provider.gitHub(.init(server: server, token: token)),
      reachability: ProbingReachability(server: server, token: token))
  }

  func start(_ query: String) -> RepositorySearchState {
    RepositorySearchState(query: query, pageSize: pageSize)
  }

  /// Loads one page. All forms use this function.
  ///
  /// - Parameter page: The first page of a query, or a page linked by the server.
  /// - Returns: The page or the failure. The result has no meaning if the task was canceled.
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

  /// Retries whenever the server can be reached again, and the first page also at the end of a limit.
  func load(
    _ page: GitHub, emit: (RepositorySearchOutcome) async -> Void
  ) async {
    var failures = 0
    while !Task.isCancelled {
      let outcome = await load(page)
      if outcome == .offline, !Task.isCancelled { reachability.reportFailure() }
      await emit(outcome)
      switch outcome {
      case .offline:
        failures += 1
        await reachability.waitUntilReachable()
        if let pause = Self.pause(afterFailures: failures) { try? await clock.sleep(for: pause) }
      case .limitExceeded(let until) where page.isFirstOfSearch:
        await sleep(until: until)
      default: return
      }
    }
  }

  private func sleep(until end: Date) async {
    try? await clock.sleep(for: .seconds(end.timeIntervalSince(now())))
  }

  /// The pause before a page is requested again that failed this many times in a row, although the server was reachable
  /// in between. From the third failure on, it is 1 s, 2 s, 4 s and so on, up to a minute.
  package static func pause(afterFailures count: Int) -> Duration? {
    count < 3 ? nil : .seconds(min(1 << min(count - 3, 6), 60))
  }

  private func request(_ page: GitHub) async throws(NetworkError) -> RepositorySearchPage {
    let response = try await provider.request(page)
    let results: SearchResults<GitHub.Repository> = try response.decode(using: GitHubJSON.decoder())
    return RepositorySearchPage(
      repositories: results.items, totalCount: results.totalCount,
      isIncomplete: results.isIncomplete,
      next: try provider.nextPage(after: response, count: results.items.count))
  }
}

extension RepositorySearch {
  /// Converts typed text to queries: at most one every 0.3 s, always the newest, and never two equal queries in a row.
  ///
  /// Surrounding whitespace is removed, so that a space between two words doesn't start a new search. Use this as input
  /// for a ``GitHubSearchReactor``; the other forms call it themselves.
  ///
  /// - Parameter texts: The text after each change.
  /// - Returns: The queries. An empty query clears the search.
  public func queries<Texts: AsyncSequence & Sendable>(
    _ texts: Texts
  ) -> some AsyncSequence<String, Never> & Sendable
  where Texts.Element == String, Texts.Failure == Never {
    texts.throttleLatest(for: .milliseconds(300), clock: clock).map(Self.trimmed).removeDuplicates()
  }

  private static func trimmed(_ text: String) -> String {
    guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(text[...last].drop { $0.isWhitespace })
  }
}

extension RepositorySearch {
  /// Searches for typed text, and loads the next page when it is requested.
  ///
  /// ```swift
  /// let (pulls, pull) = AsyncStream.makeStream(of: Void.self)
  /// for await state in search.search(texts, loadNextPage: pulls) {
  ///   list.rows = state.repositories
  ///   list.onEnd = { pull.yield() }
  /// }
  /// ```
  ///
  /// At most one query is sent every 0.3 s, and never the same query twice in a row. A newer query, or the end of the
  /// consumer's loop, cancels all work of the previous query. Empty text results in the empty state without a request.
  ///
  /// - Parameters:
  ///   - texts: The text after each change.
  ///   - pulls: Signals that request the next page. Each run reads them once, as fast as they arrive. Signals are lost
  ///     if nothing is waiting for them.
  /// - Returns: The states. Each iterator is a separate run, which ends after the texts and the last query have ended.
  public func search<Texts: AsyncSequence & Sendable, Pulls: AsyncSequence & Sendable>(
    _ texts: Texts, loadNextPage pulls: Pulls
  ) -> some AsyncSequence<RepositorySearchState, Never> & Sendable
  where
    Texts.Element == String, Texts.Failure == Never, Pulls.Element == Void, Pulls.Failure == Never
  {
    RepositorySearchRuns {
      let gate = PullGate(pulls)
      return queries(texts).latest { query, emit in
        gate.open()
        await run(query, gate, emit)
      }
    }
  }

  /// Searches for typed text, and loads each page as soon as the consumer has received the previous one.
  ///
  /// It continues to the last page, and waits for limits to end. Other failures end the query.
  ///
  /// - Parameter texts: The text after each change.
  /// - Returns: The states.
  public func search<Texts: AsyncSequence & Sendable>(
    _ texts: Texts
  ) -> some AsyncSequence<RepositorySearchState, Never> & Sendable
  where Texts.Element == String, Texts.Failure == Never {
    queries(texts).latest { query, emit in await run(query, nil, emit) }
  }

  private func run(
    _ query: String, _ gate: PullGate?, _ emit: @Sendable (RepositorySearchState) async -> Void
  ) async {
    var state = start(query)
    await emit(state)
    while let page = state.nextPage, !Task.isCancelled {
      var pull: PullGate.Pull?
      await load(page) { outcome in
        state.apply(outcome)
        // Signals count from here on, because the consumer may send one as soon as it has received the state.
        if state.nextPage != nil {
          let limitEnd = state.limitExceededUntil
          pull = gate?.makePull { limitEnd.map { $0 <= now() } ?? true }
        }
        await emit(state)
      }
      if gate != nil {
        guard let pull, await pull.arrives() else { return }
      } else if let until = state.limitExceededUntil {
        await sleep(until: until)
      } else if state.failure != nil {
        return
      }
    }
  }
}

private struct RepositorySearchRuns<Run: AsyncSequence>: AsyncSequence, Sendable
where Run.Failure == Never {
  typealias Failure = Never

  let makeRun: @Sendable () -> Run

  func makeAsyncIterator() -> Run.AsyncIterator { makeRun().makeAsyncIterator() }
}

extension RepositorySearch {
  /// The state of the search in its feedback loop.
  public struct LoopState: Sendable, Hashable {
    /// The results.
    public var found: RepositorySearchState
    /// Whether the next page is requested.
    public var shouldLoadNextPage: Bool

    /// The page to load now; nil if no page should be loaded.
    public var loadNextPage: GitHub? { shouldLoadNextPage ? found.nextPage : nil }

    /// Creates the initial state of a query, in which its first page is requested.
    public init(_ found: RepositorySearchState) {
      self.found = found
      shouldLoadNextPage = true
    }
  }

  /// The events of the search in its feedback loop.
  public enum LoopEvent: Sendable, Hashable {
    /// The query changed.
    case searchChanged(String)
    /// The next page is requested.
    case startLoadingNextPage
    /// The request for the next page has an outcome.
    case response(RepositorySearchOutcome)
  }

  /// The search of ``search(_:loadNextPage:)`` as a feedback loop.
  ///
  /// - Parameters:
  ///   - texts: The text after each change.
  ///   - pulls: Signals that request the next page.
  ///   - feedbacks: Additional feedbacks, such as a user interface (``/Reactive/Feedback/bind(show:events:)``).
  /// - Returns: The loop, which starts with the empty state.
  public func loop<Texts: AsyncSequence & Sendable, Pulls: AsyncSequence & Sendable>(
    _ texts: Texts, loadNextPage pulls: Pulls, feedbacks: [Feedback<LoopState, LoopEvent>] = []
  ) -> FeedbackLoop<LoopState, LoopEvent>
  where
    Texts.Element == String, Texts.Failure == Never, Pulls.Element == Void, Pulls.Failure == Never
  {
    FeedbackLoop(
      initialState: LoopState(start("")),
      reduce: { state, event in
        switch event {
        case .searchChanged(let query):
          state = LoopState(start(query))
        case .startLoadingNextPage where state.found.canLoadNextPage(at: now()):
          state.shouldLoadNextPage = true
        case .startLoadingNextPage:
          break
        case .response(let outcome):
          state.found.apply(outcome)
          state.shouldLoadNextPage = state.found.isRetried
        }
      },
      feedbacks: [
        .react(request: \.loadNextPage) { page, emit in
          await load(page) { outcome in await emit(.response(outcome)) }
        },
        .events(queries(texts).map { .searchChanged($0) }),
        .events(pulls.map { .startLoadingNextPage }),
      ] + feedbacks)
  }
}
