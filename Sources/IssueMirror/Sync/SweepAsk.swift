package import GitHubAPI

/// A page that a stream of a sweep wants next.
package struct SweepAsk: Hashable, Sendable {
  /// Where on the time line it is.
  package enum Place: Hashable, Sendable {
    /// The beginning of what changed at or after this second.
    case since(Int)
    /// Where the page before says.
    case page(PageLink)
  }

  /// Which stream wants it: the answer has to be given to that one.
  package let stream: Int
  /// Where it is.
  package let place: Place
  /// How many entries it is to have.
  package let pageSize: Int
}

/// What a sweep has to know of a page that was asked for.
package struct SweepAnswer: Sendable {
  /// An entry of a time line.
  package struct Entry: Hashable, Sendable {
    /// Its id on the server, which tells it from the others of its second.
    package var id: Int64
    /// When it last changed, in seconds since 1970.
    package var updatedAt: Int

    /// Makes an entry.
    package init(id: Int64, updatedAt: Int) {
      self.id = id
      self.updatedAt = updatedAt
    }
  }

  /// The most entries of a page, which is also how many are asked for: as many as GitHub gives.
  package static let pageSize = 100

  /// What is on the page, in the server's order.
  package var entries: [Entry]
  /// Where the next page is; nil on the last.
  package var next: PageLink?
  /// When it was asked for, in seconds since 1970 by the server's clock.
  package var askedAt: Int
  /// The page's entity tag, where it has one.
  package var entityTag: String?

  /// Makes an answer.
  package init(
    entries: [Entry], next: PageLink?, askedAt: Int, entityTag: String? = nil
  ) {
    self.entries = entries
    self.next = next
    self.askedAt = askedAt
    self.entityTag = entityTag
  }
}
