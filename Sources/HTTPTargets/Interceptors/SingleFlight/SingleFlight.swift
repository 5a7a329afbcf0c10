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
