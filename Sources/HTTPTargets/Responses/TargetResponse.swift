public import HTTPTypes
public import PlatformModules

/// A complete response.
public struct TargetResponse: Sendable {
  private struct Contents: Sendable {
    var request: TargetRequest
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: Data
    var file: String?
    var unreadBody: ResponseBody?
    var redirects: [String] = []
    var attempts = 1
    var isFromCache = false
    var timings = Timings()
  }

  private var contents: Boxed<Contents>

  /// The last request that was sent, after plugins and redirects.
  public var request: TargetRequest {
    get { contents.value.request }
    set { contents.value.request = newValue }
  }

  /// The status.
  public var status: HTTPResponse.Status {
    get { contents.value.status }
    set { contents.value.status = newValue }
  }

  /// The header fields.
  public var headers: HTTPFields {
    _read { yield contents.value.headers }
    _modify { yield &contents.value.headers }
  }

  /// The decompressed body; empty if it is in a file.
  public var body: Data {
    _read { yield contents.value.body }
    _modify { yield &contents.value.body }
  }

  /// The path of the downloaded file: see ``HTTPTask/download(to:resuming:query:)-(String,_,_)``.
  public var file: String? {
    get { contents.value.file }
    set { contents.value.file = newValue }
  }

  var unreadBody: ResponseBody? {
    get { contents.value.unreadBody }
    set { contents.value.unreadBody = newValue }
  }

  /// The URLs that redirected to this response, oldest first.
  public var redirects: [String] {
    get { contents.value.redirects }
    set { contents.value.redirects = newValue }
  }

  /// The number of requests passed to the transport, including redirects and retries; 0 for a stored or shared
  /// response.
  public var attempts: Int {
    get { contents.value.attempts }
    set { contents.value.attempts = newValue }
  }

  /// Whether the header fields and the body are from a stored response.
  ///
  /// The server has confirmed it, unless this is a head announced early (``TargetCall/didReceiveHead(_:)``).
  public var isFromCache: Bool {
    get { contents.value.isFromCache }
    set { contents.value.isFromCache = newValue }
  }

  /// The durations of the last attempt.
  public var timings: Timings {
    get { contents.value.timings }
    set { contents.value.timings = newValue }
  }

  /// Creates a response.
  public init(
    request: TargetRequest, status: HTTPResponse.Status, headers: HTTPFields = [:],
    body: Data = Data()
  ) {
    contents = Boxed(
      Contents(request: request, status: status, headers: headers, body: body))
  }

  /// The durations of an attempt. ``head`` and ``total`` are measured by the provider's clock. The others are measured
  /// by the transport, starting when it had a connection or began to open one.
  public struct Timings: Sendable, Hashable {
    /// The time from the start to the head.
    public var head: Duration = .zero
    /// The time from the start to the last byte of the body.
    public var total: Duration = .zero
    /// The time until the host name was resolved; nil if the connection was already open, or if the transport didn't
    /// measure it.
    public var nameLookup: Duration?
    /// The time until the TCP connection was open; nil in the same cases as ``nameLookup``.
    public var connect: Duration?
    /// The time until the TLS handshake was complete; nil in the same cases as ``nameLookup``, and without TLS.
    public var tls: Duration?
    /// The time until the first byte of the response; nil if the transport didn't measure it.
    public var firstByte: Duration?

    /// Creates timings of zero.
    public init() {}
  }

  /// The body as text; bytes that aren't UTF-8 become replacement characters.
  public func text() -> String { String(decoding: body, as: UTF8.self) }

  /// Returns the response if its status is one of these.
  ///
  /// - Throws: ``NetworkError/Code/statusCode``, carrying the response.
  public func filter(statusCodes: some RangeExpression<Int>) throws(NetworkError) -> TargetResponse
  {
    guard statusCodes.contains(status.code) else { throw unexpectedStatus() }
    return self
  }

  /// Returns the response if its status is this one.
  ///
  /// - Throws: ``NetworkError/Code/statusCode``, carrying the response.
  public func filter(statusCode: Int) throws(NetworkError) -> TargetResponse {
    try filter(statusCodes: statusCode...statusCode)
  }

