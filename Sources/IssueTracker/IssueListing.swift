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
/// GitHub's list mixes pull requests in; they are left out unless asked for, and the limit counts what
/// is left. While a limit isn't certainly reached, the next page is requested as soon as the head of the
/// current one is in. An issue that appears on two pages, as it does when one is opened meanwhile, is
/// given once. Pages without issues are passed over, except the last one, which ends the list.
public struct IssueListing: AsyncSequence, Sendable {
  /// Some issues, and whether there are more than were given.
  public struct Page: Sendable {
    /// The issues of this page, in the server's order.
    public var issues: [Issue] { sent.map(\.entity) }
    /// The same, with the JSON that they were sent as.
    public var sent: [Sent<Issue>]
    /// Whether there is more: with the last page it tells that the limit cut the list short.
    ///
    /// When the limit is reached with the last item of a page of the server, it tells that the server
    /// names another page. That one could hold pull requests alone; to look would be a request more.
    public var hasMore: Bool
  }

  /// A page.
  public typealias Element = Page
  /// What reading can throw.
  public typealias Failure = NetworkError

  let provider: Provider<GitHub>
  let repository: RepositoryName
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool

  /// Creates a listing; nothing is asked before the first page is.
  ///
  /// - Parameters:
  ///   - provider: Where to ask.
  ///   - repository: The repository, best as the server spells it.
  ///   - filter: Which issues, in which order.
  ///   - limit: How many at most; nil for all.
  ///   - includesPullRequests: Whether pull requests are given too.
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

  /// How many items to ask for at a time, as many as GitHub gives: what is wanted, or half as many again
  /// and no fewer than GitHub gives unasked when pull requests among them don't count.
  var pageSize: Int {
    guard let limit else { return 100 }
    let limited = Swift.max(1, Swift.min(limit, 100))
    return includesPullRequests ? limited : Swift.max(30, Swift.min(100, limited + limited / 2))
  }

  /// Starts reading at the first page.
  public func makeAsyncIterator() -> Iterator {
    let first = GitHub.issues(
      repositoryFullName: repository.description, filter: filter, pageSize: pageSize)
    let pages = PagedListing<Sent<Issue>>(provider: provider, first: first)
    return Iterator(listing: self, pages: pages.makeAsyncIterator())
  }

  /// Reads page after page. Dropping it cancels what it has under way.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let listing: IssueListing
    private var pages: PagedListing<Sent<Issue>>.Iterator
    private var given: Set<Int> = []
    private var isFinished = false
    /// Where the first page came from; nil until it is there.
    public private(set) var source: AnswerSource?

    init(listing: IssueListing, pages: PagedListing<Sent<Issue>>.Iterator) {
      self.listing = listing
      self.pages = pages
    }

    /// Returns the next page that has issues or is the last, or nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> Page? {
      while !isFinished {
        let wanted = listing.limit.map { $0 - given.count } ?? .max
        guard wanted > 0,
          // Pages that hold nothing but issues are the fewest that are needed.
          let page = try await pages.next(
            pagesAhead: (wanted - 1) / listing.pageSize, isolation: actor)
        else {
          isFinished = true
          break
        }
        source = source ?? page.source
        let fresh = page.items.filter { item in
          (listing.includesPullRequests || !item.entity.isPullRequest)
            && given.insert(item.entity.number).inserted
        }
        let issues = Array(fresh.prefix(wanted))
        isFinished = !page.hasNext || issues.count == wanted
        // A page of pull requests alone is not worth telling, but the end is: the page before it could
        // not know that nothing would follow.
        if !issues.isEmpty || isFinished {
          return Page(sent: issues, hasMore: page.hasNext || fresh.count > issues.count)
        }
      }
      // A limit ends the list before its last page.
      try pages.finish()
      return nil
    }
  }
}
