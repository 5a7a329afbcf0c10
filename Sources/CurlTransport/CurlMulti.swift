internal import CCurl
internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import HTTPTypes

/// All transfers of a transport, on the curl thread. ``AdmissionStateMachine`` decides which of them libcurl has.
// @safe: it frees its handles when it is released, and libcurl has them no longer then.
@safe
actor CurlMulti {
  /// A request as submitted by its task. While it waits, it takes no other memory.
  final class Submission: Sendable {
    let request: TargetRequest
    let origin: Origin
    let priority: TaskPriority
    /// The total time-out counts from the call, also while the request waits.
    let deadline: Instant?
    let onSent: CurlTransport.SentObserver?
    let exchange = Exchange()

    init(
      request: TargetRequest, origin: Origin, priority: TaskPriority,
      deadline: Instant?, onSent: CurlTransport.SentObserver?
    ) {
      self.request = request
      self.origin = origin
      self.priority = priority
      self.deadline = deadline
      self.onSent = onSent
    }

    var id: ObjectIdentifier { ObjectIdentifier(self) }

    /// A shared HTTP/2 connection counts as reused: if it breaks, libcurl repeats every request on it.
    var mayUseHTTP2: Bool { origin.scheme == "https" && request.idempotency != .once }
  }

  final class Arrivals {
    let inbox: Inbox
    var heads: [Transfer] = []
    /// Transfers whose body isn't being read.
    var paused: [Transfer] = []
    var finished: [(Transfer, NetworkError?)] = []

    init(inbox: Inbox) {
      self.inbox = inbox
    }
  }

  /// Requests from tasks to the curl thread. A job for each would cost more, and a task for each cancellation far more.
  enum Command: Sendable {
    case start(Submission)
    /// The body of the response is read again.
    case unpause(Submission)
    /// The body of the request continues.
    case sendOn(Submission)
    case abandon(Submission)
  }

  struct Inbox: Sendable {
    let thread: CurlThread
    private let commands = Locked<[Command]>([])

    func send(_ command: Command) {
      let isFirst = commands.withLock { commands in
        commands.append(command)
        return commands.count == 1
      }
      if isFirst { thread.summon() }
    }

    /// Moves the commands into an empty array, and reuses its memory for the next ones.
    func empty(into taken: inout [Command]) {
      commands.withLock { swap(&$0, &taken) }
    }
  }

  private let thread: CurlThread
  private nonisolated let inbox: Inbox
  /// A structure, so that a turn accesses the actor's state once, and its steps need no checks.
  private(set) var transfers: CurlTransfers

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  init(configuration: CurlTransport.Configuration) throws(NetworkError) {
    thread = try CurlThread()
    inbox = Inbox(thread: thread)
    transfers = CurlTransfers(inbox: inbox, configuration: configuration)
    try thread.start { [weak self] problem in self?.assumeIsolated { $0.turn(problem) } ?? 0 }
  }

  isolated deinit {
    // Waiting tasks keep this actor alive, so the remaining transfers have been cancelled.
    transfers.close()
    thread.stop()
  }

  nonisolated func waitForHead(of submission: Submission) async {
    guard !submission.exchange.isOver else { return }
    await withCheckedContinuation { waiter in
      submission.exchange.waitForHead(waiter)
      inbox.send(.start(submission))
    }
  }

  nonisolated func unpause(_ submission: Submission) {
    inbox.send(.unpause(submission))
  }

  nonisolated func abandon(_ submission: Submission) {
    inbox.send(.abandon(submission))
  }

  /// See ``CurlTransfers/turn(_:)``.
  func turn(_ problem: CURLMcode) -> Int32 { transfers.turn(problem) }
}
