internal import GitHubAPI
internal import HTTPTargets

/// A stream of pages through a stretch. If the server has cursors, the stream follows them. With numbered pages, it
/// requests the list again from the last second: `page=2` begins elsewhere once an entry of the first page has moved to
/// the end.
struct SweepStream: Sendable {
  enum Phase: Sendable {
    case ready(SweepAsk.Place)
    case asking
    case failed
  }

  struct End: Sendable {
    /// The time up to which the list is complete, in seconds since 1970.
    var syncedTo: Int
    /// The entity tag of the list that begins a second earlier; nil if it can't be used.
    var entityTag: String?
  }

  enum Outcome: Sendable {
    case goesOn
    case ended(End)
  }

  /// The most consecutive empty pages. GitHub never sends one before another page, but a server may filter after
  /// paging.
  private static let mostEmptyPages = 20
  /// The most entries of a page that may have changed while the server read it.
  private static let mostMisplacedEntries = 10
  private static let mostStalePages = 20
  /// The most pages without a later second, or without the end of a reading of one second: two million entries.
  private static let mostPagesOfASecond = 20_000

  /// The number of smaller pages after which the page size is doubled.
  private static let lightPages = 4

  let id: Int
  /// Whether the list is sorted by the time of the last change. Forgejo and Gitea have lists that aren't.
  let isOrdered: Bool
  var stretch: Stretch
  var phase: Phase
  /// The seconds that the last page spans; nil before the first page.
  private(set) var pace: Int?
  private var since: Int
  /// When the list was requested, by the server's clock. Later changes aren't settled. Within the same second, an entry
  /// may change again and keep its place. Or it may have changed after the server found it and before the server read
  /// it; then its time doesn't indicate how far the page reaches.
  private var listedAt = 0
  /// The position at which the list was requested again at its end.
  private var lastListing: Int?
  private(set) var pageSize = SweepAnswer.pageSize
  private var lightPages = 0
  private var reading: SecondReading?
  private var visited: Set<Int> = []
  private var emptyPages = 0
  private var pagesOfASecond = 0
  /// The entries on the pages of the last second, and on the page before them.
  private var known: Set<Int64> = []
  private var stalePages = 0
  /// The length of an unordered list, according to its last page.
  private var total: Int?
  private var restarts = 0

  init(id: Int, stretch: Stretch, isOrdered: Bool = true) {
    self.id = id
    self.isOrdered = isOrdered
    self.stretch = stretch
    since = stretch.position
    phase = .ready(.since(stretch.position))
  }

  /// The number of remaining pages, estimated from the last page; nil if unknown, or if the stretch can't be cut.
  var expectedPages: Int? {
    guard let end = stretch.end, let pace, end - stretch.position >= 2 else { return nil }
    if case .failed = phase { return nil }
    return (end - stretch.position) / max(pace, 1)
  }

  mutating func cut() -> Stretch? {
    guard let end = stretch.end, end - stretch.position >= 2 else { return nil }
    let middle = stretch.position + (end - stretch.position) / 2
    stretch.end = middle
    return Stretch(position: middle, end: end)
  }

  mutating func reachBack(to second: Int) {
    guard second < since else { return }
    stretch.position = second
    _ = list(since: second)
  }

  /// Halves the page size. Returns false if it is already the smallest.
  mutating func halvePage() -> Bool {
    guard pageSize > 1 else { return false }
    pageSize /= 2
    lightPages = 0
    if let reading {
      // Readings with different page sizes can't be compared.
      self.reading = SecondReading(second: reading.second)
      _ = list(since: reading.second)
    } else {
      _ = list(since: lastListing ?? max(since, stretch.position))
    }
    return true
  }

  private mutating func growsPage() -> Bool {
    guard pageSize < SweepAnswer.pageSize, reading == nil, stretch.position > since else {
      return false
    }
    lightPages += 1
    guard lightPages >= Self.lightPages else { return false }
    lightPages = 0
    pageSize = min(2 * pageSize, SweepAnswer.pageSize)
    return true
  }

