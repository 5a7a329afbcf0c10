internal import ConcurrencyPrimitives

/// An event of a call.
public enum CallEvent: Sendable {
  /// A body has made progress.
  case progress(TransferProgress)
  /// The response has arrived. This is the last event.
  case completed(TargetResponse)
}

/// The progress of a call, and then its response: see ``Provider/events(_:adding:)``.
public struct CallEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = CallEvent
  /// The error of a failed call.
  public typealias Failure = NetworkError

  typealias Call =
    @Sendable (@escaping TransferProgress.Observer) async throws(NetworkError) -> TargetResponse

  private let call: Call

  init(_ call: @escaping Call) {
    self.call = call
  }

  /// Creates an iterator with its own call, which starts with the first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(CallEventsRun(call))
  }

  /// Reads the events of a call.
  public struct Iterator: AsyncIteratorProtocol {
    /// Cancels the call when the last copy of the iterator is released, because a `break` has no other effect.
    private final class Lifetime: Sendable {
      let run: CallEventsRun

      init(_ run: CallEventsRun) {
        self.run = run
      }

      deinit { run.cancel() }
    }

    private let lifetime: Lifetime

    init(_ run: CallEventsRun) {
      lifetime = Lifetime(run)
    }

    /// Waits for the next event; nil after the response.
    ///
    /// - Throws: ``NetworkError``, once, when the call fails. When the task is canceled, its code is `cancelled`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> CallEvent? {
      try await lifetime.run.next()
    }
  }
}

/// A running call. The task and this object retain each other until ``cancel()`` or the end of the call breaks the
/// cycle.
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
    let outcome: Result<TargetResponse, NetworkError>
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

struct CallEventsStateMachine: Sendable {
  typealias Event = Result<CallEvent?, NetworkError>
  typealias Reader = CheckedContinuation<Event, Never>

  enum Action: Sendable {
    case none
    case resume(Reader, Event)

    func carryOut() {
      if case .resume(let reader, let event) = self { reader.resume(returning: event) }
    }
  }

  private enum State: Sendable {
    case idle
    /// The call is running; nil until its task is known.
    case running(Task<Void, Never>?)
    case finished(Result<TargetResponse, NetworkError>)
    case over
  }

  private var state = State.idle
  /// The newest unread progress.
  private var progress: TransferProgress?
  private var reader: Reader?

  mutating func start() -> Bool {
    guard case .idle = state else { return false }
    state = .running(nil)
    return true
  }

  /// Records the task. Returns false if the task must be canceled.
  mutating func started(_ task: Task<Void, Never>) -> Bool {
    guard case .running = state else { return false }
    state = .running(task)
    return true
  }

  mutating func progressed(_ progress: TransferProgress) -> Action {
    guard case .running = state else { return .none }
    guard let reader else {
      self.progress = progress
      return .none
    }
    self.reader = nil
    return .resume(reader, .success(.progress(progress)))
  }

  mutating func finished(_ outcome: Result<TargetResponse, NetworkError>) -> Action {
    guard case .running = state else { return .none }
    state = .finished(outcome)
    guard let reader else { return .none }
    self.reader = nil
    return .resume(reader, readNow() ?? .success(nil))
  }

  mutating func cancelled() -> (task: Task<Void, Never>?, action: Action) {
    switch state {
    case .idle:
      state = .finished(.failure(.cancelled))
      return (nil, .none)
    case .running(let task):
      return (task, finished(.failure(.cancelled)))
    case .finished, .over:
      return (nil, .none)
    }
  }

  /// Returns the next event: `.success(nil)` at the end, and nil if there is none yet.
  mutating func readNow() -> Event? {
    if let progress {
      self.progress = nil
      return .success(.progress(progress))
    }
    switch state {
    case .idle, .running: return nil
    case .over: return .success(nil)
    case .finished(let outcome):
      state = .over
      return outcome.map { .completed($0) }
    }
  }

  mutating func read(_ reader: Reader) -> Action {
    if let event = readNow() { return .resume(reader, event) }
    precondition(self.reader == nil, "the events of a call are read by one reader")
    self.reader = reader
    return .none
  }
}
