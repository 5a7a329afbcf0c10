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

extension RepositorySearch {
  /// Makes queries of text as it is typed: one at most every 0.3 s, the newest last, and none twice in
  /// succession.
  ///
  /// Blanks around the text are left out: who types one between two words doesn't search anew. The other
  /// forms do this themselves; it is for who sends queries to a ``GitHubSearchReactor``.
  ///
  /// - Parameter texts: The text, each time it changes.
  /// - Returns: The queries. An empty one clears the search.
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
  /// Searches for the text that is typed, and loads a page more whenever that is wanted.
  ///
  /// ```swift
  /// let (pulls, pull) = AsyncStream.makeStream(of: Void.self)
  /// for await state in search.search(texts, loadNextPage: pulls) {
  ///   list.rows = state.repositories
  ///   list.onEnd = { pull.yield() }
  /// }
  /// ```
  ///
  /// Of the text one query at most is made every 0.3 s, and none twice in succession. A newer query ends
  /// all that runs or waits for the one before, and so does the consumer that goes. Empty text gives the
  /// empty state without a request.
  ///
  /// - Parameters:
  ///   - texts: The text, each time it changes.
  ///   - pulls: That the next page is wanted. It is read once in each run of the sequence, as fast as it
  ///     produces: what comes while nothing waits for it is lost.
  /// - Returns: The states. Each iterator is a run of its own, which ends with the text and its last query.
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

  /// Searches for the text that is typed, and loads each page as soon as the one before was taken.
  ///
  /// It goes on to the last page, also over a limit, whose end it waits for. A failure of another kind ends
  /// the query.
  ///
  /// - Parameter texts: The text, each time it changes.
  /// - Returns: The states.
  public func search<Texts: AsyncSequence & Sendable>(
    _ texts: Texts
  ) -> some AsyncSequence<RepositorySearchState, Never> & Sendable
  where Texts.Element == String, Texts.Failure == Never {
    queries(texts).latest { query, emit in await run(query, nil, emit) }
  }

  /// The states of one query.
  ///
  /// - Parameters:
  ///   - query: The query; empty for none.
  ///   - gate: Where it waits until the next page is wanted; nil if it is always wanted.
  ///   - emit: Hands on a state.
  private func run(
    _ query: String, _ gate: PullGate?, _ emit: @Sendable (RepositorySearchState) async -> Void
  ) async {
    var state = start(query)
    await emit(state)
    while let page = state.nextPage, !Task.isCancelled {
      var pull: PullGate.Pull?
      await load(page) { outcome in
        state.apply(outcome)
        // From here on pulls count: the consumer may send one as soon as it has the state. While the
        // network is away nothing looks for them.
        if state.nextPage != nil {
          let limitEnd = state.limitExceededUntil
          pull = gate?.makePull { limitEnd.map { $0 <= now() } ?? true }
        }
        await emit(state)
      }
      if gate != nil {
        guard let pull, await pull.arrives() else { return }
      } else if let until = state.limitExceededUntil {
        try? await clock.sleep(for: .seconds(until.timeIntervalSince(now())))
      } else if state.failure != nil {
        return
      }
    }
  }
}

/// Makes a sequence anew for each iterator.
private struct RepositorySearchRuns<Run: AsyncSequence>: AsyncSequence, Sendable
where Run.Failure == Never {
  typealias Failure = Never

  let makeRun: @Sendable () -> Run

  func makeAsyncIterator() -> Run.AsyncIterator { makeRun().makeAsyncIterator() }
}

extension RepositorySearch {
  /// The state of the search as a feedback loop.
  public struct LoopState: Sendable, Hashable {
    /// What there is to show.
    public var found: RepositorySearchState
    /// Whether the next page is wanted.
    public var shouldLoadNextPage: Bool

    /// The page to be loaded now, if any.
    public var loadNextPage: GitHub? { shouldLoadNextPage ? found.nextPage : nil }

    /// Creates the state that a query begins with: its first page is wanted.
    public init(_ found: RepositorySearchState) {
      self.found = found
      shouldLoadNextPage = true
    }
  }

  /// What happens to the search as a feedback loop.
  public enum LoopEvent: Sendable, Hashable {
    /// There is another query.
    case searchChanged(String)
    /// The next page is wanted.
    case startLoadingNextPage
    /// An outcome of the request for the next page is there.
    case response(RepositorySearchOutcome)
  }

  /// The same search as ``search(_:loadNextPage:)``, as a feedback loop.
  ///
  /// - Parameters:
  ///   - texts: The text, each time it changes.
  ///   - pulls: That the next page is wanted.
  ///   - feedbacks: More feedbacks, such as a user interface
  ///     (``Reactive/Feedback/bind(show:events:)``).
  /// - Returns: The loop, which begins with the empty state of no query.
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
          // Offline the same page is still wanted, and its effect waits for the network.
          state.shouldLoadNextPage = outcome == .offline
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
