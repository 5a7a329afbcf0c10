internal import CCurl
internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import HTTPTypes

/// All transfers of a transport, on the curl thread. ``AdmissionStateMachine`` decides which of them go to libcurl.
// @safe: it frees its handles when it is released, and libcurl no longer uses them then.
@safe
actor CurlMulti {
  /// A request as submitted by its task. This is the only memory that a waiting request uses.
  final class Submission: Sendable {
    let request: TargetRequest
    let origin: Origin
    let priority: TaskPriority
    /// The end of the total timeout, which starts with the call and includes the wait for a connection.
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

    /// Whether the request may share an HTTP/2 connection. Such a connection counts as reused, so if it breaks, libcurl
    /// repeats every request on it.
    var mayUseHTTP2: Bool { origin.scheme == "https" && request.idempotency != .once }
  }

  final class Arrivals {
    let inbox: Inbox
    var heads: [Transfer] = []
    /// The transfers with new bytes of the body.
    var bodies: [Transfer] = []
    /// The transfers whose body isn't being read.
    var paused: [Transfer] = []
    var finished: [(Transfer, NetworkError?)] = []

    init(inbox: Inbox) {
      self.inbox = inbox
    }
  }

  /// A command from a task to the curl thread. Commands cost less than one job each, and far less than one task per
  /// cancellation.
  enum Command: Sendable {
    case start(Submission)
    /// Resumes the response, because its body is being read again.
    case unpause(Submission)
    /// Resumes the body of the request, because it has more bytes, or because libcurl stops it.
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
  /// A structure, so that each turn accesses the actor's state only once, and its steps skip the exclusivity checks.
  private(set) var transfers: CurlTransfers

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  init(configuration: CurlTransport.Configuration) throws(NetworkError) {
    thread = try CurlThread()
    inbox = Inbox(thread: thread)
    transfers = CurlTransfers(inbox: inbox, configuration: configuration)
    try thread.start { [weak self] problem in self?.assumeIsolated { $0.turn(problem) } ?? 0 }
  }

  isolated deinit {
    // Waiting tasks keep this actor alive, so the remaining transfers have been canceled.
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
