/// The reading of a second that holds more than a page, from a server that numbers its pages.
///
/// What changes while the pages are read leaves the second, and what comes after it moves up: one of those
/// may go from a page that is still to be read to one that was. But what left was read before, else nothing
/// would have moved past a page that was read, and is missing from the next reading. So two readings that
/// agree say that nothing left during the first, and that it is whole. Nothing comes back to a second, so that
/// they agree in the end.
struct SecondReading: Sendable {
  /// The most readings of a server whose pages never come to rest.
  static let mostReadings = 100

  /// The second, since 1970.
  let second: Int
  /// How many readings have come to their end.
  private(set) var readings = 0
  private var ids: Set<Int64> = []
  private var earlier: Set<Int64>?

  init(second: Int) {
    self.second = second
  }

  /// Takes what a page has of the second.
  ///
  /// - Returns: Whether this reading has come further by it.
  mutating func add(_ answer: SweepAnswer) -> Bool {
    let count = ids.count
    for entry in answer.entries where entry.updatedAt == second { ids.insert(entry.id) }
    return ids.count > count
  }

  /// Tells whether what comes after a page isn't of the second.
  func ends(with answer: SweepAnswer) -> Bool {
    answer.next == nil || !answer.entries.contains { $0.updatedAt == second }
  }

  /// Ends a reading, and begins another.
  ///
  /// - Returns: Whether it agrees with the one before.
  mutating func finish() -> Bool {
    let agrees = earlier == ids
    readings += 1
    earlier = ids
    ids = []
    return agrees
  }
}
