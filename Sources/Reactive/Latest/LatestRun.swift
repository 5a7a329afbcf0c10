internal import Locking

/// Carries out what ``LatestStateMachine`` decides: one run of an ``AsyncLatestSequence``.
///
/// The tasks of the run hold this object, and this object holds the tasks so that it can cancel
/// them. ``cancel()`` or the end of the tasks undoes the circle; the iterator calls the former when
/// it goes away.
final class LatestRun<Base: AsyncSequence & Sendable, Output: Sendable>: Sendable
where Base.Element: Sendable, Base.Failure == Never {
  typealias Body = AsyncLatestSequence<Base, Output>.Body
  private typealias Continuation = CheckedContinuation<Void, Never>
  private typealias Machine = LatestStateMachine<
    Output, Continuation, Continuation, Task<Void, Never>
  >

  private let base: Base
  private let body: Body
  private let machine = Locked(Machine())

  init(base: Base, body: @escaping Body) {
    self.base = base
    self.body = body
  }

  /// Waits for the next value of the newest body.
  ///
  /// The consumer is woken without the value, and takes it from the machine when it really runs.
  /// Handing the value over with the wake-up would let a consumer whose actor is busy receive the
  /// value of an element that was superseded while it waited for its turn.
  func next(isolation actor: isolated (any Actor)?) async -> Output? {
    await withTaskCancellationHandler {
      while true {
        switch machine.withLock({ $0.next() }) {
        case .start:
          start()
        case .wait:
          await withCheckedContinuation(isolation: actor) { consumer in
            machine.withLock { $0.consumerWaits(consumer) }?.resume()
          }
        case .take(let value, let emitter):
          emitter?.resume()
          return value
        case .finished:
          return nil
        }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Ends the run: cancels the source and the body, and lets everybody go who waits.
  func cancel() {
    let ending = machine.withLock { $0.cancelled() }
    for work in ending.works {
      work.cancel()
    }
    for emission in ending.emissions {
      emission.emitter?.resume()
    }
    ending.consumer?.resume()
  }

  private func start() {
    let source = Task { await readSource() }
    machine.withLock { $0.sourceStarted(source) }?.cancel()
  }

  private func readSource() async {
    for await value in base {
      guard let change = machine.withLock({ $0.sourceProduced() }) else { return }
      change.cancel?.cancel()
      for emission in change.discard {
        emission.emitter?.resume()
      }
      let work = Task { await runBody(change.body, on: value) }
      machine.withLock { $0.bodyStarted(change.body, work) }?.cancel()
    }
    machine.withLock { $0.sourceFinished() }?.resume()
  }

  private func runBody(_ id: Machine.BodyID, on value: Base.Element) async {
    await body(value) { await self.emit($0, by: id) }
    machine.withLock { $0.bodyFinished(id) }?.resume()
  }

  private func emit(_ value: Output, by body: Machine.BodyID) async {
    guard !Task.isCancelled,
      case .wait(let emission, let consumer) = machine.withLock({ $0.emitted(value, by: body) })
    else { return }
    consumer?.resume()
    await withTaskCancellationHandler {
      await withCheckedContinuation { emitter in
        machine.withLock { $0.emitterWaits(emission, emitter) }?.resume()
      }
    } onCancel: {
      machine.withLock { $0.emissionCancelled(emission) }?.emitter?.resume()
    }
  }
}
