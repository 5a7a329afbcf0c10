package import IssueMirror

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The issues of one repository, as far as they are loaded.
package struct IssueSheet: Sendable, Hashable {
  /// Why there is nothing to load next, or nothing yet.
  package enum Standing: Sendable, Hashable {
    /// All is well.
    case online
    /// The server could not be reached; the same is asked for again when it can be.
    case offline
    /// The server asks to be left alone until then, by the local clock.
    case limited(until: Date?)
    /// The last answer was of no use; the reason is for a person, in one line.
    case failed(String)
  }

  /// The name that was typed, with its host where one was.
  package var reference: RepositoryReference
  /// The repository, once it was found.
  package var repository: Repository?
  /// Which issues, in which order.
  package var filter: IssueFilter
  /// The list of the mirror that the issues are of; nil where they are the server's.
  package var mirror: MirrorListing?
  /// What was searched for in the mirror, in place of ``filter``; nil where nothing was.
  package var search: ListQuery.Search?
  /// The issues, page after page in the server's order, each once.
  package var issues: [Issue] = []
  /// What was on the pages and couldn't be read.
  package private(set) var unreadable = UnreadableEntries()
  /// Whether there are more.
  package var hasMore = true
  /// Whether the first page is in.
  package private(set) var isLoaded = false
  /// What is to be loaded next; nil before the first page and after the last.
  package private(set) var nextPage: NextPage?
  /// What became of the last request.
  package var standing = Standing.online

  /// Creates a sheet on which nothing was loaded yet.
  package init(reference: RepositoryReference, filter: IssueFilter = IssueFilter()) {
    self.reference = reference
    self.filter = filter
  }

  /// Whether it is shown in the server's place, which can't be reached.
  package var isStandIn: Bool { mirror != nil && standing == .offline }

  /// The numbers of the issues: one that moves to the next page while the pages are read is taken once.
  private var numbers: Set<Int> = []
  /// The hashes of the pages that were named: a server whose pages go in a circle isn't read for ever.
  private var namedPages: Set<Int> = []
  /// How many pages in a row held nothing new: a server that names one after the other isn't read for ever.
  private var stalePages = 0
  private static let maximumStalePages = 20

  /// Adds a page to what is there.
  package mutating func append(_ page: IssuesPage) {
    append(
      page.issues, passing: page.pullRequests, missing: page.unreadable, next: page.next)
  }

  /// Adds a page to what is there.
  ///
  /// - Parameters:
  ///   - page: The issues, in the server's order.
  ///   - pullRequests: The numbers of what was on the page besides, and isn't shown.
  ///   - unreadable: The entries of the page that couldn't be read.
  ///   - next: What follows; nil after the last.
  package mutating func append(
    _ page: [Issue], passing pullRequests: [Int] = [], missing unreadable: [UnreadableEntry] = [],
    next: NextPage? = nil
  ) {
    self.unreadable.add(unreadable)
    let count = numbers.count
    for issue in page where numbers.insert(issue.number).inserted { issues.append(issue) }
    numbers.formUnion(pullRequests)
    stalePages = numbers.count == count ? stalePages + 1 : 0
    isLoaded = true
    // More of the mirror tells nothing about the server.
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
