public import HTTPTypes

/// Sends requests unchanged, below all plugins and interceptors: it follows no redirects and stores no cookies. It
/// never repeats a request that must arrive ``Idempotency/once``.
///
/// `TransportConformance` in `HTTPTargetsTesting` checks a transport of your own.
public protocol Transport: Sendable {
  /// Receives the number of body bytes sent so far.
  typealias SentObserver = @Sendable (_ bytes: Int) -> Void

  /// Sends a request and returns as soon as the head of the response arrives.
  ///
  /// Cancelling the task, or dropping the reply before its body is read to the end, ends the exchange at any
  /// time.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - onSent: Called whenever the number of bytes sent has grown; it returns at once. Nil if progress isn't needed.
  /// - Returns: The head of the response, and its body still arriving.
  /// - Throws: ``NetworkError`` with code `transport`, `timedOut`, `tooLarge` or `cancelled`, or `encoding` when
  ///   a file of the body can't be read; with ``NetworkError/bytesSent`` if the transport knows it.
  func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply
}

extension Transport {
  /// Sends a request without a report of its progress.
  public func send(_ request: TargetRequest) async throws(NetworkError) -> TransportReply {
    try await send(request, onSent: nil)
  }
}

/// The head of a response, and its body still arriving.
public struct TransportReply: Sendable {
  /// The status.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headers: HTTPFields
  /// The body, decompressed, as it arrives.
  public var body: ResponseBody
  /// The steps to the head, as far as the transport measured them.
  public var timings: TargetResponse.Timings {
    get { steps.value }
    set { steps.value = newValue }
  }

  private var steps: CopyOnWrite<TargetResponse.Timings>

  /// Creates a reply.
  public init(
    status: HTTPResponse.Status, headers: HTTPFields, body: ResponseBody,
    timings: TargetResponse.Timings = TargetResponse.Timings()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    steps = CopyOnWrite(timings)
  }
}

extension TransportReply: CustomStringConvertible, CustomReflectable {
  /// The status.
  public var description: String { "status \(status.code)" }

  /// Shows ``description`` only, because header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
