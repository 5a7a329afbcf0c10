/// Decides what a run of ``AsyncLatestSequence`` does, and does nothing itself.
///
/// Every function records one event and returns what the driver has to do about it after it let
/// go of its lock. Three kinds of handles pass through untouched, so that the rules can be tested
/// with plain integers: `Work` can be cancelled (a task), `Consumer` and `Emitter` can be resumed
/// (continuations). Values and handles that are no longer wanted are returned too, so that the
/// last reference to them never goes away under the lock.
struct LatestStateMachine<
  Output: Sendable, Consumer: Sendable, Emitter: Sendable, Work: Sendable
>: Sendable {
  /// Tells the body of one source element from those of others.
  typealias BodyID = Int
  /// Tells one emission from the others of the run.
  typealias EmissionID = Int

  /// A value that a body has emitted and the consumer has not taken.
  struct Emission: Sendable {
    let id: EmissionID
    let value: Output
    /// The `emit` call that waits for the consumer, once it does.
    var emitter: Emitter?
  }

  private struct Body: Sendable {
    let id: BodyID
    var work: Work?
  }

  private struct Running: Sendable {
    var source: Work?
    var sourceIsFinished = false
    /// The body of the newest element, nil before the first element and after the body returned.
    var body: Body?
    /// What was emitted and not taken, in order.
    ///
    /// One at most, unless a body emits from several tasks at once, so that an array's linear
    /// removal costs nothing.
    var emissions: [Emission] = []
    /// Waits only while `emissions` is empty.
    var consumer: Consumer?

    var isOver: Bool { sourceIsFinished && body == nil && emissions.isEmpty }
  }

  private enum State: Sendable {
    /// Nothing has been asked for, nothing has been started.
    case idle
    /// The source is being read, or a body runs, or an emission waits to be taken.
    case running(Running)
    /// The consumer went away, or the source and the last body ended and all was taken.
    case finished
  }

  private var state = State.idle
  private var lastBody: BodyID = 0
  private var lastEmission: EmissionID = 0

  // MARK: The consumer

  enum NextAction: Sendable {
    /// Start reading the source, then ask again.
    case start
    /// Nothing is there: wait by ``consumerWaits(_:)``, then ask again.
    case wait
    /// Resume the emitter, if it waits already, and return the value.
    case take(Output, Emitter?)
    case finished
  }

  /// The consumer asks for a value.
  mutating func next() -> NextAction {
    switch state {
    case .idle:
      state = .running(Running())
      return .start
    case .running(var running):
      if !running.emissions.isEmpty {
        let emission = running.emissions.removeFirst()
        state = .running(running)
        return .take(emission.value, emission.emitter)
      }
      guard running.isOver else { return .wait }
      state = .finished
      return .finished
    case .finished:
      return .finished
    }
  }

  /// The consumer wants to be resumed when it is worth asking again.
  ///
  /// - Returns: the consumer, if it is to be resumed at once.
  mutating func consumerWaits(_ consumer: Consumer) -> Consumer? {
    guard case .running(var running) = state, running.emissions.isEmpty, !running.isOver else {
      return consumer
    }
    precondition(running.consumer == nil, "two calls of next() at once on one iterator")
    running.consumer = consumer
    state = .running(running)
    return nil
  }

  struct Ending: Sendable {
    var works: [Work] = []
    var emissions: [Emission] = []
    var consumer: Consumer?
  }

  /// The consumer was cancelled or dropped its iterator.
  ///
  /// - Returns: the works to cancel, the emissions to discard and the consumer to resume.
  mutating func cancelled() -> Ending {
    defer { state = .finished }
    guard case .running(let running) = state else { return Ending() }
    return Ending(
      works: [running.source, running.body?.work].compactMap { $0 },
      emissions: running.emissions,
      consumer: running.consumer
    )
  }

  // MARK: The source

  /// The reading of the source has been started.
  ///
  /// - Returns: the work, if it is to be cancelled because the run ended meanwhile.
  mutating func sourceStarted(_ work: Work) -> Work? {
    guard case .running(var running) = state else { return work }
    running.source = work
    state = .running(running)
    return nil
  }

  struct Switch: Sendable {
    /// The body to start.
    let body: BodyID
    /// The superseded body to cancel.
    let cancel: Work?
    /// What the superseded body emitted in vain.
    let discard: [Emission]
  }

  /// The source produced an element, which supersedes the one before.
  ///
  /// - Returns: nil when the run is over and the source need not be read any further.
  mutating func sourceProduced() -> Switch? {
    guard case .running(var running) = state else { return nil }
    lastBody += 1
    let action = Switch(body: lastBody, cancel: running.body?.work, discard: running.emissions)
    running.body = Body(id: lastBody)
    running.emissions = []
    state = .running(running)
    return action
  }

  /// The source ended.
  ///
  /// - Returns: the consumer to resume.
  mutating func sourceFinished() -> Consumer? {
    guard case .running(var running) = state else { return nil }
    running.source = nil
    running.sourceIsFinished = true
    return proceed(with: running)
  }

  // MARK: The bodies

  /// A body that ``sourceProduced()`` asked for has been started.
  ///
  /// - Returns: the work, if it is to be cancelled because it was superseded meanwhile.
  mutating func bodyStarted(_ id: BodyID, _ work: Work) -> Work? {
    guard case .running(var running) = state, running.body?.id == id else {
      // It may as well have returned already; cancelling it then changes nothing.
      return work
    }
    running.body?.work = work
    state = .running(running)
    return nil
  }

  /// A body returned.
  ///
  /// - Returns: the consumer to resume.
  mutating func bodyFinished(_ id: BodyID) -> Consumer? {
    guard case .running(var running) = state, running.body?.id == id else { return nil }
    running.body = nil
    return proceed(with: running)
  }

  enum EmitAction: Sendable {
    /// The body was superseded or has returned, or the run is over.
    case discard
    /// Resume the consumer, if it waits, and wait by ``emitterWaits(_:_:)``.
    case wait(EmissionID, Consumer?)
  }

  /// A body emits a value.
  mutating func emitted(_ value: Output, by body: BodyID) -> EmitAction {
    guard case .running(var running) = state, running.body?.id == body else { return .discard }
    lastEmission += 1
    running.emissions.append(Emission(id: lastEmission, value: value))
    let consumer = running.consumer
    running.consumer = nil
    state = .running(running)
    return .wait(lastEmission, consumer)
  }

  /// An `emit` call wants to be resumed when its value has been taken or discarded.
  ///
  /// - Returns: the emitter, if it is to be resumed at once.
  mutating func emitterWaits(_ id: EmissionID, _ emitter: Emitter) -> Emitter? {
    guard case .running(var running) = state,
      let index = running.emissions.firstIndex(where: { $0.id == id })
    else { return emitter }
    running.emissions[index].emitter = emitter
    state = .running(running)
    return nil
  }

  /// The task of an `emit` call was cancelled before the consumer took the value.
  ///
  /// - Returns: the emission to discard.
  mutating func emissionCancelled(_ id: EmissionID) -> Emission? {
    guard case .running(var running) = state,
      let index = running.emissions.firstIndex(where: { $0.id == id })
    else { return nil }
    let emission = running.emissions.remove(at: index)
    // No consumer to resume: the emission woke the one that waited, and it asks again.
    state = .running(running)
    return emission
  }

  /// Takes over `running`, and ends the run if nothing more can come.
  private mutating func proceed(with running: Running) -> Consumer? {
    state = running.isOver ? .finished : .running(running)
    return running.isOver ? running.consumer : nil
  }
}
