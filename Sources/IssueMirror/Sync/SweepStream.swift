internal import GitHubAPI
internal import HTTPTargets

/// One stream of pages through a stretch of a change feed.
///
/// From a server that gives cursors it follows them. From one that numbers its pages it asks for the page
/// that begins at the last second seen, over and over: `page=2` begins elsewhere when what was on the first
/// page has moved to the end of the list.
struct SweepStream: Sendable {
  /// What it is at.
  enum Phase: Sendable {
    /// It wants a page.
    case ready(SweepAsk.Place)
    /// It waits for one.
    case asking
    /// It got none. It is left alone until the next sync.
    case failed
  }

  /// Where an open stream came to its end.
  struct End: Sendable {
    /// Up to when everything is here, in seconds since 1970.
    var syncedTo: Int
    /// The entity tag of the list that begins a second before that; nil where it is of no use.
    var entityTag: String?
  }

  /// What came of a page.
  enum Outcome: Sendable {
    /// There is more to ask for.
    case goesOn
    /// It has passed the end of its stretch, or of the list.
    case ended(End)
  }

  /// GitHub sends no empty page with another one after it; a server may filter after paging.
  private static let mostEmptyPages = 20
  /// How many entries of a page may have changed while the server read it.
  private static let mostMisplacedEntries = 10
  /// How many pages in a row may have nothing that wasn't on the pages before.
  private static let mostStalePages = 20
  /// The most pages that a stream follows without coming to a later second, or to the end of a reading of
  /// one: two million entries.
  private static let mostPagesOfASecond = 20_000

  /// After how many pages of less than the full size it asks for twice as many entries again.
  private static let lightPages = 4

  /// Which one it is.
  let id: Int
  /// What it has to go through, and how far it is.
  var stretch: Stretch
  /// What it is at.
  var phase: Phase
  /// How many seconds its last page spans; nil before there is one.
  private(set) var pace: Int?
  /// From when on it lists.
  private var since: Int
  /// When that list was begun, by the server's clock.
  ///
  /// What changed at or after that isn't settled. It may change again within the same second and stay in its
  /// place. And it may have changed between the server's finding it and reading it, and show on a page with a
  /// time that belongs further back in the list, which tells nothing about how far the page goes.
  private var listedAt = 0
  /// From when on the list was begun anew at its end; nil before that.
  private var lastListing: Int?
  /// How many entries it asks for at once: fewer where a page was too much for the server.
  private(set) var pageSize = SweepAnswer.pageSize
  /// How many pages have come since that was less than is asked for otherwise.
  private var lightPages = 0
  private var reading: SecondReading?
  /// The hashes of the links that were followed in this list.
  private var visited: Set<Int> = []
  private var emptyPages = 0
  private var pagesOfASecond = 0
  /// What was on the pages of the last second, and on the page with which it came there.
  private var known: Set<Int64> = []
  private var stalePages = 0

  init(id: Int, stretch: Stretch) {
    self.id = id
    self.stretch = stretch
    since = stretch.position
    phase = .ready(.since(stretch.position))
  }

  /// How many pages it still has to go, judging by the last one; nil where nothing can be told, or where it
  /// can't be cut in two.
  var expectedPages: Int? {
    guard let end = stretch.end, let pace, end - stretch.position >= 2 else { return nil }
    if case .failed = phase { return nil }
    return (end - stretch.position) / max(pace, 1)
  }

  /// Gives the later half of its stretch away, which is at least a second, and keeps as much.
  mutating func cut() -> Stretch? {
    guard let end = stretch.end, end - stretch.position >= 2 else { return nil }
    let middle = stretch.position + (end - stretch.position) / 2
    stretch.end = middle
    return Stretch(position: middle, end: end)
  }

  /// Begins earlier than it would, before it has asked for anything.
  mutating func reachBack(to second: Int) {
    guard second < since else { return }
    stretch.position = second
    _ = list(since: second)
  }

  /// Asks for half as many entries from where it stands, as the server couldn't make the page.
  ///
  /// - Returns: Whether it can: a page has one entry at least.
  mutating func halvePage() -> Bool {
    guard pageSize > 1 else { return false }
    pageSize /= 2
    lightPages = 0
    if let reading {
      // Readings of pages of different sizes don't compare.
      self.reading = SecondReading(second: reading.second)
      _ = list(since: reading.second)
    } else {
      _ = list(since: lastListing ?? max(since, stretch.position))
    }
    return true
  }

