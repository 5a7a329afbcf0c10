public import HTTPTypes

/// Sends requests. The layer under all plugins and interceptors.
///
/// A transport sends what it is given: it follows no redirects, retries nothing, keeps no cookies.
public protocol Transport: Sendable {
  /// Sends a request and returns as soon as the head of the answer is in.
  ///
  /// Cancelling the task, before, while or after this runs, and dropping the reply without reading
  /// its body to the end, both end the exchange and free what it holds.
  ///
  /// - Throws: ``NetworkError`` with code `transport`, `timedOut`, `tooLarge` or `cancelled`, or
  ///   `encoding` when a file of the body can't be read.
  func send(_ request: Request) async throws(NetworkError) -> TransportReply

  /// Is told how many bytes of a body have been sent.
  typealias SentObserver = @Sendable (_ bytes: Int) -> Void

  /// Sends a request, and tells meanwhile how much of its body has been sent.
  ///
  /// Without an implementation of your own nothing is told.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - onSent: Is told the number of bytes each time that it has grown; it returns at once.
  /// - Returns: The head of the answer, and its body on the way.
  /// - Throws: ``NetworkError``, as without progress.
  func send(
    _ request: Request, onSent: @escaping SentObserver
  ) async throws(NetworkError) -> TransportReply
}

extension Transport {
  /// Sends a request, and tells nothing meanwhile.
  public func send(
    _ request: Request, onSent: @escaping SentObserver
  ) async throws(NetworkError) -> TransportReply {
    try await send(request)
  }
}

/// The head of an answer, and its body on the way.
public struct TransportReply: Sendable {
  /// The status.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headers: HTTPFields
  /// The body, decompressed, as it arrives.
  public var body: ResponseBody

  /// Creates a reply.
  public init(status: HTTPResponse.Status, headers: HTTPFields, body: ResponseBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension TransportReply: CustomStringConvertible, CustomReflectable {
  /// The status.
  public var description: String { "status \(status.code)" }

  /// Shows what ``description`` shows: header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
