public import GitHubAPI
package import HTTPTargets
public import PlatformModules

/// The visible state of a search: the results so far, and the reason why there aren't more.
///
/// All forms of the search share this state and its changes, so that they behave the same.
public struct RepositorySearchState: Sendable, Hashable {
  /// The connection to the server.
  public enum Connection: Sendable, Hashable {
    /// The server was reached, or no request was sent yet.
    case online
    /// The server couldn't be reached. The same page is requested again when it can.
    case offline
  }

  /// The text of the search.
  public let query: String
  /// The results so far, in the server's order. A repository that shifts to the next page meanwhile is listed
  /// once.
  public private(set) var repositories: [GitHub.Repository] = []
  /// The total number of results; nil before the first page.
  public private(set) var totalCount: Int?
  /// Whether the search ran out of time on some page and may have missed repositories.
  public private(set) var isIncomplete = false
  /// The connection to the server.
  public private(set) var connection = Connection.online
  /// The local time when the limit that stopped the last request ends; nil for no limit.
  public private(set) var limitExceededUntil: Date?
  /// The reason why the last response was unusable, as text for people; nil if it was usable.
  public private(set) var failure: String?
  /// The page to load next: at first the first one, after a failure the same one; nil for none.
  public private(set) var nextPage: GitHub?

  /// Bounds the reading from a server whose pages never end.
  private static var maximumPages: Int { SearchResults<GitHub.Repository>.maximumCount }
  private var pageCount = 0

  /// Creates the initial state of a query. An empty query has nothing to load.
  ///
  /// - Parameters:
  ///   - query: The text of the search.
  ///   - pageSize: The number of repositories per request, 1–100.
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

  /// Whether ``nextPage`` can be requested: it isn't nil, and no limit forbids it.
  public func canLoadNextPage(at now: Date) -> Bool {
    nextPage != nil && limitExceededUntil.map { $0 <= now } ?? true
  }
}

/// A page of search results.
public struct RepositorySearchPage: Sendable, Hashable {
  /// The repositories, best first.
  public var repositories: [GitHub.Repository]
  /// The total number of results. GitHub returns at most the first 1,000.
  public var totalCount: Int
  /// Whether the search ran out of time and may have missed results.
  public var isIncomplete: Bool
  /// The link to the next page; nil on the last.
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
  /// The server asks to wait until a local time.
  case limitExceeded(until: Date)
  /// The server couldn't be reached.
  case offline
  /// The server responded, but the response is unusable; the reason is text for people.
  case failed(reason: String)

  /// If a limit names no end, GitHub asks for a minute
  /// (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit>). A
  /// past end becomes a second, so that a server that always names one doesn't get requests without pause.
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

extension NetworkError {
  /// Whether the network or server couldn't be reached, or was lost while the response arrived. A server that refuses,
  /// is untrusted, or exceeds the call's time limit was reached.
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
