/// The received requests and their outcomes.
///
/// The waiting functions return as soon as their condition holds. They don't time out: tests have time limits.
public final class RequestLog: Sendable {
  /// The outcome of a request.
  public enum Outcome: Sendable, Equatable {
    /// The answer is still on its way.
    case pending
    /// The whole answer is done, and its last byte handed to the system.
    case answered
    /// The client closed or reset the connection before that.
    case clientWentAway
    /// The server was stopped before that.
    case serverStopped
  }

  /// A request and its outcome.
  public struct Entry: Sendable {
    /// The request.
    public var request: LoopbackRequest
    /// Its outcome.
    public var outcome: Outcome
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var requestCount = 0
    var connectionCount = 0
    var openConnections = 0
    var inFlight = 0
    var peakInFlight = 0
    var isStopping = false
  }

  private let state = Watched(State())
  private let keepsEntries: Bool

  init(keepsEntries: Bool) {
    self.keepsEntries = keepsEntries
  }

  /// The requests in order of arrival, each with its outcome.
  public var entries: [Entry] { state.read { $0.entries } }

  /// The requests in order of arrival.
  public var requests: [LoopbackRequest] { entries.map(\.request) }

  /// How many requests have arrived.
  public var requestCount: Int { state.read { $0.requestCount } }

  /// How many connections have been accepted.
  public var connectionCount: Int { state.read { $0.connectionCount } }

  /// How many connections are open.
  public var openConnections: Int { state.read { $0.openConnections } }

  /// The largest number of requests answered at the same time.
  public var peakInFlight: Int { state.read { $0.peakInFlight } }

  /// Waits until at least `count` requests have arrived.
  ///
  /// - Returns: All requests so far.
  /// - Throws: `CancellationError` if the task is cancelled.
  @discardableResult
  public func requests(count: Int) async throws -> [LoopbackRequest] {
    try await state.value { state in
      state.requestCount >= count ? state.entries.map(\.request) : nil
    }
  }

  /// Waits for a request that the predicate accepts.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  @discardableResult
  public func waitForRequest(
    where predicate: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
  ) async throws -> LoopbackRequest {
    try await state.value { state in state.entries.map(\.request).first(where: predicate) }
  }

  /// Waits for the outcome of a request that the predicate accepts.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  @discardableResult
  public func waitForOutcome(
    _ outcome: Outcome,
    where predicate: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
  ) async throws -> LoopbackRequest {
    try await state.value { state in
      state.entries.first { $0.outcome == outcome && predicate($0.request) }?.request
    }
  }

  /// Waits until a client has left before the answer to a request that the predicate accepts was finished.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  @discardableResult
  public func waitForCancellation(
    where predicate: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
  ) async throws -> LoopbackRequest {
    try await waitForOutcome(.clientWentAway, where: predicate)
  }

  /// Waits until at least `count` connections have been accepted.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func connections(count: Int) async throws {
    try await state.value { $0.connectionCount >= count ? () : nil }
  }

  /// Waits until at most `count` connections are open.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func openConnections(atMost count: Int) async throws {
    try await state.value { $0.openConnections <= count ? () : nil }
  }

  // MARK: Written by the server

  func connectionOpened() -> Int {
    state.update { state in
      state.connectionCount += 1
      state.openConnections += 1
      return state.connectionCount
    }
  }

  /// Notes the end of a connection. A request that was still in the queue to be answered has no other outcome.
  func connectionClosed(_ id: Int) {
    state.update { state in
      state.openConnections -= 1
      let outcome = state.isStopping ? Outcome.serverStopped : .clientWentAway
      for index in state.entries.indices.reversed()
      where state.entries[index].request.connection == id
        && state.entries[index].outcome == .pending
      {
        state.entries[index].outcome = outcome
      }
    }
  }

  /// Notes a request, and gives it its number.
  func arrived(_ request: LoopbackRequest) -> LoopbackRequest {
    state.update { state in
      state.requestCount += 1
      state.inFlight += 1
      state.peakInFlight = max(state.peakInFlight, state.inFlight)
      var request = request
      request.number = state.requestCount
      if keepsEntries { state.entries.append(Entry(request: request, outcome: .pending)) }
      return request
    }
  }

  /// Records an outcome. The first one counts.
  func finished(_ request: LoopbackRequest, _ outcome: Outcome) {
    state.update { state in
      guard keepsEntries else { return }
      let index = request.number - 1
      guard state.entries[index].outcome == .pending else { return }
      state.entries[index].outcome =
        outcome == .clientWentAway && state.isStopping ? .serverStopped : outcome
    }
  }

  /// Notes that the server is done with a request.
  func left() {
    state.update { $0.inFlight -= 1 }
  }

  func stopping() {
    state.update { $0.isStopping = true }
  }
}
