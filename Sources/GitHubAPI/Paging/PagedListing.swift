internal import ConcurrencyPrimitives
public import HTTPTargets

/// All pages of a list, as an asynchronous sequence.
///
/// The head of each page contains the link to the next page. The next page is requested immediately, while the body of
/// the current page is still arriving, or being decoded or processed. Usually only one page is prefetched. When the
/// reader requests it, the following page is prefetched.
///
/// A stored response (``/HTTPTargets/CachingInterceptor``) contains this link before the server has responded, so up to
/// four pages ahead of the reader are requested immediately. If the server's response has a different link, the pages
/// that were requested too early are dropped.
///
/// The list continues after an entry that can't be decoded, but ends with an error that names it
/// (``UnreadableEntries``).
///
/// An incomplete list never looks complete: it throws an error after the last page. Possible reasons are a failed page,
/// a link to another origin or to a previous page, too many pages, and twenty pages without new items.
public struct PagedListing<Item: Decodable & Hashable & Sendable>: AsyncSequence, Sendable {
  /// A page.
  public struct Page: Sendable {
    /// The items, in the server's order.
    public var items: [Item]
    /// Whether the server has sent a link to another page, even an invalid one.
    public var hasNext: Bool
    /// The total number of search results; nil for other lists.
    public var totalCount: Int?
    /// Whether the search timed out, and may have missed results.
    public var isIncomplete: Bool
    /// The search for issues that was carried out; nil if the server doesn't say, or for other lists.
    public var outcome: IssueSearchOutcome?
    /// The source of the page.
    public var source: AnswerSource
  }

  /// A page.
  public typealias Element = Page
  /// The errors of reading.
  public typealias Failure = NetworkError

  let provider: Provider<GitHub>
  let first: GitHub
  let format: PageFormat
  let maximumPages: Int
  let identity: @Sendable (Item) -> Int

  /// Creates a listing. The first page is requested when it is read.
  ///
  /// - Parameters:
  ///   - provider: The provider for the requests.
  ///   - first: The target of the first page.
  ///   - format: The format of a page.
  ///   - maximumPages: The maximum number of pages, in case the links of a server never end.
  public init(
    provider: Provider<GitHub>, first: GitHub, format: PageFormat = .array,
    maximumPages: Int = 10_000
  ) {
    self.init(provider, first, format, maximumPages) { $0.hashValue }
  }

  /// Creates a listing of identifiable items. The parameters are those of the other initializer.
  public init(
    provider: Provider<GitHub>, first: GitHub, format: PageFormat = .array,
    maximumPages: Int = 10_000
  ) where Item: Identifiable {
    self.init(provider, first, format, maximumPages) { $0.id.hashValue }
  }

  private init(
    _ provider: Provider<GitHub>, _ first: GitHub, _ format: PageFormat, _ maximumPages: Int,
    identity: @escaping @Sendable (Item) -> Int
  ) {
    self.provider = provider
    self.first = first
    self.format = format
    self.maximumPages = maximumPages
    self.identity = identity
  }

