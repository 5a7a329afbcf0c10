public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A whole answer.
public struct Response: Sendable {
  /// The request as it was sent last, after plugins and redirects.
  public var request: Request
  /// The status.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headers: HTTPFields
  /// The body, decompressed; empty where it is in a file.
  public var body: Data
  /// The path of the file that the body was downloaded to: see
  /// ``HTTPTask/download(to:resuming:query:)``.
  public var file: String?
  /// The body of a call that streams.
  var unreadBody: ResponseBody?
  /// The URLs that redirected on the way here, oldest first.
  public var redirects: [String] = []
  /// How often a request went to the transport for this answer: redirects and retries count, and 0 says
  /// that the answer was there or under way already.
  public var attempts: Int = 1
  /// Whether header fields and body are those of a stored answer that the server said still holds.
  ///
  /// A head with this mark that is told early (``Call/didReceiveHead(_:)``) isn't confirmed yet.
  public var isFromCache: Bool = false
  /// How long the last attempt took.
  public var timings: Timings = Timings()

  /// Creates a response.
  public init(
    request: Request, status: HTTPResponse.Status, headers: HTTPFields = [:], body: Data = Data()
  ) {
    self.request = request
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// How long the parts of an attempt took, on the provider's clock.
  public struct Timings: Sendable, Hashable {
    /// From the start to the head.
    public var head: Duration = .zero
    /// From the start to the last byte of the body.
    public var total: Duration = .zero

    /// Creates timings of zero.
    public init() {}
  }

  /// The body as text; bytes that aren't UTF-8 become replacement characters.
  public func text() -> String { String(decoding: body, as: UTF8.self) }

  /// Returns the response if its status is one of these.
  ///
  /// - Throws: ``NetworkError/Code/statusCode``, carrying the response.
  public func filter(statusCodes: some RangeExpression<Int>) throws(NetworkError) -> Response {
    guard statusCodes.contains(status.code) else { throw unexpectedStatus() }
    return self
  }

  /// Returns the response if its status is this one.
  ///
  /// - Throws: ``NetworkError/Code/statusCode``, carrying the response.
  public func filter(statusCode: Int) throws(NetworkError) -> Response {
    try filter(statusCodes: statusCode...statusCode)
  }

  /// Returns the response if its status is 2xx.
  ///
  /// - Throws: ``NetworkError/Code/statusCode``, carrying the response.
  public func filterSuccessfulStatusCodes() throws(NetworkError) -> Response {
    try filter(statusCodes: 200...299)
  }

  func unexpectedStatus() -> NetworkError {
    var error = NetworkError(
      .statusCode, "\(request) answered with status \(status.code)", response: self)
    error.attempts = attempts
    return error
  }
}

extension Response: CustomStringConvertible, CustomReflectable {
  /// Status, request and length, without anything secret.
  public var description: String {
    let body =
      file.map { "in “\($0)”" } ?? (unreadBody == nil ? "\(body.count) bytes" : "streaming")
    return "\(status.code) for \(request), \(body)"
  }

  /// Shows what ``description`` shows: header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
