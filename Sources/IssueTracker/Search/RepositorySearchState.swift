public import GitHubAPI
package import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What there is to show of a search: all that was loaded so far, and why there isn't more.
///
/// All forms of the search give this state, and change it in one place, so that the same story reads the
/// same in each of them.
public struct RepositorySearchState: Sendable, Hashable {
  /// Whether the server could be reached.
  public enum Connection: Sendable, Hashable {
    /// It could, or was not asked yet.
    case online
    /// It could not: the same page is asked for again when it can be reached.
    case offline
  }

  /// What is searched for.
  public let query: String
  /// All that was loaded so far, page after page in the server's order.
  ///
  /// A repository that moves to the next page while the pages are read is here once.
  public private(set) var repositories: [Repository] = []
  /// How many repositories the search found in all; nil before the first page is in.
  public private(set) var totalCount: Int?
  /// Whether the search ran out of time on some page, so that it may have missed repositories.
  public private(set) var isIncomplete = false
  /// Whether the server could be reached.
  public private(set) var connection = Connection.online
  /// When the limit ends that the last request met, by the local clock; nil if it met none.
  public private(set) var limitExceededUntil: Date?
  /// Why the last answer was of no use, for a person; nil if it was of use.
  public private(set) var failure: String?
  /// The page to be loaded next, which is the first at the beginning and after a failure the same again;
  /// nil when there is none.
  public private(set) var nextPage: GitHub?

  /// As many as there can be with results on them: a server that doesn't end is not read for longer.
  private static var maximumPages: Int { SearchResults<Repository>.maximumCount }
  private var pageCount = 0

  /// Creates the state that a query begins with. That of no query has nothing to load.
  ///
  /// - Parameters:
  ///   - query: What is searched for.
  ///   - pageSize: How many repositories to ask for at a time, 1–100.
  public init(query: String = "", pageSize: Int = 30) {
    self.query = query
    nextPage = query.isEmpty ? nil : .searchRepositories(query: query, pageSize: pageSize)
  }

  /// Takes in what became of the request for ``nextPage``.
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

  /// Whether it is any use to ask for ``nextPage``, now that somebody wants it: there is one, and no limit
  /// forbids it.
  public func canLoadNextPage(at now: Date) -> Bool {
    nextPage != nil && limitExceededUntil.map { $0 <= now } ?? true
  }
}

/// A page of repositories that a search found.
public struct RepositorySearchPage: Sendable, Hashable {
  /// The repositories of this page, best first.
  public var repositories: [Repository]
  /// How many the search found in all, of which GitHub gives the first 1,000 at most.
  public var totalCount: Int
  /// Whether the search ran out of time, so that it may have missed some.
  public var isIncomplete: Bool
  /// The page that follows, where the server says it is; nil on the last.
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

/// What became of the request for one page of a search: a failure is a value like any other.
public enum RepositorySearchOutcome: Sendable, Hashable {
  /// The page.
  case page(RepositorySearchPage)
  /// The server asks to wait, until a time by the local clock.
  case limitExceeded(until: Date)
  /// The server could not be reached.
  case offline
  /// The server was reached, and its answer is of no use; the reason is for a person.
  case failed(reason: String)

  /// Tells what an error means.
  ///
  /// Where a limit names no end, GitHub asks for a minute
  /// (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit>).
  /// One that is over already lasts a second: a server that names such an end each time isn't asked without
  /// a pause.
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
  /// Whether the network or the server could not be reached, or was lost while the answer came.
  ///
  /// A server that refuses, or whose certificate isn't trusted, has been reached; so has one that takes
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