  /// Starts reading at the first page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(listing: self)
  }

  /// Reads one page after another. Its requests are canceled when it is released.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    /// The number of pages without new items after which a list ends. It is greater than one, because a server may
    /// filter after paging, and changed items may appear again.
    private static var maximumStalePages: Int { 20 }

    /// The maximum number of prefetched pages. It limits the memory, and the unnecessary requests if the reader stops.
    private static var maximumPagesAhead: Int { 4 }

    private enum Upcoming: Sendable {
      case named(GitHub)
      case refused(NetworkError)
      case none
    }

    private let provider: Provider<GitHub>
    private let format: PageFormat
    private let maximumPages: Int
    private var upcoming: Upcoming
    private var ahead: [PageRequest<Item>] = []
    /// The hashes of the targets, because their URLs may be long.
    private var visited: Set<Int> = []
    private var known: Set<Int> = []
    private var stalePages = 0
    private let identity: @Sendable (Item) -> Int
    private var missing = UnreadableEntries()
    /// Signals that a request has made progress.
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init(listing: PagedListing) {
      provider = listing.provider
      format = listing.format
      maximumPages = listing.maximumPages
      identity = listing.identity
      upcoming = .named(listing.first)
      (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Requests the next page now, while the reader still waits for another response.
    public mutating func prefetch() {
      guard case .named(let target) = upcoming, ahead.isEmpty else { return }
      ahead = [request(target)]
    }

    /// Returns the next page, or nil after the last. The following page is prefetched.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> Page? {
      try await next(pagesAhead: .max, isolation: actor)
    }

    /// Returns the next page.
    ///
    /// - Parameters:
    ///   - pagesAhead: The number of further pages that the reader certainly needs, if they exist. Other pages aren't
    ///     prefetched, because each request counts toward the hourly quota.
    ///   - actor: The actor of the caller.
    /// - Returns: The page, or nil after the last.
    /// - Throws: The reason that the page can't be returned. No further pages follow.
    public mutating func next(
      pagesAhead: Int, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> Page? {
      let step = upcoming
      // If an error is thrown below, no further pages follow.
      upcoming = .none
      var requested = ahead
      ahead = []
      let current: PageRequest<Item>
      switch step {
      case .none:
        try finish()
        return nil
      case .refused(let error): throw error
      case .named(let target):
        if let first = requested.first, first.target == target {
          current = requested.removeFirst()
        } else {
          guard !Task.isCancelled else { throw .cancelled }
          requested = []
          current = request(target)
        }
        visited.insert(target.hashValue)
      }
      var outcome: Result<PageRequest<Item>.Page, NetworkError>?
      while true {
        // The outcome is read first, so that the successor, which is read next, belongs to it.
        outcome = current.outcome
        prefetch(after: current, &requested, atMost: pagesAhead)
        guard outcome == nil else { break }
        var iterator = changes.makeAsyncIterator()
        guard await iterator.next(isolation: actor) != nil else { break }
      }
      guard let outcome else { throw .cancelled }
      let (contents, link, source) = try outcome.get()
      missing.add(contents.unreadable)
      var page = Page(
        items: contents.items, hasNext: true, totalCount: contents.totalCount,
        isIncomplete: contents.isIncomplete, outcome: contents.outcome, source: source)
      switch link {
      case .success(nil):
        page.hasNext = false
        return page
      case .success(let link?):
        upcoming = follow(link)
      case .failure(let error):
        upcoming = .refused(error)
      }
      let count = known.count
      known.formUnion(page.items.map(identity))
      stalePages = known.count == count ? stalePages + 1 : 0
      if stalePages >= Self.maximumStalePages {
        upcoming = .refused(
          NetworkError(
            .decoding, "the list continues, but its last \(stalePages) pages had nothing new"))
      }
      if case .named = upcoming { ahead = requested }
      return page
    }

    /// Stops reading before the last page.
    ///
    /// - Throws: ``UnreadableEntries`` if entries of the previous pages couldn't be decoded.
    public mutating func finish() throws(NetworkError) {
      guard missing.count > 0 else { return }
      defer { missing = UnreadableEntries() }
      throw missing.error
    }

    private func request(_ target: GitHub) -> PageRequest<Item> {
      PageRequest(target, provider, format: format) { [change] in change.yield() }
    }

    /// Prefetches the following pages, and drops wrong ones. The link to the next page may be from any head. Links to
    /// further pages must be from stored responses, because following the heads of unread pages would never stop.
    private func prefetch(
      after current: PageRequest<Item>, _ requested: inout [PageRequest<Item>], atMost limit: Int
    ) {
      var index = 0
      var successor = current.successor
      while let link = successor?.link {
        let target = GitHub.page(link)
        if index == requested.count || requested[index].target != target {
          requested.removeLast(requested.count - index)
          guard index < Swift.min(limit, Self.maximumPagesAhead),
            index == 0 || successor?.isFromCache == true,
            visited.count + index < maximumPages, !visited.contains(target.hashValue),
            !requested.contains(where: { $0.target == target })
          else { return }
          requested.append(request(target))
        }
        successor = requested[index].successor
        index += 1
      }
      requested.removeLast(requested.count - index)
    }

    private func follow(_ link: PageLink) -> Upcoming {
      let target = GitHub.page(link)
      guard !visited.contains(target.hashValue) else {
        return .refused(NetworkError(.decoding, "the pages of the list form a loop"))
      }
      guard visited.count < maximumPages else {
        return .refused(NetworkError(.decoding, "the list has more than \(maximumPages) pages"))
      }
      return .named(target)
    }
  }
}

/// The format of a page.
public enum PageFormat: Sendable, Hashable {
  /// An array of items.
  case array
  /// An object with the array and the total number: ``SearchResults``.
  case searchResults
}

/// A request for a page. It provides the link to the next page before the page itself. The request is canceled when
/// this object is released.
final class PageRequest<Item: Decodable & Sendable>: Sendable {
  typealias Page = (
    contents: PageContents<Item>, link: Result<PageLink?, NetworkError>, source: AnswerSource
  )

  struct Successor: Sendable {
    var link: PageLink?
    var isFromCache: Bool
  }

  private struct State {
    var successor: Successor?
    var outcome: Result<Page, NetworkError>?
  }

  let target: GitHub
  private let task: Task<Void, Never>
  private let state: Locked<State>

  init(
    _ target: GitHub, _ provider: Provider<GitHub>, format: PageFormat,
    onChange: @escaping @Sendable () -> Void
  ) {
    let state = Locked(State())
    self.target = target
    self.state = state
    task = Task {
      let outcome: Result<Page, NetworkError>
      do throws(NetworkError) {
        let response = try await provider.request(target) { head in
          state.withLock { $0.successor = Successor(provider, head, nil) }
          onChange()
        }
        let contents = try PageContents<Item>(of: response, format, forge: provider.forge)
        let page = Page(
          contents, provider.link(after: response, count: contents.count), AnswerSource(response))
        state.withLock { $0.successor = Successor(provider, response, contents.count) }
        outcome = .success(page)
      } catch {
        outcome = .failure(error)
      }
      state.withLock { $0.outcome = outcome }
      onChange()
    }
  }

  deinit { task.cancel() }

  /// The link to the next page; nil before a head has arrived. It may change with the server's response or a repeated
  /// response.
  var successor: Successor? { state.withLock { $0.successor } }

  var outcome: Result<Page, NetworkError>? { state.withLock { $0.outcome } }
}

extension PageRequest.Successor {
  fileprivate init(_ provider: Provider<GitHub>, _ response: TargetResponse, _ count: Int?) {
    link = try? provider.link(after: response, count: count).get()
    isFromCache = response.isFromCache
  }
}

extension Provider<GitHub> {
  fileprivate func link(
    after response: TargetResponse, count: Int?
  ) -> Result<PageLink?, NetworkError> {
    Result { () throws(NetworkError) in try nextPage(after: response, count: count) }
  }
}
