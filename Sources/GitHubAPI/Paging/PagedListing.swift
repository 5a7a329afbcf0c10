public import HTTPTargets
internal import Locking

/// All pages of a list, as an asynchronous sequence.
///
/// The server names the next page in the head of the current one. With prefetching the next page is
/// requested right then, while the body of the current one is still arriving, being decoded and
/// worked on. It goes no further: the page after that is requested when the reader asks for the
/// prefetched one.
///
/// A stored answer (``HTTPTargets/CachingInterceptor``) names the next page before the server is asked,
/// so up to four pages ahead of the reader are requested at once where answers are stored. What the
/// server then says counts: if it names another page, those that were requested too early are dropped.
///
/// An entry that can't be read takes none of the others with it: the list goes on, and ends in an error that names
/// it (``UnreadableEntries``).
///
/// A list that broke half way never looks complete. Every page that arrived whole is given, then comes
/// the error: of a page that failed, or of a link that is not followed because it leads to another
/// origin, to a page that was there already, to one page too many, or on from twenty pages in a row that
/// held nothing new.
public struct PagedListing<Item: Decodable & Hashable & Sendable>: AsyncSequence, Sendable {
  /// A page.
  public struct Page: Sendable {
    /// What is on it, in the server's order.
    public var items: [Item]
    /// Whether the server names another page after it, be it one that can't be followed.
    public var hasNext: Bool
    /// How many items a search found in all; nil where the list is no search's.
    public var totalCount: Int?
    /// Whether a search ran out of time, so that it may have missed some.
    public var isIncomplete: Bool
    /// Where it came from.
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
  /// What an item is known by: its hash.
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
    /// How many pages in a row with nothing new are followed. GitHub sends none; a server may filter after
    /// paging, and what is touched while pages are read comes again.
    private static var maximumStalePages: Int { 20 }

    /// How many pages ahead of the reader are requested at most: what a reader that stops has asked for
    /// in vain, and what is in memory at most.
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
    /// The pages that are requested before the reader wants them, in order.
    private var ahead: [PageRequest<Item>] = []
    /// The hashes of the targets that were followed: a URL may be long, and there may be many.
    private var visited: Set<Int> = []
    /// What the items are known by that were there already.
    private var known: Set<Int> = []
    private var stalePages = 0
    private let identity: @Sendable (Item) -> Int
    /// What couldn't be read so far.
    private var missing = UnreadableEntries()
    /// Tells that some request knows more than before.
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

    /// Requests the next page now, for a reader who will want it and has to wait for something else first.
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

    /// Gives the next page.
    ///
    /// - Parameters:
    ///   - pagesAhead: How many pages after it are sure to be wanted, if there are so many: no more are
    ///     requested early. A request too many is a request off the hour's quota.
    ///   - actor: Where the caller runs.
    /// - Returns: The page, or nil after the last.
    /// - Throws: Why there is no page; after that there is none.
    public mutating func next(
      pagesAhead: Int, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> Page? {
      let step = upcoming
      // Whatever is thrown below, there is nothing after it.
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
        // Looked at first: if it is there, the link that is looked at next is its own.
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
    /// - Throws: ``UnreadableEntries``, where some of the pages so far couldn't be read.
    public mutating func finish() throws(NetworkError) {
      guard missing.count > 0 else { return }
      defer { missing = UnreadableEntries() }
      throw missing.error
    }

    private func request(_ target: GitHub) -> PageRequest<Item> {
      PageRequest(target, provider, format: format) { [change] in change.yield() }
    }

    /// Requests the pages that are known by now to follow, and drops those that turn out not to.
    ///
    /// After the current page one that any head names; after that only what stored answers name, because
    /// who waits for the heads of pages that nobody reads yet never stops.
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

    /// Refuses a list that goes in circles or on for ever.
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

/// How the server writes a page of a list.
public enum PageFormat: Sendable, Hashable {
  /// An array of items.
  case array
  /// An object around the array, which also says how many there are: ``SearchResults``.
  case searchResults
}

/// A request for a page, running: the link to the next page comes out of it before the page does.
///
/// It owns its task: dropping it cancels the request.
final class PageRequest<Item: Decodable & Sendable>: Sendable {
  /// What is on the page, the link to the next one or why it is refused, and where the page came from.
  typealias Page = (
    contents: PageContents<Item>, link: Result<PageLink?, NetworkError>, source: AnswerSource
  )

  /// What is known of the next page.
  struct Successor: Sendable {
    /// Its link, if there is one that can be followed.
    var link: PageLink?
    /// Whether a stored answer says so.
    var isFromCache: Bool
  }

  private struct State {
    var successor: Successor?
    var outcome: Result<Page, NetworkError>?
  }

  /// What is asked for.
  let target: GitHub
  private let task: Task<Void, Never>
  private let state: Locked<State>

  /// Sends the request.
  ///
  /// - Parameters:
  ///   - target: What to ask for.
  ///   - provider: Where.
  ///   - format: How a page is written.
  ///   - onChange: Is called when ``successor`` or ``outcome`` have changed.
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

  /// What the answer says of the next page, as far as it is in; nil before its head is.
  ///
  /// It can change: what a stored answer says until the server has answered, and what an answer says that
  /// breaks off and is asked for again.
  var successor: Successor? { state.withLock { $0.successor } }

  /// The page, or why there is none; nil before that is known.
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
