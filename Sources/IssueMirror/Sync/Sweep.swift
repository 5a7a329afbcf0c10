package import GitHubAPI

/// A walk over a change feed. It is stored with what it found, so that a sync that was cut off goes on.
package struct Sweep: Codable, Hashable, Sendable {
  /// What it is for.
  package enum Purpose: String, Codable, Hashable, Sendable {
    /// To have everything for the first time.
    case first
    /// To have what changed since the last sync: from there to the end of the feed.
    case changes
    /// To find what was deleted or transferred: it also notes each number that it sees.
    case verification
  }

  /// How many seconds late a change may show in a list, behind newer ones. Changes of that many seconds before the
  /// server's time are asked for again.
  package static let lateness = 60

  private enum CodingKeys: CodingKey {
    case purpose, began, stretches, syncedTo, latest, stored, total
  }

  /// A token of its store, which tells it from another in its place; 0 before it is stored.
  package var id: Int64 = 0
  /// What it is for.
  package var purpose: Purpose
  /// When it began, in seconds since 1970 by the server's clock: what changed since is asked for at its end.
  package var began: Int
  /// The stretches that aren't done, in order. The last one is open, and comes after the others. Empty at the end.
  package var stretches: [Stretch]
  /// Where it came to its end: up to when everything is here; nil before that.
  package var syncedTo: Int?
  /// The last change that was seen on the way to the open stretch; nil before there is one.
  package var latest: Int?
  /// How many entries have come, those that came twice counted twice.
  package var stored = 0
  /// About how many there are; nil where that isn't known.
  package var total: Int?

  /// Makes a sweep.
  package init(purpose: Purpose, began: Int, stretches: [Stretch], syncedTo: Int? = nil) {
    self.purpose = purpose
    self.began = began
    self.stretches = stretches
    self.syncedTo = syncedTo
  }

  /// A sweep over everything.
  ///
  /// - Parameters:
  ///   - purpose: What it is for.
  ///   - created: When the repository was made, in seconds since 1970. Imported issues may be older, so that the
  ///     first stretch begins at 1970 all the same.
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
    // Twice as far back as changes may show late, so that where little has changed the end takes a single page.
    stretches.append(Stretch(position: max(began - 2 * Self.lateness, 0), end: nil))
    self.init(purpose: purpose, began: began, stretches: stretches)
  }

  /// A sweep over what changed since everything was here. It repeats the last second, which may not have been over.
  ///
  /// - Parameters:
  ///   - syncedTo: Up to when everything is here.
  ///   - began: The time on the server.
  package init(changesSince syncedTo: Int, began: Int) {
    self.init(
      purpose: .changes, began: began, stretches: [Stretch(position: syncedTo - 1, end: nil)])
  }
}

/// A stretch of a change feed that one stream of pages works through, in seconds since 1970 by the server's clock.
package struct Stretch: Codable, Hashable, Sendable {
  /// Where to go on: everything of the stretch before this second is stored. The second itself may be stored in part,
  /// and is asked for again.
  package var position: Int
  /// Where the stretch ends, exclusive; nil: with the list.
  package var end: Int?

  /// Makes a stretch.
  package init(position: Int, end: Int?) {
    self.position = position
    self.end = end
  }
}

/// A page that a stream of a sweep wants next.
package struct SweepAsk: Hashable, Sendable {
  /// Where on the feed it is.
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

/// What a sweep needs to know of a page.
package struct SweepAnswer: Sendable {
  /// An entry of a change feed.
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
