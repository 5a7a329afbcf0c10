public import GitHubAPI
internal import HTTPTargets
public import Reactive

/// The repository search as a reactor.
///
/// ```swift
/// let reactor = GitHubSearchReactor(search: search) { url in await browser.open(url) }
/// for await query in search.queries(texts) { reactor.send(.updateQuery(query)) }
/// ```
///
/// It produces the same states from the same requests as ``RepositorySearch/search(_:loadNextPage:)``, if its queries
/// come from ``RepositorySearch/queries(_:)``.
public final class GitHubSearchReactor: Reactor {
  /// The actions of the user.
  public enum Action: Sendable, Hashable {
    /// Changes the query. An equal query is ignored.
    case updateQuery(String)
    /// Requests the next page. This is ignored while a page is loading, while a limit lasts, and after the last page.
    case loadNextPage
    /// Opens a result's page in the browser.
    case select(GitHub.Repository)
  }

  /// The changes of the state.
  public enum Mutation: Sendable, Hashable {
    /// Starts with the empty state of a query.
    case setQuery(String)
    /// Applies the outcome of the request for the first page.
    case setRepos(RepositorySearchOutcome)
    /// Applies the outcome of the request for a later page.
    case appendRepos(RepositorySearchOutcome)
    /// Records that a page starts or stops loading.
    case setLoadingNextPage(Bool)
  }

  /// The visible state.
  public struct State: Sendable, Hashable {
    /// The results.
    public var found: RepositorySearchState
    /// Whether a page is loading, or waiting for the network or for the end of a limit before the first page.
    public var isLoadingNextPage = false
  }

  /// The empty state without a query.
  public let initialState: State
  /// The engine that runs the reactor.
  public let engine = Engine()
  private let search: RepositorySearch
  private let open: @Sendable (String) async -> Void

  /// Creates a reactor. It doesn't send a request before the first query.
  ///
  /// - Parameters:
  ///   - search: The search that loads the pages.
  ///   - open: Opens a web page in the browser. Its URL is http or https.
  public init(search: RepositorySearch, open: @escaping @Sendable (_ url: String) async -> Void) {
    self.search = search
    self.open = open
    initialState = State(found: search.start(""))
  }

  /// Loads pages, and opens selected results.
  public func mutate(_ action: Action) -> Mutations<Action, Mutation> {
    let state = currentState
    switch action {
    case .updateQuery(let query):
      guard query != state.found.query else { return .none }
      let fresh = search.start(query)
      return [.just(.setQuery(query)), load(fresh) { .setRepos($0) }]
    case .loadNextPage:
      guard !state.isLoadingNextPage, state.found.canLoadNextPage(at: search.now()) else {
        return .none
      }
      return load(state.found) { .appendRepos($0) }
    case .select(let repository):
      // The server chose the URL, so only http and https are accepted.
      guard let url = repository.htmlURL, Origin(url: url) != nil else { return .none }
      return .run { [open] _ in await open(url) }
    }
  }

  /// The work ends at the next query, which resets the flag itself.
  private func load(
    _ state: RepositorySearchState,
    _ mutation: @escaping @Sendable (RepositorySearchOutcome) -> Mutation
  ) -> Mutations<Action, Mutation> {
    guard let page = state.nextPage else { return .none }
    return [
      .just(.setLoadingNextPage(true)),
      .run { [search] emit in
        await search.load(page) { outcome in await emit(mutation(outcome)) }
      }
      .until { action in
        if case .updateQuery(let query) = action { query != state.query } else { false }
      },
    ]
  }

  /// Changes the state.
  public func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .setQuery(let query):
      state = State(found: search.start(query))
    case .setRepos(let outcome), .appendRepos(let outcome):
      state.found.apply(outcome)
      // This is in the same step, because a view that shows the page may request the next one immediately. A page
      // that the search requests again is still pending.
      state.isLoadingNextPage = state.found.isRetried
    case .setLoadingNextPage(let isLoading):
      state.isLoadingNextPage = isLoading
    }
  }
}
