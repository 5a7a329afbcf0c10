package import HTTPTargets

/// Decides which pages of a change feed to request, so that several streams go through it at once.
///
/// Each stream has a stretch. A free job goes to a stream that needs a page. If none does, the stretch that looks
/// longest is cut in two, and its later half becomes a stream. The open stretch comes last, for entries that have
/// moved to the end of the feed meanwhile.
///
/// The machine knows only times and ids, and does no I/O. Its driver calls `next()` until it returns nil, sends the
/// requests, and stores received pages together with ``sweep`` before it passes more on.
package struct SweepStateMachine: Sendable {
  /// How many pages a stretch must need, by estimate, to be cut in two.
  private static let leastPages = 2

  package private(set) var failure: NetworkError?
  /// The entity tag for the next sync, at the end of the sweep.
  package private(set) var entityTag: String?
  /// The number of pages under way.
  package private(set) var inFlight = 0

  /// The sweep as it is stored, without its stretches.
  private var state: Sweep
  private let jobs: Int
  private var streams: [SweepStream] = []
  private var streamCount = 0

  /// Continues a sweep with at most `jobs` pages at once.
  package init(_ sweep: Sweep, jobs: Int) {
    state = sweep
    self.jobs = jobs
    for stretch in sweep.stretches { streams.append(makeStream(stretch)) }
  }

  /// The sweep to store with the pages received so far.
  package var sweep: Sweep {
    var sweep = state
    sweep.stretches = streams.map(\.stretch)
    return sweep
  }

  package var isComplete: Bool { streams.isEmpty }

  /// The next page to request. Call this until it returns nil.
  package mutating func next() -> SweepAsk? {
    guard inFlight < jobs, let (index, place) = readyStream() ?? newStream() else { return nil }
    inFlight += 1
    streams[index].phase = .asking
    return SweepAsk(
      stream: streams[index].id, place: place, pageSize: streams[index].pageSize)
  }

  /// Takes a page.
  package mutating func receive(_ answer: SweepAnswer, to ask: SweepAsk) {
    guard let index = streams.firstIndex(where: { $0.id == ask.stream }) else { return }
    inFlight -= 1
    state.stored += answer.entries.count
    do throws(NetworkError) {
      let outcome = try streams[index].receive(answer)
      let isOpen = streams[index].stretch.end == nil
      // The position of the stream won't do: if it has found nothing, it is still at its beginning.
      let settled = answer.entries.map(\.updatedAt).filter { $0 < answer.askedAt }
      if !isOpen, let last = settled.max() { state.latest = max(state.latest ?? 0, last) }
      guard case .ended(let end) = outcome else { return }
      streams.remove(at: index)
      if isOpen {
        (state.syncedTo, entityTag) = (end.syncedTo, end.entityTag)
      } else if streams.count == 1, let latest = state.latest {
        // If a list isn't empty, no other list has its entity tag.
        streams[0].reachBack(to: max(latest - 1, 0))
      }
    } catch {
      streams[index].phase = .failed
      failure = failure ?? error
    }
  }

  /// Notes that a request failed. If the page was too heavy for the server, a smaller one is requested. Otherwise its
  /// stretch is left to the next sync, and the other streams continue.
  package mutating func fail(_ ask: SweepAsk, _ error: NetworkError) {
    guard let index = streams.firstIndex(where: { $0.id == ask.stream }) else { return }
    inFlight -= 1
    if error.isOfHeavyPage, streams[index].halvePage() { return }
    streams[index].phase = .failed
    failure = failure ?? error
  }

  private func readyStream() -> (Int, SweepAsk.Place)? {
    for (index, stream) in streams.enumerated() {
      // The open stream has to see what moves while others are under way.
      if stream.stretch.end == nil, streams.count > 1 { continue }
      if case .ready(let place) = stream.phase { return (index, place) }
    }
    return nil
  }

  /// Cuts a stretch in two, but not after a failure: without a network, the others will fail too.
  private mutating func newStream() -> (Int, SweepAsk.Place)? {
    guard failure == nil else { return nil }
    var longest: (index: Int, pages: Int)?
    for (index, stream) in streams.enumerated() {
      guard let pages = stream.expectedPages, pages >= Self.leastPages else { continue }
      if pages > longest?.pages ?? 0 { longest = (index, pages) }
    }
    guard let longest, let stretch = streams[longest.index].cut() else { return nil }
    streams.insert(makeStream(stretch), at: longest.index + 1)
    return (longest.index + 1, .since(stretch.position))
  }

  private mutating func makeStream(_ stretch: Stretch) -> SweepStream {
    streamCount += 1
    return SweepStream(id: streamCount, stretch: stretch)
  }
}

extension NetworkError {
  /// Whether the page was too heavy for the server. GitHub answers 502 or 504 if a hundred entries are very long.
  var isOfHeavyPage: Bool {
    guard let status = response?.status else { return false }
    return status == .badGateway || status == .gatewayTimeout
  }
}
