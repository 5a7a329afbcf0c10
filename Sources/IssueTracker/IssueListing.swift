public import GitHubAPI
public import HTTPTargets

/// The issues of a repository, page by page.
///
/// ```swift
/// for try await page in IssueListing(provider: provider, repository: name, limit: 100) {
///   for issue in page.issues { print(issue.number, issue.title) }
/// }
/// ```
///
/// GitHub's list includes pull requests. By default, they are omitted and don't count toward the limit. The next page
/// is requested as soon as the head of the current one arrives, unless the current page is certain to reach the limit.
/// If a new issue shifts another issue to the next page, that issue is returned only once. Pages without issues are
/// skipped, except the last one.
public struct IssueListing: AsyncSequence, Sendable {
  /// A page of issues, and whether more issues follow.
  public struct Page: Sendable {
    /// The issues of this page, in the server's order.
    public var issues: [GitHub.Issue] { sent.map(\.entity) }
    /// The same issues with the server's JSON.
    public var sent: [Sent<GitHub.Issue>]
    /// Whether more issues follow; on the last page, whether the limit truncated the list.
    ///
    /// If the last item of a server page reaches the limit, this is true if the server has another page. That page may
    /// contain only pull requests; checking would require a request.
    public var hasMore: Bool
  }

  /// A page.
  public typealias Element = Page
  /// The error of a failed page.
  public typealias Failure = NetworkError

  let provider: Provider<GitHub>
  let repository: RepositoryName
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool

  /// Creates a listing. It doesn't send a request before the first page is read.
  ///
  /// - Parameters:
  ///   - provider: The provider that sends the requests.
  ///   - repository: The repository, preferably as the server spells it.
  ///   - filter: The issues to list, and their order.
  ///   - limit: The most issues to return; nil for no limit.
  ///   - includesPullRequests: Whether to include pull requests.
  public init(
    provider: Provider<GitHub>, repository: RepositoryName, filter: IssueFilter = IssueFilter(),
    limit: Int? = nil, includesPullRequests: Bool = false
  ) {
    self.provider = provider
    self.repository = repository
    self.filter = filter
    self.limit = limit
    self.includesPullRequests = includesPullRequests
  }

  /// The part of the filter that the server doesn't have, which is applied to its pages.
  private var rest: IssueFilter { filter.unsent(to: provider.forge) }

  /// The number of items per request. If pull requests are omitted, it is one and a half times the limit, and at least
  /// GitHub's default.
  var pageSize: Int {
    guard let limit, rest == IssueFilter(state: .all) else { return 100 }
    let limited = Swift.max(1, Swift.min(limit, 100))
    return includesPullRequests ? limited : Swift.max(30, Swift.min(100, limited + limited / 2))
  }

  /// Starts reading at the first page.
  public func makeAsyncIterator() -> Iterator {
    let first = GitHub.issues(
      repositoryFullName: repository.description, filter: filter.sent(to: provider.forge),
      pageSize: pageSize)
    let pages = PagedListing<Sent<GitHub.Issue>>(provider: provider, first: first)
    return Iterator(listing: self, rest: rest, pages: pages.makeAsyncIterator())
  }

  /// Reads one page after another. Releasing it cancels its requests.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let listing: IssueListing
    private let rest: IssueFilter
    private var pages: PagedListing<Sent<GitHub.Issue>>.Iterator
    private var given: Set<Int> = []
    private var isFinished = false
    /// The source of the first page; nil until it has arrived.
    public private(set) var source: AnswerSource?

    init(
      listing: IssueListing, rest: IssueFilter, pages: PagedListing<Sent<GitHub.Issue>>.Iterator
    ) {
      self.listing = listing
      self.rest = rest
      self.pages = pages
    }

    /// Returns the next page that contains issues or is the last one; nil after the last page.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> Page? {
      while !isFinished {
        let wanted = listing.limit.map { $0 - given.count } ?? .max
        guard wanted > 0,
          // This suffices if the pages contain only issues.
          let page = try await pages.next(
            pagesAhead: (wanted - 1) / listing.pageSize, isolation: actor)
        else {
          isFinished = true
          break
        }
        source = source ?? page.source
        let fresh = page.items.filter { item in
          (listing.includesPullRequests || !item.entity.isPullRequest)
            && rest.matches(item.entity)
            && given.insert(item.entity.number).inserted
        }
        let issues = Array(fresh.prefix(wanted))
        isFinished = !page.hasNext || issues.count == wanted
        // Skips a page of only pull requests, but not the last page, because the previous page indicated that more
        // issues follow.
        if !issues.isEmpty || isFinished {
          return Page(sent: issues, hasMore: page.hasNext || fresh.count > issues.count)
        }
      }
      try pages.finish()
      return nil
    }
  }
}
