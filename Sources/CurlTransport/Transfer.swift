internal import CCurl
internal import HTTPTargets
internal import HTTPTypes

/// One request on an easy handle, used by the curl thread alone.
final class Transfer {
  let easy: EasyHandle
  let exchange: Exchange
  let deadline: ContinuousClock.Instant?
  private let request: Request
  private let arrivals: CurlMulti.Arrivals
  private var head = HeadParser()
  private var isTooLarge = false
  /// Nil if libcurl has a copy.
  private let body: RequestBodyReader?
  private var bodyFailure: NetworkError?
  private let onSent: SentObserver?
  private var sent = 0

  typealias SentObserver = @Sendable (Int) -> Void

  init(
    _ request: Request, easy: EasyHandle, exchange: Exchange, arrivals: CurlMulti.Arrivals,
    onSent: SentObserver?
  ) {
    self.request = request
    body = request.body.flatMap { $0.data == nil ? RequestBodyReader($0) : nil }
    self.onSent = onSent
    self.easy = easy
    self.exchange = exchange
    self.arrivals = arrivals
    deadline = request.timeouts.total.map { ContinuousClock.now.advanced(by: min($0, .longest)) }
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Any other result than `count` ends the transfer.
  func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: count)
    switch head.receive(line) {
    case .more: return count
    case .complete:
      arrivals.heads.append(self)
      return count
    case .tooLarge:
      isTooLarge = true
      return 0
    }
  }

  func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let accepted = exchange.append(UnsafeRawBufferPointer(start: bytes, count: count))
    return accepted ? count : Int(CURL_WRITEFUNC_PAUSE)
  }

  func sendBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: count)
    do throws(NetworkError) {
      return try body?.read(into: buffer) ?? 0
    } catch {
      bodyFailure = error
      return Int(CURL_READFUNC_ABORT)
    }
  }

  /// libcurl only ever moves to the start.
  func seekBody(_ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard origin == SEEK_SET, body?.seek(to: Int(offset)) == true else { return CURL_SEEKFUNC_FAIL }
    return CURL_SEEKFUNC_OK
  }

  var reportsSent: Bool { onSent != nil }

  func reportSent(_ count: Int) {
    guard count > sent else { return }
    sent = count
    onSent?(count)
  }

  func publishHead() {
    exchange.publish(status: HTTPResponse.Status(code: head.status), headers: head.fields)
  }

  func failure(_ code: CURLcode) -> NetworkError? {
    guard var error = problem(code) else { return nil }
    error.bytesSent = easy.bytesSent
    return error
  }

  private func problem(_ code: CURLcode) -> NetworkError? {
    if let bodyFailure { return bodyFailure }
    if isTooLarge {
      return NetworkError(
        .tooLarge,
        "the head of the answer to \(request) is longer than \(HeadParser.limit) bytes or "
          + "\(HeadParser.maximumFields) fields")
    }
    if code == CURLE_OK {
      guard !head.isComplete else { return nil }
      return .transport(
        TransportFailure(.malformedResponse, code: 0), "the answer to \(request) has no head")
    }
    return .curl(code, of: request, on: easy)
  }

  var overdue: NetworkError {
    var error = NetworkError.timedOut(.total, of: request)
    error.bytesSent = easy.bytesSent
    return error
  }
}
