public import HTTPTypes

/// Sends requests unchanged, below all plugins and interceptors. A transport doesn't follow redirects or store cookies.
/// It never repeats a request that must arrive only ``Idempotency/once``.
///
/// Use `TransportConformance` in `HTTPTargetsTesting` to check your own transport.
public protocol Transport: Sendable {
  /// Receives the number of body bytes sent so far.
  typealias SentObserver = @Sendable (_ bytes: Int) -> Void

  /// Sends a request and returns as soon as the head of the response arrives.
  ///
  /// The exchange ends when the task is canceled, or when the reply is released before its body has been read to the
  /// end.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - onSent: Called whenever more bytes have been sent; it must return immediately. Nil if progress isn't needed.
  /// - Returns: The head of the response, and its body still arriving.
  /// - Throws: ``NetworkError`` with code `transport`, `timedOut`, `tooLarge` or `cancelled`, or `encoding` when a file
  ///   of the body can't be read. It includes ``NetworkError/bytesSent`` if the transport knows the number.
  func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply
}

extension Transport {
  /// Sends a request without reporting its progress.
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
  /// The decompressed body as it arrives.
  public var body: ResponseBody
  /// The durations of the steps up to the head, if the transport measured them.
  public var timings: TargetResponse.Timings {
    get { steps.value }
    set { steps.value = newValue }
  }

  private var steps: Boxed<TargetResponse.Timings>

  /// Creates a reply.
  public init(
    status: HTTPResponse.Status, headers: HTTPFields, body: ResponseBody,
    timings: TargetResponse.Timings = TargetResponse.Timings()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    steps = Boxed(timings)
  }
}

extension TransportReply: CustomStringConvertible, CustomReflectable {
  /// The status.
  public var description: String { "status \(status.code)" }

  /// Shows only ``description``, because header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
