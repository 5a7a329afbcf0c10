/// A walk over a whole time line, as it is kept beside what it found, so that a sync that was cut off goes on.
package struct Sweep: Codable, Hashable, Sendable {
  /// What it is for.
  package enum Purpose: String, Codable, Hashable, Sendable {
    /// To have everything for the first time.
    case first
    /// To have what changed since the last sync: from there to the end of the time line.
    case changes
    /// To find what was deleted or transferred: it also notes each number that it sees.
    case verification
  }

  /// For how many seconds a change may be listed nowhere, though one that is newer is: what changed within as many
  /// seconds of the server's time is asked for again.
  package static let lateness = 60

  private enum CodingKeys: CodingKey {
    case purpose, began, stretches, syncedTo, latest, stored, total
  }

  /// Its key in the mirror, which tells it from another in its place; 0 before it is kept.
  package var id: Int64 = 0
  /// What it is for.
  package var purpose: Purpose
  /// When it began, in seconds since 1970 by the server's clock: what changed since is asked for at its end.
  package var began: Int
  /// What isn't done of it, in order. The last one is open: it is gone through when the others are done. Empty
  /// when the sweep has come to its end.
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
  ///   - created: When the repository was made, in seconds since 1970. What was brought along from elsewhere
  ///     may be older, so the first stretch begins at 1970 all the same.
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
    // What shows late is looked for twice as far back as it can be, so that the end of the list is one page more
    // where little has changed.
    stretches.append(Stretch(position: max(began - 2 * Self.lateness, 0), end: nil))
    self.init(purpose: purpose, began: began, stretches: stretches)
  }

  /// A sweep over what changed since everything was here, a second of which is looked at again: it may not
  /// have been over. That is ``lateness`` behind the server's clock, where something changed after it.
  ///
  /// - Parameters:
  ///   - syncedTo: Up to when everything is here.
  ///   - began: The time on the server.
  package init(changesSince syncedTo: Int, began: Int) {
    self.init(
      purpose: .changes, began: began, stretches: [Stretch(position: syncedTo - 1, end: nil)])
  }
}