  mutating func receive(_ answer: SweepAnswer) throws(NetworkError) -> Outcome {
    if visited.isEmpty { listedAt = answer.askedAt }
    guard isOrdered else { return try receiveUnordered(answer) }
    let settled = answer.entries.map(\.updatedAt).filter { $0 < listedAt }
    // In another order, a page doesn't limit the times on later pages.
    guard zip([since] + settled, settled).allSatisfy({ $0 <= $1 }) else {
      throw NetworkError(
        .decoding, "the server doesn't sort by last change, so it can't be mirrored")
    }
    let reached = max(stretch.position, settled.last ?? 0)
    if let first = settled.first, let last = settled.last { pace = last - first }
    try countPages(of: answer, advances: reached > stretch.position)
    if reading != nil { return try receiveOfSecond(answer) }
    try countStalePages(of: answer, advances: reached > stretch.position)

    stretch.position = reached
    if hasPassedEnd(with: answer) { return .ended(End(syncedTo: reached)) }
    guard let next = answer.next else { return endOfList(answer) }
    if growsPage() { return list(since: stretch.position) }
    guard next.isNumbered else { return try follow(next) }
    if let second = secondAfter(answer) { return list(since: second) }
    reading = SecondReading(second: since)
    return try receiveOfSecond(answer)
  }

  /// Reads a list in another order to its end. Whatever changes meanwhile may be on a page that was already read, so the
  /// list is complete up to its beginning, less the time by which a change may appear late. If it becomes shorter, an
  /// entry was deleted, and another one may have moved to a page that was already read, so the list is read again.
  private mutating func receiveUnordered(
    _ answer: SweepAnswer
  ) throws(NetworkError) -> Outcome {
    try countPages(of: answer, advances: false)
    try countStalePages(of: answer, advances: false)
    if !visited.isEmpty, let total, let present = answer.total, present < total {
      restarts += 1
      guard restarts < SecondReading.mostReadings else {
        throw NetworkError(.decoding, "the pages of the list keep changing")
      }
      return list(since: since)
    }
    total = answer.total
    guard let next = answer.next else {
      return .ended(End(syncedTo: max(listedAt - Sweep.lateness, 0)))
    }
    return try follow(next)
  }

  private func secondAfter(_ answer: SweepAnswer) -> Int? {
    if stretch.position > since { return stretch.position }
    let unsettled = answer.entries.map(\.updatedAt).filter { $0 > since }
    return unsettled.count > Self.mostMisplacedEntries ? unsettled.min() : nil
  }

  private mutating func receiveOfSecond(
    _ answer: SweepAnswer
  ) throws(NetworkError) -> Outcome {
    guard var reading else { return .goesOn }
    try countStalePages(isStale: !reading.add(answer))
    if !reading.ends(with: answer), let next = answer.next {
      self.reading = reading
      return try follow(next)
    }
    pagesOfASecond = 0
    // Unsettled entries appear in the list of every second, and aren't new.
    let seen = known
    defer { known = seen }
    if reading.finish() {
      self.reading = nil
      let second = reading.second + 1
      stretch.position = max(stretch.position, min(second, listedAt))
      if let end = stretch.end, second >= end { return .ended(End(syncedTo: second)) }
      return list(since: second)
    }
    guard reading.readings < SecondReading.mostReadings else {
      throw NetworkError(.decoding, "the pages of the list keep changing")
    }
    self.reading = reading
    return list(since: reading.second)
  }

  /// Whether the page reaches the end of the stretch. Entries from the end on belong to another stream.
  private func hasPassedEnd(with answer: SweepAnswer) -> Bool {
    guard let end = stretch.end else { return false }
    return stretch.position >= end
      || !answer.entries.isEmpty && answer.entries.allSatisfy { $0.updatedAt >= end }
  }

