internal import ConcurrencyPrimitives
public import HTTPTargets

/// All pages of a list, as an asynchronous sequence.
///
/// The server names the next page in the head of the current one. With prefetching that page is requested at
/// once, while the body of the current page is still arriving, being decoded and processed. Usually only one
/// page is prefetched: the one after it is requested when the reader asks for the prefetched page.
///
/// A stored answer (``HTTPTargets/CachingInterceptor``) names the next page before the server is asked. With
/// stored answers, up to four pages ahead of the reader are therefore requested at once. The server's answer
/// counts: if it names another page, pages that were requested too early are dropped.
///
/// An entry that can't be decoded doesn't affect the others: the list continues, and ends in an error that
/// names the entry (``UnreadableEntries``).
///
/// A list that broke off never looks complete. Every page that arrived is returned, and then the error is
/// thrown: a failed page, or a link that isn't followed because it leads to another origin, to a page that was
/// already read, to more pages than allowed, or on from twenty pages in a row without new items.
public struct PagedListing<Item: Decodable & Hashable & Sendable>: AsyncSequence, Sendable {
  /// A page.
  public struct Page: Sendable {
    /// Its items, in the server's order.
    public var items: [Item]
    /// Whether the server names another page after it, even one that can't be followed.
    public var hasNext: Bool
    /// The total number of a search's results; nil for other lists.
    public var totalCount: Int?
    /// Whether a search ran out of time, and may have missed results.
    public var isIncomplete: Bool
    /// The source of the page.
    public var source: AnswerSource
  }

  /// A page.
  public typealias Element = Page
  /// What reading can throw.
  public typealias Failure = NetworkError

  let provider: Provider<GitHub>
  let first: GitHub
  let format: PageFormat
  let maximumPages: Int
  /// The identity of an item, as a hash.
  let identity: @Sendable (Item) -> Int

  /// Creates a listing; nothing is asked before the first page is.
  ///
  /// - Parameters:
  ///   - provider: Where to ask.
  ///   - first: The target that answers the first page.
  ///   - format: How the server writes a page.
  ///   - maximumPages: How many pages at most are given, against a server that never ends.
  public init(
    provider: Provider<GitHub>, first: GitHub, format: PageFormat = .array,
    maximumPages: Int = 10_000
  ) {
    self.init(provider, first, format, maximumPages) { $0.hashValue }
  }

  /// Creates a listing of what has identifiers; nothing is asked before the first page is.
  ///
  /// - Parameters:
  ///   - provider: Where to ask.
  ///   - first: The target that answers the first page.
  ///   - format: How the server writes a page.
  ///   - maximumPages: How many pages at most are given, against a server that never ends.
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

  /// Reads page after page. Dropping it cancels what it has under way.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    /// The most pages in a row without new items. GitHub sends none; a server may filter after paging, and
    /// items that change while pages are read appear again.
    private static var maximumStalePages: Int { 20 }

    /// The most pages to request ahead of the reader. It bounds the requests that are wasted if the reader
    /// stops, and the memory.
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
    /// The pages requested ahead of the reader, in order.
    private var ahead: [PageRequest<Item>] = []
    /// The hashes of the targets that were requested; there may be many long URLs.
    private var visited: Set<Int> = []
    /// The identities of the items that were returned.
    private var known: Set<Int> = []
    private var stalePages = 0
    private let identity: @Sendable (Item) -> Int
    /// The entries that couldn't be decoded so far.
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

    /// Requests the next page now, for a reader that will need it but has to wait for something else first.
    public mutating func prefetch() {
      guard case .named(let target) = upcoming, ahead.isEmpty else { return }
      ahead = [request(target)]
    }

