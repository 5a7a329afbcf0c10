package import IssueMirror
package import IssueOutbox
internal import IssueTracker
package import PlatformModules

package struct IssueSheet: Sendable, Hashable {
  package enum Standing: Sendable, Hashable {
    case online
    /// The request is repeated once the server can be reached.
    case offline
    /// The server limits requests until this time of the local clock.
    case limited(until: Date?)
    /// The repository doesn't exist. While its name is being typed, no request is made.
    case missing(String)
    /// The reason for a failure, in up to two lines.
    case failed(String)
  }

  /// The repositories as typed, including their host if one was typed.
  package let scope: ListScope
  /// The only repository, as the server describes it.
  package var repository: GitHub.Repository?
  package var filter: IssueFilter
  /// The mirror of the issues; nil if they come from the server.
  package var mirror: MirroredList?
  /// The repositories of the list that aren't mirrored, so that their issues are missing.
  var unmirrored: [RepositoryReference] = []
  /// The search, which replaces ``filter``.
  package var search: ListQuery.Search?
  /// The results of the server's search; nil for a list or results from the mirror.
  package private(set) var found: Found?
  /// The progress of a list that the mirror showed before the server's response; nil for other lists.
  package var settling: Settling?
  /// The pending changes of each repository, by ``IssueKey/repository``.
  var pending: [String?: PendingChanges] = [:]
  /// The rows with pending changes, in the server's version.
  var originals: [IssueKey: GitHub.Issue] = [:]
  /// The issues in the server's order without duplicates, with pending changes applied. Issues that aren't created yet
  /// come first.
  package var issues: [GitHub.Issue] = []
  package private(set) var unreadable = UnreadableEntries()
  package var hasMore = true
  package private(set) var isLoaded = false
  /// The next page; nil before the first page and after the last.
  package private(set) var nextPage: NextPage?
  package var standing = Standing.online
  /// The issues that are new, or have changed since the list was first shown.
  var unread: Set<IssueKey> = []

  package init(
    reference: RepositoryReference, filter: IssueFilter = IssueFilter(),
    search: ListQuery.Search? = nil, pending: PendingChanges? = nil
  ) {
    scope = .repository(reference)
    self.filter = filter
    self.search = search
    self.pending[nil] = pending
    // New issues might not match a search.
    if let pending, search == nil { issues = pending.newIssues().filter(filter.matches) }
  }

  /// Creates an empty list of the issues that a search finds.
  init(_ scope: ListScope, _ search: ListQuery.Search) {
    self.scope = scope
    filter = IssueFilter()
    self.search = search
  }

  /// Creates an empty list; nil for a query that isn't about issues.
  init?(_ query: ListQuery) {
    switch query {
    case .issues(let reference, let filter): self.init(reference: reference, filter: filter)
    case .searched(let scope, let search): self.init(scope, search)
    case .nothing, .incomplete, .repositories, .inbox: return nil
    }
  }

  // MARK: The repositories of the rows

  /// The only repository as typed; nil in a list of several.
  package var reference: RepositoryReference? { scope.reference }

  func key(of issue: GitHub.Issue) -> IssueKey {
    IssueKey(
      repository: reference == nil ? issue.repositoryName.map { "\($0)".lowercased() } : nil,
      number: issue.number)
  }

  /// The issue's repository under its current name; nil if it isn't known.
  func repository(of issue: GitHub.Issue) -> RepositoryReference? {
    let name =
      reference == nil
      ? issue.repositoryName : repository.flatMap { RepositoryName($0.fullName) }
    return name.map { RepositoryReference(host: scope.host, name: $0) }
  }

  /// The issue's name in the list: `#12` or `new-1`, and in a list of several repositories `apple/swift#12`.
  func name(of issue: GitHub.Issue) -> String {
    (reference == nil ? issue.repositoryName?.description ?? "" : "")
      + IssueTarget(shownAs: issue.number).name
  }

  func listed(_ issue: GitHub.Issue) -> ListedIssue? {
    repository(of: issue).map { ListedIssue(issue: issue, repository: $0, name: name(of: issue)) }
  }

  func pending(on issue: GitHub.Issue) -> PendingChanges? {
    pending[key(of: issue).repository]
  }

  /// The format of the server's pages.
  var format: PageFormat { found == nil ? .array : .searchResults }

  package struct Found: Sendable, Hashable {
    /// The number of matches. GitHub returns at most the first ``SearchResults/maximumCount``.
    package var total: Int
    /// Whether the search timed out.
    package var isIncomplete = false
  }

  /// The progress of a list that the mirror shows until the server has responded.
  package enum Settling: Sendable, Hashable {
    /// The rows come from the mirror.
    case asking
    /// The rows come from the server.
    case settled
  }

  /// The query whose result is this list.
  package var query: ListQuery {
    if let reference, search == nil { return .issues(reference, filter) }
    return search.map { .searched(scope, $0) } ?? .nothing
  }

  /// A filter that every row matches; nil if none is known.
  var certainFilter: IssueFilter? { search == nil ? filter : search?.certainFilter }

  /// Whether the list is the result of a query. A server's search ignores a space after the last word.
  func answers(_ query: ListQuery) -> Bool {
    guard mirror == nil, case .searched(let scope, let wanted) = query, let search else {
      return self.query == query
    }
    func words(_ search: ListQuery.Search) -> [String] {
      FilterWord.words(of: search.text).map(\.text)
    }
    return self.scope == scope && words(search) == words(wanted)
  }

  package var isStandIn: Bool { mirror != nil && standing == .offline && settling == nil }

  /// Whether the mirror's rows are shown until the server responds.
  package var isSettling: Bool { settling == .asking && standing == .online }

  /// The number of issues in the list; nil if it isn't known.
  package var total: Int? { mirror?.count ?? found?.total }

  /// Whether GitHub's search has more results than it returns.
  package var isCapped: Bool {
    found.map { !hasMore && $0.total > SearchResults<GitHub.Issue>.maximumCount } ?? false
  }

  /// The length of the longest name of an issue in a list of several repositories.
  private(set) var longestName = 0
  /// The known issues. An issue may move to the next page while pages are read.
  private var known: Set<IssueKey> = []
  /// Hashes of the pages that the server has linked to. They end a cycle of pages.
  private var namedPages: Set<Int> = []
  /// The number of consecutive pages without new issues. It ends an endless list.
  private var stalePages = 0
  private static let maximumStalePages = 20

  /// Replaces all rows. Removed rows may be added again.
  mutating func replaceRows(_ rows: [GitHub.Issue], passing pullRequests: [Int]) {
    known.subtract(issues.map(key))
    issues = rows
    known.formUnion(rows.map(key))
    pass(pullRequests)
  }

  /// Records an issue, and returns whether it is new to the list.
  mutating func see(_ issue: GitHub.Issue) -> Bool { known.insert(key(of: issue)).inserted }

  private mutating func pass(_ pullRequests: [Int]) {
    known.formUnion(pullRequests.lazy.map { IssueKey(number: $0) })
  }

  package mutating func append(_ page: IssuesPage) {
    if let total = page.totalCount {
      found = Found(
        total: max(total, found?.total ?? 0),
        isIncomplete: page.isIncomplete || found?.isIncomplete == true)
    }
    append(
      page.issues, passing: page.pullRequests, missing: page.unreadable, next: page.next)
  }

  /// Adds a page. The numbers of its pull requests count as seen, but aren't shown.
  package mutating func append(
    _ page: [GitHub.Issue], passing pullRequests: [Int] = [],
    missing unreadable: [UnreadableEntry] = [],
    next: NextPage? = nil
  ) {
    self.unreadable.add(unreadable)
    let count = known.count
    if reference == nil {
      longestName = max(longestName, page.map { name(of: $0).count }.max() ?? 0)
    }
    for issue in page where see(issue) {
      if let pending = pending(on: issue),
        !pending.entries(on: .number(issue.number)).isEmpty
      {
        originals[key(of: issue)] = issue
        issues.append(pending.applied(to: issue))
      } else {
        issues.append(issue)
      }
    }
    pass(pullRequests)
    stalePages = known.count == count ? stalePages + 1 : 0
    isLoaded = true
    // A page from the mirror doesn't show that the server is reachable.
    if mirror == nil { standing = .online }
    nextPage = next
    if case .server(let target) = next, !namedPages.insert(target.hashValue).inserted {
      standing = .failed("The pages of the list form a loop.")
      nextPage = nil
    } else if stalePages >= Self.maximumStalePages, next != nil {
      standing = .failed(
        "The list continues, but its last \(stalePages) pages had nothing new.")
      nextPage = nil
    }
    // Servers other than GitHub may return more.
    if found != nil, issues.count >= SearchResults<GitHub.Issue>.maximumCount { nextPage = nil }
    hasMore = nextPage != nil
  }
}

extension GitHub.Issue {
  /// The repository, according to the address of the issue's page, such as
  /// `https://github.com/apple/swift/issues/12`.
  var repositoryName: RepositoryName? {
    let parts = (htmlURL ?? "").split(separator: "/").suffix(4).map(String.init)
    guard parts.count == 4, ["issues", "pull", "pulls"].contains(parts[2]), parts[3] == "\(number)"
    else {
      return nil
    }
    return RepositoryName("\(parts[0])/\(parts[1])")
  }
}
