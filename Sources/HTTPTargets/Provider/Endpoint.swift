public import HTTPTypes
internal import PlatformModules

/// The URL, the header fields and the stub response of a target.
public struct Endpoint: Sendable {
  /// The absolute URL without the task's query.
  public var url: String {
    didSet { origin = Origin(url: url) }
  }
  /// The origin of ``url``.
  private var origin: Origin?
  /// The method. Setting another method also sets its ``idempotency``.
  public var method: HTTPRequest.Method {
    didSet { if method != oldValue { idempotency = Idempotency(method) } }
  }
  /// Whether the request may be sent a second time.
  public var idempotency: Idempotency
  /// The header fields.
  public var headers: HTTPFields
  /// The query and the body.
  public var task: HTTPTask
  /// The time limits for the steps of the request.
  public var timeouts: Timeouts
  /// The maximum length of a response body, in bytes after decompression. Nil means
  /// ``TargetRequest/defaultMaximumBodySize`` in memory, and no limit for a stream or a file.
  public var maximumBodySize: Int?
  /// Returns the response of a stub. It is called only for stubs.
  public var sample: @Sendable () -> SampleResponse

  /// Creates the endpoint of a target.
  ///
  /// The base URL and the path are joined by exactly one slash. An empty path leaves the base URL unchanged. The query
  /// of the base URL follows the path.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - baseURL: The base URL to use instead of the target's own, for another host with the same API.
  /// - Throws: ``NetworkError/Code/requestMapping`` with the problem in the base URL or the path.
  public init(_ target: some TargetType, baseURL: String? = nil) throws(NetworkError) {
    (url, origin) = try Self.join(baseURL ?? target.baseURL, target.path)
    method = target.method
    idempotency = target.effectiveIdempotency
    headers = target.headers
    task = target.task
    timeouts = target.policy.timeouts
    sample = { target.sampleResponse }
  }

  /// Returns the endpoint with additional header fields, which replace fields of the same name.
  public func adding(headers: HTTPFields) -> Endpoint {
    var endpoint = self
    for field in headers { endpoint.headers[field.name] = nil }
    endpoint.headers.append(contentsOf: headers)
    return endpoint
  }

  /// Returns the endpoint with another task.
  public func replacing(task: HTTPTask) -> Endpoint {
    var endpoint = self
    endpoint.task = task
    return endpoint
  }

  /// Creates the request. The result is the same each time.
  ///
  /// - Throws: ``NetworkError/Code/encoding`` when the body can't be encoded; ``NetworkError/Code/requestMapping`` when
  ///   the method doesn't support the task.
  public func request() throws(NetworkError) -> TargetRequest {
    let query = QueryItem.encode(task.query)
    // An encoded query never changes the origin, so it isn't parsed again.
    var request = TargetRequest(
      method: method, url: query.isEmpty ? url : Self.appending(query, to: url), origin: origin,
      headers: headers, timeouts: timeouts)
    request.idempotency = idempotency
    if let problem = task.problem(with: method) {
      throw .unsendable(request, problem)
    }
    if task.destination != nil {
      request.maximumBodySize = .max
      if !headers.contains(.acceptEncoding) { request.headers[.acceptEncoding] = "identity" }
    }
    request.allowsBodyWithGET = task.allowsGET
    if let maximumBodySize { request.maximumBodySize = maximumBodySize }
    if let (body, contentType) = try task.encodedBody() {
      request.body = body
      // A multipart body can't be parsed without the boundary in this field.
      if let contentType, task.isMultipart || !headers.contains(.contentType) {
        request.headers[.contentType] = contentType
      }
    }
    return request
  }

  private static func join(
    _ base: String, _ path: URLPath
  ) throws(NetworkError) -> (url: String, origin: Origin) {
    func unusable(_ url: String, _ why: String) -> NetworkError {
      NetworkError(.requestMapping, "“\(Redaction.url(url))” can't be requested: \(why)")
    }
    if let problem = path.problem { throw unusable(path.encoded, problem) }
    let url = joined(base, path)
    guard let origin = Origin(url: url) else {
      if let problem = AbsoluteURL.problem(of: base) { throw unusable(base, problem) }
      throw unusable(url, "it is not a valid URL")
    }
    guard !url.utf8.contains(UInt8(ascii: "#")) else {
      throw unusable(base + path.encoded, "a fragment is never sent")
    }
    return (url, origin)
  }

  private static func joined(_ base: String, _ path: URLPath) -> String {
    guard !path.encoded.isEmpty else { return base }
    let mark = base.utf8.firstIndex(of: UInt8(ascii: "?")) ?? base.endIndex
    var url = base[..<mark]
    while url.utf8.last == UInt8(ascii: "/") { url.removeLast() }
    let query = base[mark...].dropFirst()
    let tail = path.encoded.drop { $0 == "/" }
    if query.isEmpty {
      return "\(url)/\(tail)"
    } else if let pathMark = tail.firstIndex(of: "?") {
      let pathQuery = tail[pathMark...].dropFirst()
      return appending(pathQuery, to: "\(url)/\(tail[..<pathMark])?\(query)")
    } else {
      return "\(url)/\(tail)?\(query)"
    }
  }

  private static func appending(_ query: some StringProtocol, to url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return "\(url)?\(query)" }
    let isOpen = url.index(after: mark) == url.endIndex || url.hasSuffix("&")
    return "\(url)\(isOpen ? "" : "&")\(query)"
  }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
  /// The method, the URL and the task, without secrets.
  public var description: String { "\(method.rawValue) \(Redaction.url(url)) (\(task))" }

  /// Shows only ``description``, because header fields and bodies can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
