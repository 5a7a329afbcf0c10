package import GitHubAPI
package import PlatformModules

/// A pass through a change feed. It is stored with its results, so that an interrupted sync can continue.
package struct Sweep: Codable, Hashable, Sendable {
  package enum Purpose: String, Codable, Hashable, Sendable {
    case first
    case changes
    /// Finds deleted and transferred issues, and records each number that it finds.
    case verification
  }

  /// The number of seconds by which a change may appear late in a list, behind newer ones. These seconds are requested
  /// again.
  package static let lateness = 60

  private enum CodingKeys: CodingKey {
    case purpose, began, stretches, syncedTo, latest, stored, total
  }

  /// An opaque token of its store; 0 before it is stored.
  package var id: Int64 = 0
  package var purpose: Purpose
  /// The beginning by the server's clock. Changes after it are requested at the end of the sweep.
  package var began: Int
  /// The unfinished stretches, in order. The last one is open, and is read after the others.
  package var stretches: [Stretch]
  package var syncedTo: Int?
  /// The latest change found before the open stretch.
  package var latest: Int?
  package var stored = 0
  /// The approximate total; nil if unknown.
  package var total: Int?

  package init(purpose: Purpose, began: Int, stretches: [Stretch], syncedTo: Int? = nil) {
    self.purpose = purpose
    self.began = began
    self.stretches = stretches
    self.syncedTo = syncedTo
  }

  /// Reads a stored sweep; nil if it is invalid, which is possible because other programs may write to the file.
  package init?(stored json: Data) {
    guard let sweep = try? JSONDecoder().decode(Sweep.self, from: json) else { return nil }
    var numbers = [sweep.began, sweep.syncedTo, sweep.latest, sweep.stored, sweep.total]
    for stretch in sweep.stretches { numbers += [stretch.position, stretch.end] }
    guard numbers.allSatisfy({ ($0 ?? 0).magnitude <= 1 << 40 }) else { return nil }
    self = sweep
  }

  /// A sweep through the entire feed. Imported issues may be older than the repository, so the first stretch begins in
  /// 1970.
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
    // Starts earlier by twice the maximum delay of a change, so that the end of a quiet list takes a single page.
    stretches.append(Stretch(position: max(began - 2 * Self.lateness, 0), end: nil))
    self.init(purpose: purpose, began: began, stretches: stretches)
  }

  /// A sweep with a single stream to the end of the list, where it also finds entries that have moved there.
  package init(everythingInOneGo purpose: Purpose, began: Int) {
    self.init(purpose: purpose, began: began, stretches: [Stretch(position: 0, end: nil)])
  }

  /// A sweep through later changes. It repeats the last second, which may have been incomplete.
  package init(changesSince syncedTo: Int, began: Int) {
    self.init(
      purpose: .changes, began: began, stretches: [Stretch(position: syncedTo - 1, end: nil)])
  }
}

/// A part of a change feed for one stream of pages, in seconds since 1970 by the server's clock.
package struct Stretch: Codable, Hashable, Sendable {
  /// Everything before this second is stored. The second itself may be incomplete, and will be requested again.
  package var position: Int
  /// The end, exclusive; nil for the end of the list.
  package var end: Int?

  package init(position: Int, end: Int?) {
    self.position = position
    self.end = end
  }
}

package struct SweepAsk: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case since(Int)
    case page(PageLink)
  }

  package let stream: Int
  package let place: Place
  package let pageSize: Int
}

/// The parts of a page that matter for a sweep.
package struct SweepAnswer: Sendable {
  package struct Entry: Hashable, Sendable {
    package var id: Int64
    package var updatedAt: Int

    package init(id: Int64, updatedAt: Int) {
      self.id = id
      self.updatedAt = updatedAt
    }
  }

  /// GitHub's largest page size.
  package static let pageSize = 100

  package var entries: [Entry]
  package var next: PageLink?
  /// The length of the whole list; nil if the server doesn't tell it.
  package var total: Int?
  /// The time of the request by the server's clock.
  package var askedAt: Int
  package var entityTag: String?

  package init(
    entries: [Entry], next: PageLink?, total: Int? = nil, askedAt: Int, entityTag: String? = nil
  ) {
    self.entries = entries
    self.next = next
    self.total = total
    self.askedAt = askedAt
    self.entityTag = entityTag
  }
}
