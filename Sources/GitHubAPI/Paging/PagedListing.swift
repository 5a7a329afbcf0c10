public import HTTPTargets

/// All pages of a list, as an asynchronous sequence.
///
/// The server names the next page in the head of the current one. With prefetching the next page is
/// requested right then, while the body of the current one is still arriving, being decoded and
/// worked on; never more than one page ahead of the reader.
///
/// A page that fails ends the sequence with an error: a list that broke half way never looks complete.
public struct PagedListing<Item: Decodable & Sendable>: AsyncSequence, Sendable {
  /// A page.
  public struct Page: Sendable {
    /// What is on it, in the server's order.
    public var items: [Item]
    /// Whether the server names another page after it.
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
  ///   - maximumPages: How many pages at most are followed, against a server that never ends.
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
    private enum Upcoming {
      case named(GitHub)
      case requested(PageRequest<Item>)
      case none
    }

    private let provider: Provider<GitHub>
    private let maximumPages: Int
    private var upcoming: Upcoming
    private var visited: Set<GitHub>

    init(provider: Provider<GitHub>, first: GitHub, maximumPages: Int) {
      self.provider = provider
      self.maximumPages = maximumPages
      upcoming = .named(first)
      visited = [first]
    }

    /// Returns the next page, or nil after the last; the page after it is requested early.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> Page? {
      try await next(prefetching: true, isolation: actor)
    }

    /// Returns the next page, or nil after the last.
    ///
    /// - Parameter prefetching: Whether the page after it is requested as soon as it is named. Say no
    ///   when this page may be enough: a request too many is a request off the hour's quota.
    public mutating func next(
      prefetching: Bool, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> Page? {
      let current: PageRequest<Item>
      switch upcoming {
      case .none: return nil
      case .named(let target): current = PageRequest(target, provider)
      case .requested(let request): current = request
      }
      // Whatever is thrown below, there is nothing after it.
      upcoming = .none
      var following = Upcoming.none
      if prefetching, let link = try await current.link() {
        following = .requested(PageRequest(try visit(link), provider))
      }
      let (items, link) = try await current.page()
      if case .none = following, let link { following = .named(try visit(link)) }
      upcoming = following
      return Page(items: items, hasNext: link != nil)
    }

    /// Notes a page that will be asked for, and refuses a list that goes in circles or on for ever.
    private mutating func visit(_ link: PageLink) throws(NetworkError) -> GitHub {
      let target = GitHub.page(link)
      guard visited.insert(target).inserted else {
        throw NetworkError(.decoding, "the pages of the list go in a circle")
      }
      guard visited.count <= maximumPages else {
        throw NetworkError(.decoding, "the list has more than \(maximumPages) pages")
      }
      return target
    }
  }
}
