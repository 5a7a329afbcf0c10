public import HTTPTargets

/// All pages of a list, as an asynchronous sequence.
///
/// The server names the next page in the head of the current one. With prefetching the next page is
/// requested right then, while the body of the current one is still arriving, being decoded and
/// worked on. It goes no further: the page after that is requested when the reader asks for the
/// prefetched one.
///
/// A list that broke half way never looks complete. Every page that arrived whole is given, then comes
/// the error: of a page that failed, or of a link that is not followed because it leads to another
/// origin, to a page that was there already, or to one page too many.
public struct PagedListing<Item: Decodable & Sendable>: AsyncSequence, Sendable {
  /// A page.
  public struct Page: Sendable {
    /// What is on it, in the server's order.
    public var items: [Item]
    /// Whether the server names another page after it, be it one that can't be followed.
    public var hasNext: Bool
  }

  /// A page.
  public typealias Element = Page
  /// What reading can throw.
  public typealias Failure = NetworkError

  let provider: Provider<GitHub>
  let first: GitHub
  let maximumPages: Int

  /// Creates a listing; nothing is asked before the first page is.
  ///
  /// - Parameters:
  ///   - provider: Where to ask.
  ///   - first: The target that answers the first page.
  ///   - maximumPages: How many pages at most are given, against a server that never ends.
  public init(provider: Provider<GitHub>, first: GitHub, maximumPages: Int = 10_000) {
    self.provider = provider
    self.first = first
    self.maximumPages = maximumPages
  }

  /// Starts reading at the first page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(provider: provider, first: first, maximumPages: maximumPages)
  }

  /// Reads page after page. Dropping it cancels what it has under way.
  public struct Iterator: AsyncIteratorProtocol {
    /// How many empty pages in a row are followed. GitHub sends none; a server may filter after paging.
    private static var maximumEmptyPages: Int { 20 }

    private enum Upcoming {
      case named(GitHub)
      case requested(PageRequest<Item>)
      case refused(NetworkError)
      case none
    }

    private let provider: Provider<GitHub>
    private let maximumPages: Int
    private var upcoming: Upcoming
    /// The hashes of the targets that were followed: a URL may be long, and there may be many.
    private var visited: Set<Int>
    private var emptyPages = 0

    init(provider: Provider<GitHub>, first: GitHub, maximumPages: Int) {
      self.provider = provider
      self.maximumPages = maximumPages
      upcoming = .named(first)
      visited = [first.hashValue]
    }

    /// Returns the next page, or nil after the last; the page after it is requested early.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> Page? {
      try await next(prefetching: true, isolation: actor)
    }

    /// Gives the next page.
    ///
    /// - Parameters:
    ///   - prefetching: Whether the page after it is requested as soon as it is named. Say no when this
    ///     page may be enough: a request too many is a request off the hour's quota.
    ///   - actor: Where the caller runs.
    /// - Returns: The page, or nil after the last.
    /// - Throws: Why there is no page; after that there is none.
    public mutating func next(
      prefetching: Bool, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> Page? {
      let step = upcoming
      // Whatever is thrown below, there is nothing after it.
      upcoming = .none
      let current: PageRequest<Item>
      switch step {
      case .none: return nil
      case .refused(let error): throw error
      case .named(let target): current = PageRequest(target, provider)
      case .requested(let request): current = request
      }
      let announced = prefetching ? try await current.link() : nil
      var early = announced.map { follow($0) } ?? .none
      if case .named(let target) = early { early = .requested(PageRequest(target, provider)) }
      let (items, link) = try await current.page()
      switch link {
      case .success(nil):
        return Page(items: items, hasNext: false)
      case .success(let link?):
        // An answer that broke off and was asked for again can name another page than its head did.
        upcoming = link == announced ? early : follow(link)
      case .failure(let error):
        upcoming = .refused(error)
      }
      emptyPages = items.isEmpty ? emptyPages + 1 : 0
      if emptyPages > Self.maximumEmptyPages {
        upcoming = .refused(NetworkError(.decoding, "the list has nothing but empty pages"))
      }
      return Page(items: items, hasNext: true)
    }

    /// Notes a page that will be asked for, and refuses a list that goes in circles or on for ever.
    private mutating func follow(_ link: PageLink) -> Upcoming {
      let target = GitHub.page(link)
      guard visited.insert(target.hashValue).inserted else {
        return .refused(NetworkError(.decoding, "the pages of the list go in a circle"))
      }
      guard visited.count <= maximumPages else {
        return .refused(NetworkError(.decoding, "the list has more than \(maximumPages) pages"))
      }
      return .named(target)
    }
  }
}
