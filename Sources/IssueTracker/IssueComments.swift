public import GitHubAPI
public import HTTPTargets

/// The comments on an issue or a pull request, page by page, the oldest first.
///
/// ```swift
/// for try await comments in IssueComments(provider: provider, repository: name, number: 12) {
///   for comment in comments { print(comment.user?.login ?? "ghost", comment.body ?? "") }
/// }
/// ```
///
/// The next page is requested as soon as the head of the current one is in. A page without comments is
/// passed over, so that an issue without any gives none. A comment is given once, also when the pages
/// moved between two requests. A page that fails throws: no discussion ends early in silence.
public struct IssueComments: AsyncSequence, Sendable {
  /// The comments of a page.
  public typealias Element = [IssueComment]
  /// What reading can throw.
  public typealias Failure = NetworkError

  private let pages: PagedListing<Sent<IssueComment>>

  /// Creates a listing; nothing is asked before the first page is.
  ///
  /// - Parameters:
  ///   - provider: Where to ask.
  ///   - repository: The repository, best as the server spells it.
  ///   - number: The number of the issue.
  ///   - pageSize: How many comments to ask for at a time, 1–100.
  public init(
    provider: Provider<GitHub>, repository: RepositoryName, number: Int, pageSize: Int = 100
  ) {
    pages = PagedListing(
      provider: provider,
      first: .issueComments(
        repositoryFullName: repository.description, number: number, pageSize: pageSize))
  }

  /// Starts reading at the first page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(pages: pages.makeAsyncIterator())
  }

  /// Reads page after page. Dropping it cancels what it has under way.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private var pages: PagedListing<Sent<IssueComment>>.Iterator
    private var given: Set<Int64> = []

    init(pages: PagedListing<Sent<IssueComment>>.Iterator) {
      self.pages = pages
    }

    /// Requests the first page now, for a reader who asks for the issue itself at the same time.
    public mutating func prefetch() {
      pages.prefetch()
    }

    /// Returns the next page that has comments, or nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> [IssueComment]? {
      try await nextSent(isolation: actor)?.map(\.entity)
    }

    /// Returns the next page that has comments, with the JSON that they were sent as, or nil after the last.
    public mutating func nextSent(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> [Sent<IssueComment>]? {
      while let page = try await pages.next(isolation: actor) {
        let comments = page.items.filter { given.insert($0.id).inserted }
        if !comments.isEmpty { return comments }
      }
      return nil
    }
  }
}
