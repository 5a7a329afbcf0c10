public import GitHubAPI
public import HTTPTargets

/// The comments on an issue or a pull request, page by page, oldest first.
///
/// ```swift
/// for try await comments in IssueComments(provider: provider, repository: name, number: 12) {
///   for comment in comments { print(comment.user?.login ?? "ghost", comment.body ?? "") }
/// }
/// ```
///
/// The next page is requested as soon as the head of the current one arrives. Pages without comments are skipped, so an
/// issue without comments doesn't have any pages. Each comment is returned once, even if the pages shift between two
/// requests. The sequence throws if a page fails, so a discussion never ends early without an error.
public struct IssueComments: AsyncSequence, Sendable {
  /// The comments of a page.
  public typealias Element = [IssueComment]
  /// The error of a failed page.
  public typealias Failure = NetworkError

  private let pages: PagedListing<Sent<IssueComment>>

  /// Creates a listing. It doesn't send a request before the first page is read.
  ///
  /// - Parameters:
  ///   - provider: The provider that sends the requests.
  ///   - repository: The repository, preferably as the server spells it.
  ///   - number: The number of the issue.
  ///   - pageSize: The number of comments per request, from 1 to 100.
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

  /// Reads one page after another. Releasing it cancels its requests.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private var pages: PagedListing<Sent<IssueComment>>.Iterator
    private var given: Set<Int64> = []

    init(pages: PagedListing<Sent<IssueComment>>.Iterator) {
      self.pages = pages
    }

    /// Requests the first page immediately, for a reader that requests the issue at the same time.
    public mutating func prefetch() {
      pages.prefetch()
    }

    /// Returns the next page with comments; nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> [IssueComment]? {
      try await nextSent(isolation: actor)?.map(\.entity)
    }

    /// Returns the next page with comments, along with the server's JSON; nil after the last one.
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
