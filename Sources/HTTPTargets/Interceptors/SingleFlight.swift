internal import Locking

/// Does equal work once at a time, for everybody who waits for it.
///
/// The work runs in a task of its own, which is cancelled when the last waiter's task is: one that leaves
/// takes nothing from the others.
final class SingleFlight<
  Key: Hashable & Sendable, Update: Sendable, Value: Sendable
>: Sendable {
  /// The work; it may tell updates on the way.
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
    var machine = Machine()
    /// By the numbers of the flights.
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Locked(State())

  /// How many pieces of work are under way.
  var count: Int { state.withLock { $0.machine.count } }

  /// How many wait for them.
  var waiterCount: Int { state.withLock { $0.machine.waiterCount } }

  /// Waits for the result of the work, which is begun unless it is under way.
  ///
  /// - Parameters:
  ///   - key: What the work is equal by.
  ///   - onJoin: Is called when the work was under way.
  ///   - onUpdate: Is told the updates from now on, and the last one from before.
  ///   - work: The work.
  /// - Returns: What everybody who waits gets.
  /// - Throws: What everybody who waits gets; `cancelled` when the waiting task is cancelled.
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
      // Under the lock, so that it is there for whoever may have to cancel it.
      state.tasks[ticket.flight] = Task { await self.carryOut(work, for: ticket) }
      return (ticket, nil, false)
    }
    if hasJoined { onJoin() }
    if let latest { onUpdate(latest) }
    return try await wait(ticket, events, onUpdate)
  }

  /// Waits for the result of work that is under way; nil where there is none.
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
    // The stream has no other end than the cancellation of this task.
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
    // Released here, outside the lock: it holds what the work holds.
    withExtendedLifetime(task) {}
  }
}

/// Who waits for which piece of work, so that equal work is under way once.
///
/// A flight is there from its first waiter until it has ended, or until the last waiter has left: the next
/// who comes begins another one. It tells updates on the way, of which late ones get the last.
struct SingleFlightStateMachine<
  Key: Hashable & Sendable, Waiter: Sendable, Update: Sendable
>: Sendable {
  /// A waiter's place.
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

  private var flights: [Key: Flight] = [:]
  private var lastNumber = 0

  /// How many flights are under way.
  var count: Int { flights.count }

  /// How many wait for them.
  var waiterCount: Int { flights.values.reduce(0) { $0 + $1.waiters.count } }

  /// Somebody wants the result of work that may be under way.
  ///
  /// - Returns: The place among the others, and what they were told last; nil when there are none.
  mutating func join(_ key: Key, _ waiter: Waiter) -> (ticket: Ticket, latest: Update?)? {
    guard let flight = flights[key] else { return nil }
    lastNumber += 1
    flights[key]?.waiters[lastNumber] = waiter
    return (Ticket(key: key, flight: flight.number, waiter: lastNumber), flight.latest)
  }

  /// Somebody begins work that isn't under way.
  mutating func start(_ key: Key, _ waiter: Waiter) -> Ticket {
    precondition(flights[key] == nil, "there is such a flight already")
    lastNumber += 1
    flights[key] = Flight(number: lastNumber, waiters: [lastNumber: waiter])
    return Ticket(key: key, flight: lastNumber, waiter: lastNumber)
  }

  /// A waiter doesn't wait any more.
  ///
  /// - Returns: Whether it was the last one: then the work is to be cancelled.
  mutating func leave(_ ticket: Ticket) -> Bool {
    guard flights[ticket.key]?.number == ticket.flight,
      flights[ticket.key]?.waiters.removeValue(forKey: ticket.waiter) != nil,
      flights[ticket.key]?.waiters.isEmpty == true
    else { return false }
    flights[ticket.key] = nil
    return true
  }

  /// The work tells how it goes.
  ///
  /// - Returns: Whom to tell.
  mutating func update(_ ticket: Ticket, _ update: Update) -> [Waiter] {
    guard flights[ticket.key]?.number == ticket.flight else { return [] }
    flights[ticket.key]?.latest = update
    return flights[ticket.key].map { Array($0.waiters.values) } ?? []
  }

  /// The work has ended.
  ///
  /// - Returns: Who gets the result.
  mutating func finish(_ ticket: Ticket) -> [Waiter] {
    guard flights[ticket.key]?.number == ticket.flight,
      let flight = flights.removeValue(forKey: ticket.key)
    else { return [] }
    return Array(flight.waiters.values)
  }
}
