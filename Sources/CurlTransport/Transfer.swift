internal import CCurl
internal import HTTPTargets
internal import HTTPTypes

/// A request that waits or has an easy handle. Only the curl thread uses it.
final class Transfer {
  let submission: CurlMulti.Submission
  let usesHTTP2: Bool
  let credentials: CurlTransport.Credentials?
  /// The place among the requests to the same origin.
  var place: AdmissionStateMachine<Transfer>.Place?
  /// The easy handle; nil while the request waits.
  var easy: EasyHandle?
  /// The deadline for reading the body if other requests wait for its connection; nil while the transfer isn't paused.
  var readBy: Instant?
  private let arrivals: CurlMulti.Arrivals
  private var head = HeadParser()
  private var timings = TargetResponse.Timings()
  private var hasAnsweredChallenge = false
  private var isTooLarge = false
  /// Whether bytes of the body arrived in this turn.
  private var hasUnread = false
  /// The body of the request; nil if libcurl has its own copy.
  private lazy var body = request.body.flatMap { body in
    guard !body.isCopied else { return nil as RequestBodyReader? }
    return RequestBodyReader(body) { [inbox = arrivals.inbox, submission] in
      inbox.send(.sendOn(submission))
    }
  }
  private var bodyFailure: NetworkError?
  private var sent = 0
  private var hasBegun = false
  private var isRefused = false

  init(
    _ submission: CurlMulti.Submission, usesHTTP2: Bool,
    credentials: CurlTransport.Credentials?, arrivals: CurlMulti.Arrivals
  ) {
    self.submission = submission
    self.usesHTTP2 = usesHTTP2
    self.credentials = credentials
    self.arrivals = arrivals
  }

  var id: ObjectIdentifier { submission.id }
  var exchange: Exchange { submission.exchange }
  var request: TargetRequest { submission.request }
  var deadline: Instant? { submission.deadline }

  /// Lets libcurl's callbacks use the transfer. They don't retain it for each line of a head, because ``CurlTransfers``
  /// retains it as long as libcurl has its handle.
  static func with<Result>(
    _ context: UnsafeMutableRawPointer?, else nothing: Result, _ body: (Transfer) -> Result
  ) -> Result {
    guard let context = unsafe context else { return nothing }
    return unsafe Unmanaged<Transfer>.fromOpaque(context)._withUnsafeGuaranteedRef { body($0) }
  }

  func begin(on easy: EasyHandle) {
    self.easy = easy
    head = HeadParser(answersChallenges: credentials?.scheme == .digest)
  }

  /// Receives a line of the head. Any result other than `count` ends the transfer.
  func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    switch unsafe head.receive(UnsafeRawBufferPointer(start: bytes, count: count)) {
    case .more: return count
    case .complete:
      announceHead()
      return count
    case .tooLarge:
      isTooLarge = true
      return 0
    }
  }

  private func announceHead() {
    if let easy { timings = easy.timings }
    arrivals.heads.append(self)
    // libcurl stops sending the body now, but it would first wait for a paused body.
    if body != nil, head.status >= 300 { arrivals.inbox.send(.sendOn(submission)) }
  }

  func settle() {
    if head.settle() { announceHead() }
  }

  func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    // libcurl doesn't pass on the body of a challenge that it answers, so this head is the final one.
    settle()
    let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    guard unsafe exchange.append(bytes) else {
      arrivals.paused.append(self)
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    if !hasUnread {
      hasUnread = true
      arrivals.bodies.append(self)
    }
    return count
  }

  /// Returns whether libcurl may send the request. Called before each attempt, for requests that must arrive only once.
  func maySend() -> Bool {
    // The server has refused the first attempt.
    if head.isChallenge, !hasAnsweredChallenge {
      hasAnsweredChallenge = true
      return true
    }
    // Nil counts as sent, because the number of bytes is unknown.
    isRefused = hasBegun && easy?.bytesSent != 0
    hasBegun = true
    return !isRefused
  }

  func sendBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
    do throws(NetworkError) {
      guard let body else { return 0 }
      return try unsafe body.read(into: buffer) ?? Int(CURL_READFUNC_PAUSE)
    } catch {
      bodyFailure = error
      return Int(CURL_READFUNC_ABORT)
    }
  }

  /// Moves within the body. libcurl only ever moves to the start.
  func seekBody(_ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard origin == SEEK_SET, body?.seek(to: Int(offset)) == true else { return CURL_SEEKFUNC_FAIL }
    return CURL_SEEKFUNC_OK
  }

  func reportSent(_ count: Int) {
    guard count > sent else { return }
    sent = count
    submission.onSent?(count)
  }

  func publishHead() -> ExchangeStateMachine.Action {
    exchange.publish(
      Exchange.ReceivedHead(
        status: HTTPResponse.Status(code: head.status, reasonPhrase: head.reason),
        lines: head.lines, timings: timings))
  }

  func wakeReader() -> ExchangeStateMachine.Action {
    hasUnread = false
    return exchange.wakeReader()
  }

  func failure(_ code: CURLcode) -> NetworkError? {
    problem(code).map { counted($0) }
  }

  var overdue: NetworkError { counted(.timedOut(.total, of: request)) }

  var unread: NetworkError {
    NetworkError.timedOut(
      .idle,
      "the body of \(request) wasn't read for \(NetworkError.words(request.timeouts.idle)), and "
        + "others waited for its connection")
  }

  /// The same failure, with the number of bytes sent.
  func counted(_ failure: NetworkError) -> NetworkError {
    var failure = failure
    // libcurl restarts the count with each attempt.
    failure.bytesSent = if isRefused { nil } else if let easy { easy.bytesSent } else { 0 }
    return failure
  }

  private func problem(_ code: CURLcode) -> NetworkError? {
    if let bodyFailure { return bodyFailure }
    if isRefused {
      return .transport(
        TransportFailure(.interrupted, code: Int(CURLE_GOT_NOTHING.rawValue)),
        "the connection to \(submission.origin) broke before its response: the request may have arrived, and "
          + "isn't sent again")
    }
    if isTooLarge {
      return NetworkError(
        .tooLarge,
        "the head of the response to \(request) is longer than \(HeadParser.limit) bytes or "
          + "\(HeadParser.maximumFields) fields")
    }
    if code == CURLE_OK {
      guard !head.isComplete else { return nil }
      return .transport(
        TransportFailure(.malformedResponse, code: 0), "the response to \(request) has no head")
    }
    return easy.map { .curl(code, of: request, on: $0) }
  }
}
