package import IssueMirror
package import IssueOutbox

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

package struct IssueSheet: Sendable, Hashable {
  /// How the last request ended.
  package enum Standing: Sendable, Hashable {
    case online
    /// The server can't be reached. The request is repeated when it can.
    case offline
    /// The server's limit is used up until this time by the local clock.
    case limited(until: Date?)
    /// It failed, for a reason in one line of words.
    case failed(String)
  }

  /// The typed name, with its host if one was typed.
  package var reference: RepositoryReference
  package var repository: Repository?
  package var filter: IssueFilter
  /// The mirror's list that the issues are from; nil if they are from the server.
  package var mirror: MirrorListing?
  /// The search in the mirror that replaces ``filter``; nil for none.
  package var search: ListQuery.Search?
  /// What isn't sent yet; nil for nothing.
  package let pending: PendingChanges?
  /// The issues in the server's order, each once, as they will be with what isn't sent yet. Those that aren't created
  /// yet come first.
  package var issues: [Issue] = []
  package private(set) var unreadable = UnreadableEntries()
  package var hasMore = true
  package private(set) var isLoaded = false
  /// The page to load next; nil before the first page and after the last.
  package private(set) var nextPage: NextPage?
  package var standing = Standing.online

  package init(
    reference: RepositoryReference, filter: IssueFilter = IssueFilter(),
    search: ListQuery.Search? = nil, pending: PendingChanges? = nil
  ) {
    self.reference = reference
    self.filter = filter
    self.search = search
    self.pending = pending
    // Nobody knows what a search would find in them.
    if let pending, search == nil { issues = pending.newIssues().filter(filter.matches) }
  }

  /// Whether the mirror stands in for a server that can't be reached.
  package var isStandIn: Bool { mirror != nil && standing == .offline }

  /// The numbers of the issues. An issue may move to the next page while the pages are read.
  private var numbers: Set<Int> = []
  /// The hashes of the pages that the server named, so that pages in a circle end.
  private var namedPages: Set<Int> = []
  /// How many pages in a row held nothing new, so that an endless list ends.
  private var stalePages = 0
  private static let maximumStalePages = 20

  package mutating func append(_ page: IssuesPage) {
    append(
      page.issues, passing: page.pullRequests, missing: page.unreadable, next: page.next)
  }

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - page: The issues, in the server's order.
  ///   - pullRequests: The numbers of the pull requests on the page, which aren't shown.
  ///   - unreadable: The entries of the page that couldn't be read.
  ///   - next: The page after it; nil after the last.
  package mutating func append(
    _ page: [Issue], passing pullRequests: [Int] = [], missing unreadable: [UnreadableEntry] = [],
    next: NextPage? = nil
  ) {
    self.unreadable.add(unreadable)
    let count = numbers.count
    for issue in page where numbers.insert(issue.number).inserted {
      issues.append(pending?.applied(to: issue) ?? issue)
    }
    numbers.formUnion(pullRequests)
    stalePages = numbers.count == count ? stalePages + 1 : 0
    isLoaded = true
    // A page of the mirror says nothing about the server.
    if mirror == nil { standing = .online }
    nextPage = next
    if case .server(let target) = next, !namedPages.insert(target.hashValue).inserted {
      standing = .failed("The pages of the list go in a circle.")
      nextPage = nil
    } else if stalePages >= Self.maximumStalePages, next != nil {
      standing = .failed(
        "The list goes on, but its last \(stalePages) pages held nothing new.")
      nextPage = nil
    }
    hasMore = nextPage != nil
  }
}