  /// Whether a page of more entries is worth a try, from the last second on: the heavy entry may be behind.
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

  /// Takes a page, and tells what to ask for next.
  mutating func receive(_ answer: SweepAnswer) throws(NetworkError) -> Outcome {
    if visited.isEmpty { listedAt = answer.askedAt }
    let settled = answer.entries.map(\.updatedAt).filter { $0 < listedAt }
    // In another order, a page tells nothing about what comes after it.
    guard zip([since] + settled, settled).allSatisfy({ $0 <= $1 }) else {
      throw NetworkError(
        .decoding, "the server doesn't list by the time of the last change: it can't be mirrored")
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

  /// Where to go on after a page of a server that numbers its pages; nil where the page shows one second.
  private func secondAfter(_ answer: SweepAnswer) -> Int? {
    if stretch.position > since { return stretch.position }
    let unsettled = answer.entries.map(\.updatedAt).filter { $0 > since }
    return unsettled.count > Self.mostMisplacedEntries ? unsettled.min() : nil
  }

  /// A page of a second that is read by page numbers.
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
    // What isn't settled comes with every second: it is nothing new.
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
      throw NetworkError(.decoding, "the pages of the list are others whenever they are read")
    }
    self.reading = reading
    return list(since: reading.second)
  }

  /// What is at or after the end is another stream's: this one is done when it has come there.
  private func hasPassedEnd(with answer: SweepAnswer) -> Bool {
    guard let end = stretch.end else { return false }
    return stretch.position >= end
      || !answer.entries.isEmpty && answer.entries.allSatisfy { $0.updatedAt >= end }
  }

  /// The end of the list: of an open stretch it is listed once more from the last change on, and from the time on
  /// in which changes may show late. That page tells that nothing has come meanwhile, and its entity tag is what
  /// the next sync can ask with.
  ///
  /// A list that was begun little before that is as good.
  private mutating func endOfList(_ answer: SweepAnswer) -> Outcome {
    guard stretch.end == nil else { return .ended(End(syncedTo: stretch.position)) }
    if lastListing == nil {
      let second = max(min(stretch.position, listedAt - Sweep.lateness) - 1, 0)
      // A clock that is behind what it stamps settles nothing.
      guard since <= stretch.position else { return .ended(End(syncedTo: second + 1)) }
      let reach = since > 0 ? 2 * Sweep.lateness : 0
      guard (second - reach...second + 1).contains(since) else {
        lastListing = second
        stretch.position = second
        return list(since: second)
      }
    }
    // A full page stays the same when something comes after it, and so does the first of several. An empty
    // one is the same in every repository.
    let isShort =
      visited.isEmpty && pageSize == SweepAnswer.pageSize
      && (1..<SweepAnswer.pageSize).contains(answer.entries.count)
    // The pages of a server that numbers them have been asked for from later times on since.
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
      throw NetworkError(.decoding, "the pages of the list go in a circle")
    }
    phase = .ready(.page(link))
    return .goesOn
  }

  private mutating func countPages(
    of answer: SweepAnswer, advances: Bool
  ) throws(NetworkError) {
    emptyPages = answer.entries.isEmpty ? emptyPages + 1 : 0
    guard emptyPages <= Self.mostEmptyPages else {
      throw NetworkError(.decoding, "the list has nothing but empty pages")
    }
    pagesOfASecond = advances ? 0 : pagesOfASecond + 1
    guard pagesOfASecond <= Self.mostPagesOfASecond else {
      throw NetworkError(.decoding, "the list doesn't come to an end")
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
        .decoding, "the list goes on, but its last \(Self.mostStalePages) pages held nothing new")
    }
  }
}

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

extension PageLink {
  /// Whether it leads to a page by its number alone: to one that begins elsewhere when an entry before it
  /// moves. A cursor names an entry to go on behind.
  var isNumbered: Bool {
    guard let begin = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
    let names = url[begin...].dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" } }
    return names.contains("page") && !names.contains("after")
  }
}
