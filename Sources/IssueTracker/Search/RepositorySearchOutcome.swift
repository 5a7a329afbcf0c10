public import GitHubAPI
package import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
