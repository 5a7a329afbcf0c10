package import GitHubAPI

/// A walk over a change feed. It is stored with what it found, so that a sync that was cut off goes on.
package struct Sweep: Codable, Hashable, Sendable {
  package enum Purpose: String, Codable, Hashable, Sendable {
    /// To fetch everything for the first time.
    case first
    /// To fetch changes since the last sync.
    case changes
    /// To find what was deleted or transferred. It notes each number that it sees.
    case verification
  }

  /// How many seconds late a change may appear in a list, behind newer ones. Changes of that many seconds are
  /// requested again.
  package static let lateness = 60

  private enum CodingKeys: CodingKey {
    case purpose, began, stretches, syncedTo, latest, stored, total
  }

  /// An opaque token of its store; 0 before it is stored.
  package var id: Int64 = 0
  package var purpose: Purpose
  /// When it began, by the server's clock. Changes since then are requested at its end.
  package var began: Int
  /// The unfinished stretches, in order. The last one is open, and is done after the others. Empty at the end.
  package var stretches: [Stretch]
  /// Up to when everything is here; nil before the end.
  package var syncedTo: Int?
  /// The last change seen before the open stretch; nil without one.
  package var latest: Int?
  /// How many entries have arrived, including duplicates.
  package var stored = 0
  /// The approximate number of entries; nil if unknown.
  package var total: Int?

  package init(purpose: Purpose, began: Int, stretches: [Stretch], syncedTo: Int? = nil) {
    self.purpose = purpose
    self.began = began
    self.stretches = stretches
    self.syncedTo = syncedTo
  }

  /// A sweep over everything.
  ///
  /// - Parameters:
  ///   - purpose: Its purpose.
  ///   - created: When the repository was created. Imported issues may be older, so the first stretch begins in 1970
  ///     anyway.
  ///   - began: The time on the server.
  ///   - streams: How many stretches it begins with, besides the open one.
  package init(
    everything purpose: Purpose, created: Int, began: Int, streams: Int
  ) {
    let length = max(began - created, 0)
    let count = max(min(streams, length), 1)
    var begin = 0
    var stretches: [Stretch] = []
    for index in 1...count {
      let end = index == count ? began : created + length / count * index
      stretches.append(Stretch(position: begin, end: end))
      begin = end
    }
    // Twice as far back as changes may be late, so that the end of a quiet list takes a single page.
    stretches.append(Stretch(position: max(began - 2 * Self.lateness, 0), end: nil))
    self.init(purpose: purpose, began: began, stretches: stretches)
  }

  /// A sweep over the changes since a sync. It repeats the last second, which may not have been over.
  package init(changesSince syncedTo: Int, began: Int) {
    self.init(
      purpose: .changes, began: began, stretches: [Stretch(position: syncedTo - 1, end: nil)])
  }
}

/// A stretch of a change feed for one stream of pages, in seconds since 1970 by the server's clock.
package struct Stretch: Codable, Hashable, Sendable {
  /// Where to continue. Everything in the stretch before this second is stored. The second itself may be incomplete,
  /// and is requested again.
  package var position: Int
  /// The end, exclusive; nil for the end of the list.
  package var end: Int?

  package init(position: Int, end: Int?) {
    self.position = position
    self.end = end
  }
}

/// A page that a stream of a sweep needs next.
package struct SweepAsk: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// The beginning of the changes at or after this second.
    case since(Int)
    /// The page that the previous one links to.
    case page(PageLink)
  }

  /// The stream that needs it, and takes the answer.
  package let stream: Int
  package let place: Place
  package let pageSize: Int
}

/// What a sweep has to know about a page.
package struct SweepAnswer: Sendable {
  package struct Entry: Hashable, Sendable {
    /// The id on the server.
    package var id: Int64
    /// When it last changed, in seconds since 1970.
    package var updatedAt: Int

    package init(id: Int64, updatedAt: Int) {
      self.id = id
      self.updatedAt = updatedAt
    }
  }

  /// The size of a page, the largest that GitHub allows.
  package static let pageSize = 100

  /// The entries, in the server's order.
  package var entries: [Entry]
  /// The next page; nil for the last one.
  package var next: PageLink?
  /// When the page was requested, by the server's clock.
  package var askedAt: Int
  package var entityTag: String?

  package init(
    entries: [Entry], next: PageLink?, askedAt: Int, entityTag: String? = nil
  ) {
    self.entries = entries
    self.next = next
    self.askedAt = askedAt
    self.entityTag = entityTag
  }
}
