internal import Locking

/// Carries out what ``CallEventsStateMachine`` decides: one call, and one reader of its events.
///
/// The task of the call holds this object, and this object the task; ``cancel()`` or the end of the call
/// undoes the circle.
final class CallEventsRun: Sendable {
  private let call: CallEvents.Call
  private let machine = Locked(CallEventsStateMachine())

  init(_ call: @escaping CallEvents.Call) {
    self.call = call
  }

  func next() async throws(NetworkError) -> CallEvent? {
    if machine.withLock({ $0.start() }) { start() }
    let event = await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        machine.withLock { $0.read(reader) }.carryOut()
      }
    } onCancel: {
      cancel()
    }
    return try event.get()
  }

  /// Ends the call, unless it has ended.
  func cancel() {
    let (task, action) = machine.withLock { $0.cancelled() }
    task?.cancel()
    action.carryOut()
  }

  private func start() {
    let task = Task { await run() }
    if !machine.withLock({ $0.started(task) }) { task.cancel() }
  }

  private func run() async {
    let outcome: Result<Response, NetworkError>
    do throws(NetworkError) {
      outcome = .success(
        try await call { [machine] progress in
          machine.withLock { $0.progressed(progress) }.carryOut()
        })
    } catch {
      outcome = .failure(error)
    }
    machine.withLock { $0.finished(outcome) }.carryOut()
  }
}
