public import HTTPTypes

/// An answer whose body is on the way.
///
/// ```swift
/// let response = try await provider.stream(.log(id: 7))
/// for try await chunk in response.body { … }
/// ```
public struct StreamedResponse: Sendable {
  /// The request as it was sent last, after plugins and redirects.
  public var request: Request
  /// The status.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headers: HTTPFields
  /// The URLs that redirected on the way here, oldest first.
  public var redirects: [String]
  /// How often a request went to the transport for this answer: redirects and retries count.
  public var attempts: Int
  /// The body, decompressed, as it arrives: to be read once.
  ///
  /// As long as nobody reads, the connection waits. Dropping the body, or cancelling the task that
  /// reads it, ends the exchange. What breaks in the middle is thrown here and isn't retried.
  public var body: ResponseBody

  init(_ response: Response) {
    request = response.request
    status = response.status
    headers = response.headers
    redirects = response.redirects
    attempts = response.attempts
    body = response.unreadBody ?? ResponseBody(response.body, maximumSize: .max)
  }
}

extension StreamedResponse: CustomStringConvertible, CustomReflectable {
  /// Status and request, without anything secret.
  public var description: String { "\(status.code) for \(request), streaming" }

  /// Shows what ``description`` shows: header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