    /// Returns the next page, or nil after the last; the page after it is requested early.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> Page? {
      try await next(pagesAhead: .max, isolation: actor)
    }

    /// Returns the next page.
    ///
    /// - Parameters:
    ///   - pagesAhead: The number of pages after it that the reader is sure to need, if they exist. No more are
    ///     requested early, because each request counts against the hour's quota.
    ///   - actor: The caller's actor.
    /// - Returns: The page, or nil after the last.
    /// - Throws: The reason why there is no page. There is none after that.
    public mutating func next(
      pagesAhead: Int, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> Page? {
      let step = upcoming
      // Nothing follows after an error below.
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
        // First: if the outcome is there, the successor read next is its own.
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
        isIncomplete: contents.isIncomplete, source: source)
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
            .decoding, "the list goes on, but its last \(stalePages) pages held nothing new"))
      }
      if case .named = upcoming { ahead = requested }
      return page
    }

    /// Ends a list before its last page.
    ///
    /// - Throws: ``UnreadableEntries``, if entries of the pages so far couldn't be decoded.
    public mutating func finish() throws(NetworkError) {
      guard missing.count > 0 else { return }
      defer { missing = UnreadableEntries() }
      throw missing.error
    }

    private func request(_ target: GitHub) -> PageRequest<Item> {
      PageRequest(target, provider, format: format) { [change] in change.yield() }
    }

    /// Requests the pages that are known to follow, and drops those that turn out not to.
    ///
    /// It requests the page after the current one whichever head names it. Further pages are requested only if
    /// stored answers name them, because following the heads of unread pages would never stop.
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

    /// Refuses a list that goes in a circle or never ends.
    private func follow(_ link: PageLink) -> Upcoming {
      let target = GitHub.page(link)
      guard !visited.contains(target.hashValue) else {
        return .refused(NetworkError(.decoding, "the pages of the list go in a circle"))
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
  /// An object around the array, which also says how many there are: ``SearchResults``.
  case searchResults
}

/// A running request for a page, which provides the link to the next page before the page itself.
///
/// It owns its task: releasing it cancels the request.
final class PageRequest<Item: Decodable & Sendable>: Sendable {
  /// The contents of the page, the link to the next page or the reason why it is refused, and the source of the
  /// page.
  typealias Page = (
    contents: PageContents<Item>, link: Result<PageLink?, NetworkError>, source: AnswerSource
  )

  /// The next page, as far as it is known.
  struct Successor: Sendable {
    /// Its link, if there is a valid one.
    var link: PageLink?
    /// Whether a stored answer names it.
    var isFromCache: Bool
  }

  private struct State {
    var successor: Successor?
    var outcome: Result<Page, NetworkError>?
  }

  let target: GitHub
  private let task: Task<Void, Never>
  private let state: Locked<State>

  /// Sends the request.
  ///
  /// - Parameters:
  ///   - target: The target to request.
  ///   - provider: The provider to ask.
  ///   - format: How a page is written.
  ///   - onChange: Called when ``successor`` or ``outcome`` have changed.
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
          state.withLock { $0.successor = Successor(head) }
          onChange()
        }
        let page = Page(
          try PageContents(of: response, format), response.nextPage, AnswerSource(response))
        state.withLock { $0.successor = Successor(response) }
        outcome = .success(page)
      } catch {
        outcome = .failure(error)
      }
      state.withLock { $0.outcome = outcome }
      onChange()
    }
  }

  deinit { task.cancel() }

  /// The next page, according to the answer so far; nil before its head has arrived.
  ///
  /// It can change: a stored answer counts until the server answers, and an answer that breaks off is requested
  /// again.
  var successor: Successor? { state.withLock { $0.successor } }

  /// The page, or the error; nil until then.
  var outcome: Result<Page, NetworkError>? { state.withLock { $0.outcome } }
}

extension PageRequest.Successor {
  fileprivate init(_ response: Response) {
    link = try? response.nextPage.get()
    isFromCache = response.isFromCache
  }
}

extension Response {
  fileprivate var nextPage: Result<PageLink?, NetworkError> {
    Result { () throws(NetworkError) in try PageLink(nextIn: headers, of: request.url) }
  }
}
