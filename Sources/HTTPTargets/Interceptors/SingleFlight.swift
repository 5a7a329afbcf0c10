internal import ConcurrencyPrimitives

/// Runs equal work once for all of its waiters. When the last waiter leaves, the work is canceled or, if so configured,
/// continues for later waiters.
final class SingleFlight<
  Key: Hashable & Sendable, Update: Sendable, Value: Sendable
>: Sendable {
  typealias Work =
    @Sendable (_ tell: @escaping @Sendable (Update) -> Void) async throws(NetworkError) -> Value

  private enum Event: Sendable {
    case update(Update)
    case end(Result<Value, NetworkError>)
  }

  private typealias Machine = SingleFlightStateMachine<
    Key, AsyncStream<Event>.Continuation, Update
  >

  private struct State: Sendable {
    var machine: Machine
    /// The tasks by flight number.
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state: Locked<State>

  init(isCancelledWithLastWaiter: Bool = true) {
    let machine = Machine(endsWithLastWaiter: isCancelledWithLastWaiter)
    state = Locked(State(machine: machine))
  }

  var count: Int { state.withLock { $0.machine.count } }

  var waiterCount: Int { state.withLock { $0.machine.waiterCount } }

  func value(
    for key: Key, onJoin: () -> Void = {}, onUpdate: (Update) -> Void = { _ in },
    work: @escaping Work
  ) async throws(NetworkError) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let (ticket, latest, hasJoined) = state.withLock { state in
      if let (ticket, latest) = state.machine.join(key, continuation) {
        return (ticket, latest, true)
      }
      let ticket = state.machine.start(key, continuation)
      // Created under the lock, so that a waiter that leaves finds the task.
      state.tasks[ticket.flight] = Task { await self.carryOut(work, for: ticket) }
      return (ticket, nil, false)
    }
    if hasJoined { onJoin() }
    if let latest { onUpdate(latest) }
    return try await wait(ticket, events, onUpdate)
  }

  func valueUnderWay(for key: Key) async throws(NetworkError) -> Value? {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    guard let (ticket, _) = state.withLock({ $0.machine.join(key, continuation) }) else {
      return nil
    }
    return try await wait(ticket, events) { _ in }
  }

  private func wait(
    _ ticket: Machine.Ticket, _ events: AsyncStream<Event>, _ onUpdate: (Update) -> Void
  ) async throws(NetworkError) -> Value {
    for await event in events {
      switch event {
      case .update(let update): onUpdate(update)
      case .end(let result): return try result.get()
      }
    }
    // The stream ends only when this task is canceled.
    leave(ticket)
    throw .cancelled
  }

  private func leave(_ ticket: Machine.Ticket) {
    let task = state.withLock { state in
      state.machine.leave(ticket) ? state.tasks.removeValue(forKey: ticket.flight) : nil
    }
    task?.cancel()
  }

  private func carryOut(_ work: Work, for ticket: Machine.Ticket) async {
    let result: Result<Value, NetworkError>
    do throws(NetworkError) {
      result = .success(
        try await work { update in
          let waiters = self.state.withLock { $0.machine.update(ticket, update) }
          for waiter in waiters { waiter.yield(.update(update)) }
        })
    } catch {
      result = .failure(error)
    }
    let (waiters, task) = state.withLock { state in
      (state.machine.finish(ticket), state.tasks.removeValue(forKey: ticket.flight))
    }
    for waiter in waiters { waiter.yield(.end(result)) }
    // Released outside the lock, because the task retains everything that the work retains.
    withExtendedLifetime(task) {}
  }
}

/// Tracks the flights and their waiters. A flight lasts until its work ends or its last waiter leaves. Waiters that
/// join late get the latest update.
struct SingleFlightStateMachine<
  Key: Hashable & Sendable, Waiter: Sendable, Update: Sendable
>: Sendable {
  struct Ticket: Sendable {
    let key: Key
    let flight: Int
    let waiter: Int
  }

  private struct Flight {
    let number: Int
    var waiters: [Int: Waiter]
    var latest: Update?
  }

  private let endsWithLastWaiter: Bool
  private var flights: [Key: Flight] = [:]
  private var lastNumber = 0

  init(endsWithLastWaiter: Bool = true) {
    self.endsWithLastWaiter = endsWithLastWaiter
  }

  var count: Int { flights.count }

  var waiterCount: Int { flights.values.reduce(0) { $0 + $1.waiters.count } }

  mutating func join(_ key: Key, _ waiter: Waiter) -> (ticket: Ticket, latest: Update?)? {
    guard let flight = flights[key] else { return nil }
    lastNumber += 1
    flights[key]?.waiters[lastNumber] = waiter
    return (Ticket(key: key, flight: flight.number, waiter: lastNumber), flight.latest)
  }

  mutating func start(_ key: Key, _ waiter: Waiter) -> Ticket {
    precondition(flights[key] == nil, "there is such a flight already")
    lastNumber += 1
    flights[key] = Flight(number: lastNumber, waiters: [lastNumber: waiter])
    return Ticket(key: key, flight: lastNumber, waiter: lastNumber)
  }

  /// Removes a waiter, and returns whether its flight ends with it.
  mutating func leave(_ ticket: Ticket) -> Bool {
    guard flights[ticket.key]?.number == ticket.flight,
      flights[ticket.key]?.waiters.removeValue(forKey: ticket.waiter) != nil,
      endsWithLastWaiter, flights[ticket.key]?.waiters.isEmpty == true
    else { return false }
    flights[ticket.key] = nil
    return true
  }

  mutating func update(_ ticket: Ticket, _ update: Update) -> [Waiter] {
    guard flights[ticket.key]?.number == ticket.flight else { return [] }
    flights[ticket.key]?.latest = update
    return flights[ticket.key].map { Array($0.waiters.values) } ?? []
  }

  mutating func finish(_ ticket: Ticket) -> [Waiter] {
    guard flights[ticket.key]?.number == ticket.flight,
      let flight = flights.removeValue(forKey: ticket.key)
    else { return [] }
    return Array(flight.waiters.values)
  }
}