  /// Returns the response if its status is 2xx.
  ///
  /// - Throws: ``NetworkError/Code/statusCode``, carrying the response.
  public func filterSuccessfulStatusCodes() throws(NetworkError) -> TargetResponse {
    try filter(statusCodes: 200...299)
  }

  func unexpectedStatus() -> NetworkError {
    let phrase = status.reasonPhrase.onOneLine(atMost: 100)
    var message = phrase.isEmpty ? statusLine : "\(statusLine) \(phrase)"
    if let words { message += ": \(words)" }
    var error = NetworkError(.statusCode, message, response: self)
    error.attempts = attempts
    return error
  }

  package var statusLine: String { "\(request) answered with status \(status.code)" }

  /// The first line with a letter in the body of an error, without secrets. Markup and long bodies aren't for users.
  private var words: String? {
    guard status.code >= 400, body.count <= 64 << 10,
      // Masked as a whole, because a part of a secret wouldn't be found.
      let text = Redaction.body(body, of: request, isAnswer: true),
      text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) != "<"
    else { return nil }
    let line = text.split(whereSeparator: \.isNewline).first { line in
      line.unicodeScalars.contains(where: \.properties.isAlphabetic)
    }
    return line.map { String($0).onOneLine(atMost: 200) }
  }
}

extension TargetResponse: Equatable {
  /// Whether two responses to the same request are equal, apart from their timings.
  public static func == (one: TargetResponse, other: TargetResponse) -> Bool {
    one.status == other.status && one.headers == other.headers && one.body == other.body
      && one.file == other.file && one.request == other.request
      && one.redirects == other.redirects && one.attempts == other.attempts
      && one.isFromCache == other.isFromCache
  }
}

extension TargetResponse: CustomStringConvertible, CustomReflectable {
  /// The status, the request and the length, without secrets.
  public var description: String {
    let body =
      file.map { "in “\($0)”" } ?? (unreadBody == nil ? "\(body.count) bytes" : "streaming")
    return "\(status.code) for \(request), \(body)"
  }

  /// Shows only ``description``, because header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A response whose body is still arriving.
///
/// ```swift
/// let response = try await provider.stream(.log(id: 7))
/// for try await chunk in response.body { … }
/// ```
public struct StreamedResponse: Sendable {
  /// The last request that was sent, after plugins and redirects.
  public var request: TargetRequest
  /// The status.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headers: HTTPFields
  /// The URLs that redirected to this response, oldest first.
  public var redirects: [String]
  /// The number of requests passed to the transport, including redirects and retries.
  public var attempts: Int
  /// The decompressed body as it arrives. It can be read only once.
  ///
  /// The connection pauses while the body isn't being read. The exchange ends when the body is released or the reading
  /// task is canceled. Failures while reading are thrown, and aren't retried.
  public var body: ResponseBody

  init(_ response: TargetResponse) {
    request = response.request
    status = response.status
    headers = response.headers
    redirects = response.redirects
    attempts = response.attempts
    body = response.unreadBody ?? ResponseBody(response.body, maximumSize: .max)
  }
}

extension StreamedResponse: CustomStringConvertible, CustomReflectable {
  /// The status and the request, without secrets.
  public var description: String { "\(status.code) for \(request), streaming" }

  /// Shows only ``description``, because header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TargetResponse {
  package var serverDate: Date? { headers[.date].flatMap(HTTPDate.date(from:)) }

  /// The longest wait that the server requires (RFC 9110, section 10.2.3), at most a year. A wait until a date starts
  /// at the response's own `Date`, or else at `now`, so a wrong local clock usually doesn't matter.
  package func retryAfter(now: Date) -> Duration? {
    let serverNow = serverDate ?? now
    return headers[values: .retryAfter].compactMap { text in
      if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
        // A number that overflows means a long wait, not the absence of one.
        return .seconds(min(Int(text) ?? .max, Self.year))
      }
      return HTTPDate.date(from: text).map { date in
        .seconds(min(max(date.timeIntervalSince(serverNow), 0), Double(Self.year)))
      }
    }.max()
  }

  private static var year: Int { 366 * 86_400 }
}
