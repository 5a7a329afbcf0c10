internal import CCurl
internal import HTTPTargets
internal import HTTPTypes

/// One request on an easy handle: takes what libcurl delivers and hands it to the exchange.
///
/// Used on the curl thread alone.
final class Transfer {
  let easy: EasyHandle
  let exchange: Exchange
  /// When the total time is up; nil for never.
  let deadline: ContinuousClock.Instant?
  private let request: Request
  private let arrivals: Arrivals
  private var head = HeadParser()
  private var isTooLarge = false

  init(_ request: Request, easy: EasyHandle, exchange: Exchange, arrivals: Arrivals) {
    self.request = request
    self.easy = easy
    self.exchange = exchange
    self.arrivals = arrivals
    deadline = request.timeouts.total.map { ContinuousClock.now.advanced(by: min($0, .longest)) }
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes a line of the head; anything but the number of bytes given ends the transfer.
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

  /// Takes a piece of the body; the reader's backlog being full pauses the transfer.
  func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let accepted = exchange.append(UnsafeRawBufferPointer(start: bytes, count: count))
    return accepted ? count : Int(CURL_WRITEFUNC_PAUSE)
  }

  func publishHead() {
    exchange.publish(status: HTTPResponse.Status(code: head.status), headers: head.fields)
  }

  /// What a result means; nil for success.
  func failure(_ code: CURLcode) -> NetworkError? {
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

  /// What it means that the total time is up.
  var overdue: NetworkError { .timedOut(.total, of: request) }
}
