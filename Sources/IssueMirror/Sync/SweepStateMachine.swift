package import HTTPTargets

/// Decides which pages of a change feed to request, so that several streams read it in parallel. It doesn't do any I/O.
///
/// A free job serves a stream that needs a page. If no stream needs one, the longest stretch is cut in two, and its
/// later half becomes a stream. The open stretch is read last, because entries may move to the end during the sweep.
/// The driver calls `next()` until it returns nil, and stores received pages together with ``sweep`` before it passes
/// on more pages.
package struct SweepStateMachine: Sendable {
  package private(set) var failure: NetworkError?
  package private(set) var entityTag: String?
  package private(set) var inFlight = 0

  private var state: Sweep
  private let jobs: Int
  private let leastPages: Int
  private let isOrdered: Bool
  private var streams: [SweepStream] = []
  private var streamCount = 0

  /// Continues a sweep. A stretch is cut only if it has at least `leastPages` pages, and at least two. `isOrdered` is
  /// false for a list that isn't sorted by the time of the last change; its sweep has a single stretch.
  package init(_ sweep: Sweep, jobs: Int, leastPages: Int = 2, isOrdered: Bool = true) {
    state = sweep
    self.jobs = jobs
    self.leastPages = max(leastPages, 2)
    self.isOrdered = isOrdered
    for stretch in sweep.stretches { streams.append(makeStream(stretch)) }
  }

  package var sweep: Sweep {
    var sweep = state
    sweep.stretches = streams.map(\.stretch)
    return sweep
  }

  package var isComplete: Bool { streams.isEmpty }

  /// Call this until it returns nil.
  package mutating func next() -> SweepAsk? {
    guard inFlight < jobs, let (index, place) = readyStream() ?? newStream() else { return nil }
    inFlight += 1
    streams[index].phase = .asking
    return SweepAsk(
      stream: streams[index].id, place: place, pageSize: streams[index].pageSize)
  }

  package mutating func receive(_ answer: SweepAnswer, to ask: SweepAsk) {
    guard let index = streams.firstIndex(where: { $0.id == ask.stream }) else { return }
    inFlight -= 1
    state.stored += answer.entries.count
    do throws(NetworkError) {
      let outcome = try streams[index].receive(answer)
      let isOpen = streams[index].stretch.end == nil
      // The position of the stream can't be used: if the stream has found nothing, it is still at its beginning.
      let settled = answer.entries.map(\.updatedAt).filter { $0 < answer.askedAt }
      if !isOpen, let last = settled.max() { state.latest = max(state.latest ?? 0, last) }
      guard case .ended(let end) = outcome else { return }
      streams.remove(at: index)
      if isOpen {
        (state.syncedTo, entityTag) = (end.syncedTo, end.entityTag)
      } else if streams.count == 1, let latest = state.latest {
        // Includes the latest change: an empty list could have the same entity tag as another empty list.
        streams[0].reachBack(to: max(latest - 1, 0))
      }
    } catch {
      streams[index].phase = .failed
      failure = failure ?? error
    }
  }

  /// Requests a smaller page if the page was too large for the server. Otherwise leaves the stretch for the next sync.
  package mutating func fail(_ ask: SweepAsk, _ error: NetworkError) {
    guard let index = streams.firstIndex(where: { $0.id == ask.stream }) else { return }
    inFlight -= 1
    if error.isOfHeavyPage, streams[index].halvePage() { return }
    streams[index].phase = .failed
    failure = failure ?? error
  }

  private func readyStream() -> (Int, SweepAsk.Place)? {
    for (index, stream) in streams.enumerated() {
      // The open stretch must include entries that move while other streams are running.
      if stream.stretch.end == nil, streams.count > 1 { continue }
      if case .ready(let place) = stream.phase { return (index, place) }
    }
    return nil
  }

  /// Starts a stream, except after a failure: without a network, other requests would fail too.
  private mutating func newStream() -> (Int, SweepAsk.Place)? {
    guard failure == nil else { return nil }
    var longest: (index: Int, pages: Int)?
    for (index, stream) in streams.enumerated() {
      guard let pages = stream.expectedPages, pages >= leastPages else { continue }
      if pages > longest?.pages ?? 0 { longest = (index, pages) }
    }
    guard let longest, let stretch = streams[longest.index].cut() else { return nil }
    streams.insert(makeStream(stretch), at: longest.index + 1)
    return (longest.index + 1, .since(stretch.position))
  }

  private mutating func makeStream(_ stretch: Stretch) -> SweepStream {
    streamCount += 1
    return SweepStream(id: streamCount, stretch: stretch, isOrdered: isOrdered)
  }
}

extension NetworkError {
  /// GitHub responds with 502 or 504 if a hundred entries are very long.
  var isOfHeavyPage: Bool {
    guard let status = response?.status else { return false }
    return status == .badGateway || status == .gatewayTimeout
  }
}
