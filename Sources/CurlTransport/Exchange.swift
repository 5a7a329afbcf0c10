internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import HTTPTypes
internal import PlatformModules

/// Connects the curl thread with the tasks that wait for a response. ``ExchangeStateMachine`` makes the decisions. This
/// type guards it with a lock, and resumes continuations outside the lock. Copies share the same state.
struct Exchange: Sendable {
  typealias Head = Result<ReceivedHead, NetworkError>

  struct ReceivedHead: Sendable {
    var status: HTTPResponse.Status
    var lines: FieldLines
    var timings = TargetResponse.Timings()
  }

  /// A part of the body; nil at its end.
  struct Chunk: Sendable {
    var data: Result<Data?, NetworkError>
    var resumesTransfer = false
  }

  private let state = Locked(ExchangeStateMachine())

  /// Publishes the head. The caller performs the returned action.
  func publish(_ head: ReceivedHead) -> ExchangeStateMachine.Action {
    state.withLock { $0.publish(head) }
  }

  /// Appends bytes of the body. Returns false if the buffer is full. ``wakeReader()`` hands them over.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let action = state.withLock({ unsafe $0.append(bytes) }) else {
      return false
    }
    action.carryOut()
    return true
  }

  /// Hands the appended bytes to a waiting reader. The caller performs the returned action.
  func wakeReader() -> ExchangeStateMachine.Action {
    state.withLock { $0.wakeReader() }
  }

  func finish(_ failure: NetworkError?) {
    state.withLock { $0.finish(failure) }.carryOut()
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  func waitForHead(_ waiter: CheckedContinuation<Void, Never>) {
    state.withLock { $0.waitForHead(waiter) }.carryOut()
  }

  func takeHead() -> Head {
    state.withLock { $0.takeHead() }
  }

  func readNow() -> Chunk? {
    state.withLock { $0.readNow() }
  }

  func read(_ waiter: CheckedContinuation<Chunk, Never>) {
    state.withLock { $0.read(waiter) }.carryOut()
  }

  func cancel() -> Bool {
    guard let action = state.withLock({ $0.cancel() }) else { return false }
    action.carryOut()
    return true
  }
}

/// The reading end of a body. The exchange ends when the reader is released.
final class ExchangeReader: Sendable {
  private let submission: CurlMulti.Submission
  private let multi: CurlMulti

  init(_ submission: CurlMulti.Submission, multi: CurlMulti) {
    self.submission = submission
    self.multi = multi
  }

  deinit { cancel() }

  private var exchange: Exchange { submission.exchange }

  /// Waits until ``reply()`` is available. It isn't returned here, because that would use memory in each waiting task.
  func waitForHead() async { await multi.waitForHead(of: submission) }

  @inline(never)
  func reply() throws(NetworkError) -> TransportReply {
    let head = try exchange.takeHead().get()
    return TransportReply(
      status: head.status, headers: head.lines.fields(),
      body: ResponseBody(maximumSize: submission.request.maximumBodySize) {
        () async throws(NetworkError) in try await self.next()
      }, timings: head.timings)
  }

  /// Cancels the exchange. Its waiters resume immediately, and the curl thread releases the handle later.
  func cancel() {
    guard exchange.cancel() else { return }
    multi.abandon(submission)
  }

  func next() async throws(NetworkError) -> Data? {
    if let outcome = exchange.readNow() { return try take(outcome) }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { exchange.read($0) }
    } onCancel: {
      cancel()
    }
    return try take(outcome)
  }

  private func take(_ outcome: Exchange.Chunk) throws(NetworkError) -> Data? {
    if outcome.resumesTransfer { multi.unpause(submission) }
    return try outcome.data.get()
  }
}

struct ExchangeStateMachine: Sendable {
  /// The number of unread bytes at which the transfer pauses.
  static let highWaterMark = 128 << 10

  enum Action: Sendable {
    case none
    case resumeHead(CheckedContinuation<Void, Never>)
    case resumeReader(CheckedContinuation<Exchange.Chunk, Never>, Exchange.Chunk)

    func carryOut() {
      switch self {
      case .none: break
      case .resumeHead(let waiter): waiter.resume()
      case .resumeReader(let reader, let chunk): reader.resume(returning: chunk)
      }
    }
  }

