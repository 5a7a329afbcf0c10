package import HTTPTargets

/// Decides which pages of a change feed to ask for, so that several streams go through it at once.
///
/// Every stream has a stretch of its own. A free job goes to a stream that wants a page; if none does, the stretch that
/// looks longest is cut in two, and its later half becomes a stream. After all other stretches the open one follows,
/// for what moved to the end of the feed meanwhile.
///
/// It knows times and ids only, and does no I/O. The driver calls `next()` until it returns nil, sends what it
/// returned, and stores received pages together with ``sweep`` before it passes more on.
package struct SweepStateMachine: Sendable {
  /// How many pages a stretch needs, by estimate, to be worth cutting in two.
  private static let leastPages = 2

  /// The error of the first stream that failed.
  package private(set) var failure: NetworkError?
  /// The entity tag that the next sync can ask with, once the sweep is at its end.
  package private(set) var entityTag: String?
  /// How many pages are being asked for.
  package private(set) var inFlight = 0

  /// What is to be kept, but for the stretches.
  private var state: Sweep
  private let jobs: Int
  private var streams: [SweepStream] = []
  private var streamCount = 0

  /// Goes through what isn't done of a sweep.
  ///
  /// - Parameters:
  ///   - sweep: The sweep.
  ///   - jobs: How many pages are asked for at once, at most.
  package init(_ sweep: Sweep, jobs: Int) {
    state = sweep
    self.jobs = jobs
    for stretch in sweep.stretches { streams.append(makeStream(stretch)) }
  }

  /// What is to be kept, as of the pages that were received.
  package var sweep: Sweep {
    var sweep = state
    sweep.stretches = streams.map(\.stretch)
    return sweep
  }

  /// Whether everything was received.
  package var isComplete: Bool { streams.isEmpty }

  /// The next page to ask for; call it until it returns nil.
  package mutating func next() -> SweepAsk? {
    guard inFlight < jobs, let (index, place) = readyStream() ?? newStream() else { return nil }
    inFlight += 1
    streams[index].phase = .asking
    return SweepAsk(
      stream: streams[index].id, place: place, pageSize: streams[index].pageSize)
  }

  /// Takes a page that was asked for.
  package mutating func receive(_ answer: SweepAnswer, to ask: SweepAsk) {
    guard let index = streams.firstIndex(where: { $0.id == ask.stream }) else { return }
    inFlight -= 1
    state.stored += answer.entries.count
    do throws(NetworkError) {
      let outcome = try streams[index].receive(answer)
      let isOpen = streams[index].stretch.end == nil
      // Not where the stream stands: one that found nothing stands where it began.
      let settled = answer.entries.map(\.updatedAt).filter { $0 < answer.askedAt }
      if !isOpen, let last = settled.max() { state.latest = max(state.latest ?? 0, last) }
      guard case .ended(let end) = outcome else { return }
      streams.remove(at: index)
      if isOpen {
        (state.syncedTo, entityTag) = (end.syncedTo, end.entityTag)
      } else if streams.count == 1, let latest = state.latest {
        // A list that has something on it has an entity tag that is no other list's.
        streams[0].reachBack(to: max(latest - 1, 0))
      }
    } catch {
      streams[index].phase = .failed
      failure = failure ?? error
    }
  }

  /// Notes that a page can't be had. If it was too much for the server, a smaller one is asked for; else its stretch
  /// stays for the next sync, and the other streams go on.
  package mutating func fail(_ ask: SweepAsk, _ error: NetworkError) {
    guard let index = streams.firstIndex(where: { $0.id == ask.stream }) else { return }
    inFlight -= 1
    if error.isOfHeavyPage, streams[index].halvePage() { return }
    streams[index].phase = .failed
    failure = failure ?? error
  }

  private func readyStream() -> (Int, SweepAsk.Place)? {
    for (index, stream) in streams.enumerated() {
      // The open stream has to see what moves while another one is under way.
      if stream.stretch.end == nil, streams.count > 1 { continue }
      if case .ready(let place) = stream.phase { return (index, place) }
    }
    return nil
  }

  /// Cuts a stretch in two, but not after a failure: without a network the others fail, too.
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
  /// Whether the page was too heavy for the server: GitHub answers 502 or 504 where a hundred entries are very long.
  var isOfHeavyPage: Bool {
    guard let status = response?.status else { return false }
    return status == .badGateway || status == .gatewayTimeout
  }
}
