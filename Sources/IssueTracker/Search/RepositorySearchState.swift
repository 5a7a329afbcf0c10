public import GitHubAPI
package import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The visible state of a search: the results loaded so far, and the reason why there aren't more.
///
/// All forms of the search use this state and change it in one place, so that they behave the same.
public struct RepositorySearchState: Sendable, Hashable {
  /// Whether the server could be reached.
  public enum Connection: Sendable, Hashable {
    /// It could, or wasn't asked yet.
    case online
    /// It couldn't. The same page is requested again when it can.
    case offline
  }

  /// The text of the search.
  public let query: String
  /// The results loaded so far, in the server's order.
  ///
  /// A repository that moves to the next page while pages are being read is listed once.
  public private(set) var repositories: [Repository] = []
  /// The total number of results; nil before the first page has arrived.
  public private(set) var totalCount: Int?
  /// Whether the search ran out of time on some page, and may have missed repositories.
  public private(set) var isIncomplete = false
  /// Whether the server could be reached.
  public private(set) var connection = Connection.online
  /// The end of the limit that the last request met, by the local clock; nil for none.
  public private(set) var limitExceededUntil: Date?
  /// The reason why the last answer was useless, for a person; nil if it wasn't.
  public private(set) var failure: String?
  /// The page to load next: at the beginning the first one, after a failure the same one again; nil for none.
  public private(set) var nextPage: GitHub?

  /// The most pages that can contain results, so that an endless server isn't read for longer.
  private static var maximumPages: Int { SearchResults<Repository>.maximumCount }
  private var pageCount = 0

  /// Creates the initial state of a query. An empty query has nothing to load.
  ///
  /// - Parameters:
  ///   - query: The text of the search.
  ///   - pageSize: The number of repositories to request at a time, 1–100.
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

  /// Whether ``nextPage`` can be requested: there is one, and no limit forbids it.
  public func canLoadNextPage(at now: Date) -> Bool {
    nextPage != nil && limitExceededUntil.map { $0 <= now } ?? true
  }
}

/// A page of repositories that a search found.
public struct RepositorySearchPage: Sendable, Hashable {
  /// The repositories of this page, best first.
  public var repositories: [Repository]
  /// The total number of results. GitHub returns the first 1,000 at most.
  public var totalCount: Int
  /// Whether the search ran out of time, and may have missed results.
  public var isIncomplete: Bool
  /// The link to the next page; nil on the last.
  public var next: PageLink?

  /// Creates a page.
  public init(
    repositories: [Repository], totalCount: Int, isIncomplete: Bool = false, next: PageLink? = nil
  ) {
    self.repositories = repositories
    self.totalCount = totalCount
    self.isIncomplete = isIncomplete
    self.next = next
  }
}

/// The outcome of a request for a page of a search. A failure is a value like any other.
public enum RepositorySearchOutcome: Sendable, Hashable {
  /// The page.
  case page(RepositorySearchPage)
  /// The server asks to wait, until a time by the local clock.
  case limitExceeded(until: Date)
  /// The server could not be reached.
  case offline
  /// The server was reached, but its answer is useless; the reason is for a person.
  case failed(reason: String)

  /// Interprets an error.
  ///
  /// If a limit names no end, GitHub asks for a minute
  /// (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit>).
  /// A limit that has already ended lasts another second, so that a server that always names such an end isn't
  /// asked without a pause.
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
  /// Whether the network or the server couldn't be reached, or was lost while the answer arrived.
  ///
  /// A server that refuses, or whose certificate isn't trusted, has been reached, and so has one that takes
  /// longer than the whole call may.
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
