public import HTTPTypes
public import PlatformModules

/// A request in the form that a transport sends.
public struct TargetRequest: Sendable, Hashable {
  private struct Contents: Sendable, Hashable {
    var method: HTTPRequest.Method {
      didSet { if method != oldValue { idempotency = Idempotency(method) } }
    }
    var idempotency: Idempotency
    var url: String {
      didSet { origin = Origin(url: url) }
    }
    /// The origin, parsed only once, because a call uses it in each step.
    var origin: Origin?
    var headers: HTTPFields
    var body: RequestBody?
    var allowsBodyWithGET = false
    var timeouts: Timeouts
    var maximumBodySize: Int
  }

  private var contents: Boxed<Contents>

  /// The method. Setting another method also sets its ``idempotency``.
  public var method: HTTPRequest.Method {
    get { contents.value.method }
    set { contents.value.method = newValue }
  }

  /// Whether the request may be sent a second time.
  public var idempotency: Idempotency {
    get { contents.value.idempotency }
    set { contents.value.idempotency = newValue }
  }

  /// The absolute URL, percent-encoded, sent byte for byte.
  public var url: String {
    get { contents.value.url }
    set { contents.value.url = newValue }
  }

  /// The origin of the URL; nil for a URL that can't be requested.
  public var origin: Origin? { contents.value.origin }

  /// The header fields.
  public var headers: HTTPFields {
    _read { yield contents.value.headers }
    _modify { yield &contents.value.headers }
  }

  /// The body; nil to send none.
  public var body: RequestBody? {
    get { contents.value.body }
    set { contents.value.body = newValue }
  }

  /// Whether a `GET` may have a body: see ``HTTPTask/allowingGET()``.
  public var allowsBodyWithGET: Bool {
    get { contents.value.allowsBodyWithGET }
    set { contents.value.allowsBodyWithGET = newValue }
  }

  /// The time limits for the steps of the request.
  public var timeouts: Timeouts {
    get { contents.value.timeouts }
    set { contents.value.timeouts = newValue }
  }

  /// The maximum length of a response body, in bytes after decompression.
  public var maximumBodySize: Int {
    get { contents.value.maximumBodySize }
    set { contents.value.maximumBodySize = newValue }
  }

  /// The default of ``maximumBodySize``: 64 MiB.
  public static let defaultMaximumBodySize = 64 << 20

  /// Creates a request.
  public init(
    method: HTTPRequest.Method = .get, url: String, headers: HTTPFields = [:],
    body: RequestBody? = nil,
    timeouts: Timeouts = Timeouts(), maximumBodySize: Int = defaultMaximumBodySize
  ) {
    self.init(
      method: method, url: url, origin: Origin(url: url), headers: headers, body: body,
      timeouts: timeouts, maximumBodySize: maximumBodySize)
  }

  /// Creates a request. `origin` must be the origin of the URL.
  init(
    method: HTTPRequest.Method, url: String, origin: Origin?, headers: HTTPFields,
    body: RequestBody? = nil, timeouts: Timeouts, maximumBodySize: Int = defaultMaximumBodySize
  ) {
    contents = Boxed(
      Contents(
        method: method, idempotency: Idempotency(method), url: url, origin: origin,
        headers: headers, body: body, timeouts: timeouts, maximumBodySize: maximumBodySize))
  }

  /// Creates a request with bytes in memory as its body.
  public init(
    method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: Data,
    timeouts: Timeouts = Timeouts(), maximumBodySize: Int = defaultMaximumBodySize
  ) {
    self.init(
      method: method, url: url, headers: headers, body: RequestBody(body), timeouts: timeouts,
      maximumBodySize: maximumBodySize)
  }

  /// Whether both are copies of the same request, and neither has changed since.
  func isSame(as other: TargetRequest) -> Bool { contents.isSame(as: other.contents) }

  /// Whether both have equal contents.
  public static func == (one: TargetRequest, other: TargetRequest) -> Bool {
    one.isSame(as: other) || one.contents.value == other.contents.value
  }

  /// Hashes the contents.
  public func hash(into hasher: inout Hasher) { hasher.combine(contents.value) }

  /// The reason that the request can't be sent; nil if it can.
  func problem() -> String? {
    if origin == nil, let problem = AbsoluteURL.problem(of: url) { return problem }
    if body != nil {
      switch method {
      // Such a body has no meaning, and a server may mistake it for another request (RFC 9110, section 9.3.1).
      case .get where !allowsBodyWithGET: return "GET can't have a body, unless its task allows it"
      case .head: return "HEAD can't have a body"
      default: break
      }
    }
    let own = headers.first { Self.fieldsOfTransport.contains($0.name.canonicalName) }
    return own.map { "the transport sets “\($0.name)” by itself" }
  }

  /// The fields for the destination and the length of a message (RFC 9112, section 6), and those for a single
  /// connection, which HTTP/2 doesn't allow (RFC 9113, section 8.2.2). With two values, the servers in a chain could
  /// interpret the request differently.
  private static let fieldsOfTransport: Set<String> = [
    "connection", "content-length", "host", "keep-alive", "proxy-connection", "transfer-encoding",
    "upgrade",
  ]
}

extension TargetRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the URL, without secrets.
  public var description: String { "\(method.rawValue) \(Redaction.url(url))" }

  /// Shows only ``description``, so that `dump` and interpolations of other values don't print secrets either.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
