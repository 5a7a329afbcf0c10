public import GitHubAPI
package import HTTPTargets
public import PlatformModules

/// The visible state of a search: the results so far, and the reason that there aren't more.
///
/// All forms of the search use this state and its changes, so that they behave in the same way.
public struct RepositorySearchState: Sendable, Hashable {
  /// The connection to the server.
  public enum Connection: Sendable, Hashable {
    /// The server was reached, or no request has been sent yet.
    case online
    /// The server couldn't be reached. The same page is requested again when the server can be reached.
    case offline
  }

  /// The text of the search.
  public let query: String
  /// The results so far, in the server's order. A repository that shifts to the next page during the search is listed
  /// only once.
  public private(set) var repositories: [GitHub.Repository] = []
  /// The total number of results; nil before the first page.
  public private(set) var totalCount: Int?
  /// Whether the search timed out on a page and may have missed repositories.
  public private(set) var isIncomplete = false
  /// The connection to the server.
  public private(set) var connection = Connection.online
  /// The local time when the limit that stopped the last request ends; nil without a limit. At that time, the first page
  /// is requested again. A later page waits until it is requested.
  public private(set) var limitExceededUntil: Date?
  /// The reason that the last response couldn't be used, as a message for the user; nil if it could.
  public private(set) var failure: String?
  /// The next page to load: initially the first page, and after a failure the same page again; nil if no more pages
  /// follow.
  public private(set) var nextPage: GitHub?

  /// The limit of pages, for a server whose pages never end.
  private static var maximumPages: Int { SearchResults<GitHub.Repository>.maximumCount }
  private var pageCount = 0

  /// Creates the initial state of a query. With an empty query, there is no page to load.
  ///
  /// - Parameters:
  ///   - query: The text of the search.
  ///   - pageSize: The number of repositories per request, from 1 to 100.
  public init(query: String = "", pageSize: Int = 30) {
    self.query = query
    nextPage = query.isEmpty ? nil : .searchRepositories(query: query, pageSize: pageSize)
  }

  /// Applies the outcome of the request for ``nextPage``.
  public mutating func apply(_ outcome: RepositorySearchOutcome) {
    connection = .online
    limitExceededUntil = nil
    failure = nil
    switch outcome {
    case .page(let page):
      var known = Set(repositories.map(\.id))
      repositories += page.repositories.filter { known.insert($0.id).inserted }
      totalCount = page.totalCount
      isIncomplete = isIncomplete || page.isIncomplete
      pageCount += 1
      nextPage = pageCount < Self.maximumPages ? page.next.map(GitHub.page) : nil
    case .limitExceeded(let until): limitExceededUntil = until
    case .offline: connection = .offline
    case .failed(let reason): failure = reason
    }
  }

  /// Whether the search requests ``nextPage`` again by itself.
  var isRetried: Bool {
    connection == .offline || limitExceededUntil != nil && nextPage?.isFirstOfSearch == true
  }

  /// Whether ``nextPage`` can be requested: it isn't nil, and no limit is in effect.
  public func canLoadNextPage(at now: Date) -> Bool {
    nextPage != nil && limitExceededUntil.map { $0 <= now } ?? true
  }
}

/// A page of search results.
public struct RepositorySearchPage: Sendable, Hashable {
  /// The repositories, best match first.
  public var repositories: [GitHub.Repository]
  /// The total number of results. GitHub returns at most the first 1,000.
  public var totalCount: Int
  /// Whether the search timed out and may have missed results.
  public var isIncomplete: Bool
  /// The link to the next page; nil on the last page.
  public var next: PageLink?

  /// Creates a page.
  public init(
    repositories: [GitHub.Repository], totalCount: Int, isIncomplete: Bool = false,
    next: PageLink? = nil
  ) {
    self.repositories = repositories
    self.totalCount = totalCount
    self.isIncomplete = isIncomplete
    self.next = next
  }
}

/// The outcome of a request for a page of search results. Failures are values.
public enum RepositorySearchOutcome: Sendable, Hashable {
  /// The page.
  case page(RepositorySearchPage)
  /// The server requires clients to wait until a local time.
  case limitExceeded(until: Date)
  /// The server couldn't be reached.
  case offline
  /// The server's response couldn't be used. The reason is a message for the user.
  case failed(reason: String)

  /// If a limit doesn't include its end, GitHub asks clients to wait at least a minute
  /// (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit>). An
  /// end in the past is replaced by a wait of one second, so that a server that always sends such an end doesn't
  /// receive requests without a pause.
  package init(_ error: NetworkError, now: Date) {
    self =
      if error.code == .rateLimited {
        .limitExceeded(
          until: max(error.retryDate ?? now.addingTimeInterval(60), now.addingTimeInterval(1)))
      } else if error.isUnreachable {
        .offline
      } else {
        .failed(reason: error.problem)
      }
  }
}

extension GitHub {
  /// Whether this is the first page of a search, and not one that is linked by another page.
  var isFirstOfSearch: Bool {
    if case .searchRepositories = self { true } else { false }
  }
}

extension NetworkError {
  /// Whether the network or the server couldn't be reached, or the connection was lost while the response arrived. This
  /// doesn't include a server that refuses, isn't trusted, or exceeds the call's time limit.
  var isUnreachable: Bool {
    switch code {
    case .transport:
      switch transportFailure?.reason {
      case .nameLookup, .connection, .interrupted: true
      default: false
      }
    case .timedOut: timedOutPhase == .connect || timedOutPhase == .idle
    default: false
    }
  }
}