  /// Handles the end of the list. An open stretch is listed once more, from the last change or from the earliest time
  /// at which late changes may appear, whichever is earlier. The new page shows that nothing was added during the
  /// sweep, and has the entity tag for the next sync. A list that began shortly before suffices.
  private mutating func endOfList(_ answer: SweepAnswer) -> Outcome {
    guard stretch.end == nil else { return .ended(End(syncedTo: stretch.position)) }
    if lastListing == nil {
      let second = max(min(stretch.position, listedAt - Sweep.lateness) - 1, 0)
      // The server's clock is behind the times of its entries, so nothing is settled.
      guard since <= stretch.position else { return .ended(End(syncedTo: second + 1)) }
      // A complete list read by cursors doesn't miss anything, and the next sync requests late changes.
      guard since > 0 else { return .ended(End(syncedTo: second + 1)) }
      guard (second - 2 * Sweep.lateness...second + 1).contains(since) else {
        lastListing = second
        stretch.position = second
        return list(since: second)
      }
    }
    // A full page, or the first of several, stays the same when entries are added after it. An empty page is the same
    // for every list.
    let isShort =
      visited.isEmpty && pageSize == SweepAnswer.pageSize
      && (1..<SweepAnswer.pageSize).contains(answer.entries.count)
    // With numbered pages, each list was requested from a later time.
    let begin = min(since, lastListing ?? since)
    return .ended(
      End(syncedTo: begin + 1, entityTag: isShort && begin == since ? answer.entityTag : nil))
  }

  private mutating func list(since second: Int) -> Outcome {
    since = second
    visited = []
    known = []
    phase = .ready(.since(second))
    return .goesOn
  }

  private mutating func follow(_ link: PageLink) throws(NetworkError) -> Outcome {
    guard visited.insert(link.url.hashValue).inserted else {
      throw NetworkError(.decoding, "the pages of the list form a loop")
    }
    phase = .ready(.page(link))
    return .goesOn
  }

  private mutating func countPages(
    of answer: SweepAnswer, advances: Bool
  ) throws(NetworkError) {
    emptyPages = answer.entries.isEmpty ? emptyPages + 1 : 0
    guard emptyPages <= Self.mostEmptyPages else {
      throw NetworkError(.decoding, "the list has only empty pages")
    }
    pagesOfASecond = advances ? 0 : pagesOfASecond + 1
    guard pagesOfASecond <= Self.mostPagesOfASecond else {
      throw NetworkError(.decoding, "the list never ends")
    }
  }

  private mutating func countStalePages(
    of answer: SweepAnswer, advances: Bool
  ) throws(NetworkError) {
    let ids = Set(answer.entries.map(\.id))
    try countStalePages(isStale: ids.isSubset(of: known))
    known = advances ? ids : known.union(ids)
  }

  private mutating func countStalePages(isStale: Bool) throws(NetworkError) {
    stalePages = isStale ? stalePages + 1 : 0
    guard stalePages <= Self.mostStalePages else {
      throw NetworkError(
        .decoding, "the list continues, but its last \(Self.mostStalePages) pages had nothing new")
    }
  }
}

/// Reads a second whose entries take more than a page, from a server with numbered pages.
///
/// If an entry changes during a reading, it leaves the second, and the entries after it move up. One of them may move
/// from an unread page to a page that was already read. In this case the changed entry itself was on a page that was
/// already read, so the next reading lacks it. So if two readings agree, no entry left during the first one, and it is
/// complete. Entries never return to a second, so two readings agree eventually.
struct SecondReading: Sendable {
  static let mostReadings = 100

  let second: Int
  private(set) var readings = 0
  private var ids: Set<Int64> = []
  private var earlier: Set<Int64>?

  init(second: Int) {
    self.second = second
  }

  /// Returns whether the page had new entries.
  mutating func add(_ answer: SweepAnswer) -> Bool {
    let count = ids.count
    for entry in answer.entries where entry.updatedAt == second { ids.insert(entry.id) }
    return ids.count > count
  }

  func ends(with answer: SweepAnswer) -> Bool {
    answer.next == nil || !answer.entries.contains { $0.updatedAt == second }
  }

  /// Returns whether the reading agrees with the previous one.
  mutating func finish() -> Bool {
    let agrees = earlier == ids
    readings += 1
    earlier = ids
    ids = []
    return agrees
  }
}

extension PageLink {
  /// A numbered page begins elsewhere once an entry before it has moved; a cursor identifies the entry to continue
  /// after.
  var isNumbered: Bool {
    guard let begin = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
    let names = url[begin...].dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" } }
    return names.contains("page") && !names.contains("after")
  }
}
