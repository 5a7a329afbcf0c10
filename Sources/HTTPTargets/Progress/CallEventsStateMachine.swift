/// What becomes of the events of a call until they are read.
struct CallEventsStateMachine: Sendable {
  typealias Event = Result<CallEvent?, NetworkError>
  typealias Reader = CheckedContinuation<Event, Never>

  /// Whom to resume, and with what.
  enum Action: Sendable {
    case none
    case resume(Reader, Event)

    func carryOut() {
      if case .resume(let reader, let event) = self { reader.resume(returning: event) }
    }
  }

  private enum State: Sendable {
    /// Nobody has asked for an event.
    case idle
    /// The call is running; nil as long as its task isn't known.
    case running(Task<Void, Never>?)
    /// The outcome is there, to be read.
    case finished(Result<Response, NetworkError>)
    /// The outcome was read.
    case over
  }

  private var state = State.idle
  /// The newest progress that wasn't read.
  private var progress: TransferProgress?
  private var reader: Reader?

  /// Whether to start the call now: once, before the first event is waited for.
  mutating func start() -> Bool {
    guard case .idle = state else { return false }
    state = .running(nil)
    return true
  }

  /// Keeps the task of the call; false if it is to be cancelled.
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

  mutating func finished(_ outcome: Result<Response, NetworkError>) -> Action {
    guard case .running = state else { return .none }
    state = .finished(outcome)
    guard let reader else { return .none }
    self.reader = nil
    return .resume(reader, readNow() ?? .success(nil))
  }

  /// Gives the task to cancel, and whom to tell.
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

  /// An event, nil at the end; nothing if it is still to come.
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