  private var head: Exchange.Head?
  private var headWaiter: CheckedContinuation<Void, Never>?
  private var reader: CheckedContinuation<Exchange.Chunk, Never>?
  /// The bytes that aren't in ``buffer``: those of a small body that arrived at once.
  private var unread = Data()
  private var buffer: BodyBuffer?
  /// The result of the transfer; nil while it runs.
  private var end: Result<Void, NetworkError>?
  private var isPaused = false

  var isOver: Bool { end != nil }

  mutating func publish(_ received: Exchange.ReceivedHead) -> Action {
    guard head == nil, end == nil else { return .none }
    head = .success(received)
    return resumeHead()
  }

  /// Appends bytes of the body; nil if the buffer is full. After the end, bytes are accepted and dropped.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Action? {
    guard end == nil else { return Action.none }
    // libcurl delivers 16 KiB at a time. A reader that is woken for each of them takes twice as long.
    let action = unreadCount < Self.highWaterMark ? Action.none : wakeReader()
    guard unsafe keep(bytes) else {
      isPaused = true
      return nil
    }
    return action
  }

  private var unreadCount: Int { buffer?.count ?? unread.count }

  /// Keeps bytes for the reader; false if they don't fit. Into empty memory, any number fits.
  private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard unreadCount < Self.highWaterMark else { return false }
    if buffer != nil { return unsafe buffer?.append(bytes) == true }
    if unread.isEmpty, bytes.count < 4096 || bytes.count > BodyBuffer.capacity {
      unsafe unread = Data(bytes)
      return true
    }
    var buffer = BodyBuffer()
    guard unsafe unread.withUnsafeBytes({ unsafe buffer.append($0) }), unsafe buffer.append(bytes)
    else { return false }
    (unread, self.buffer) = (Data(), buffer)
    return true
  }

  /// Hands the appended bytes to a waiting reader.
  mutating func wakeReader() -> Action {
    guard let reader, let chunk = readNow() else { return .none }
    self.reader = nil
    return .resumeReader(reader, chunk)
  }

  mutating func finish(_ failure: NetworkError?) -> Action {
    guard end == nil else { return .none }
    end = failure.map { .failure($0) } ?? .success(())
    if let failure, head == nil {
      head = .failure(failure)
      return resumeHead()
    }
    return wakeReader()
  }

  mutating func cancel() -> Action? {
    guard end == nil else { return nil }
    _ = takeUnread()
    // The transfer starts when a task waits for the head.
    return finish(head == nil && headWaiter == nil ? .cancelled.beforeSending : .cancelled)
  }

  mutating func waitForHead(_ waiter: CheckedContinuation<Void, Never>) -> Action {
    guard head == nil else { return .resumeHead(waiter) }
    headWaiter = waiter
    return .none
  }

  /// Returns the head. Call this method only after the wait for the head.
  func takeHead() -> Exchange.Head {
    guard let head else { preconditionFailure("wait for the head first") }
    return head
  }

  mutating func readNow() -> Exchange.Chunk? {
    if let unread = takeUnread() {
      defer { isPaused = false }
      return Exchange.Chunk(data: .success(unread), resumesTransfer: isPaused)
    }
    return switch end {
    case nil: nil
    case .success: Exchange.Chunk(data: .success(nil))
    case .failure(let error): Exchange.Chunk(data: .failure(error))
    }
  }

  mutating func read(_ waiter: CheckedContinuation<Exchange.Chunk, Never>) -> Action {
    if let chunk = readNow() { return .resumeReader(waiter, chunk) }
    guard reader == nil else {
      // The compiler doesn't prevent two tasks from reading a body, because it is `Sendable`.
      return .resumeReader(waiter, Exchange.Chunk(data: .failure(.secondReader)))
    }
    reader = waiter
    return .none
  }

  private mutating func takeUnread() -> Data? {
    defer { (unread, buffer) = (Data(), nil) }
    return buffer?.data() ?? (unread.isEmpty ? nil : unread)
  }

  private mutating func resumeHead() -> Action {
    guard let headWaiter else { return .none }
    self.headWaiter = nil
    return .resumeHead(headWaiter)
  }
}

extension NetworkError {
  fileprivate static var secondReader: NetworkError {
    .transport(
      TransportFailure(.other, code: 0),
      "the body is already being read: it can be read only once")
  }
}
