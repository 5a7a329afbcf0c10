public import PlatformModules

/// A request as the loopback server received it.
public struct LoopbackRequest: Sendable {
  /// One `name=value` of the query, decoded.
  public struct QueryItem: Sendable, Hashable {
    /// The decoded name.
    public var name: String
    /// The decoded value; empty without a `=`.
    public var value: String

    /// Creates a query item.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, as sent.
  public var method: String
  /// The request target exactly as sent, in origin-form (`/path?query`) or absolute-form (`http://host/path?query`):
  /// see RFC 9112, section 3.2.
  public var target: String
  /// `HTTP/1.1` or `HTTP/1.0`.
  public var version: String
  /// The undecoded path of the target.
  public var path: String
  /// The undecoded query of the target; nil without a `?`.
  public var rawQuery: String?
  /// The decoded query items in order.
  public var query: [QueryItem]
  /// The header fields.
  public var headers: LoopbackHeaders
  /// The body, without its transfer encoding.
  public var body: Data
  /// The number of its connection: 1 for the server's first.
  public var connection: Int
  /// Its place in order of arrival: 1 for the server's first.
  public var number: Int

  /// Creates a request, and takes its target apart.
  public init(
    method: String,
    target: String,
    version: String = "HTTP/1.1",
    headers: LoopbackHeaders = [:],
    body: Data = Data(),
    connection: Int = 0,
    number: Int = 0
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
    self.body = body
    self.connection = connection
    self.number = number
    let parts = RequestTarget(target)
    path = parts.path
    rawQuery = parts.query
    query = parts.query.map(PercentCoding.queryItems) ?? []
  }

  /// The first value of a query item.
  public func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// `scheme://host:port` as the client sees this server, from an absolute-form target or else from `Host`.
  public var origin: String {
    if let origin = RequestTarget(target).origin { return origin }
    return "http://" + (headers["Host"] ?? "localhost")
  }

  /// Whether the client wants to keep the connection open after the answer.
  public var keepsAlive: Bool {
    let connection = headers["Connection"]?.lowercased()
    return version == "HTTP/1.0" ? connection == "keep-alive" : connection != "close"
  }
}

extension LoopbackRequest {
  /// The request on one line, for a log. It says only whether there is an `Authorization`.
  public var logLine: String {
    var line = "\(method) \(JSONText.string(target))"
    for name in ["Host", "User-Agent", "Accept", "X-GitHub-Api-Version"] {
      line += " \(name.lowercased())=\(headers[name].map(JSONText.string) ?? "absent")"
    }
    return line + " authorization=\(headers["Authorization"] == nil ? "absent" : "present")"
  }
}

/// A request target taken apart.
struct RequestTarget {
  var origin: String?
  var path: String
  var query: String?

  init(_ target: String) {
    var rest = target[...]
    if let scheme = rest.range(ofFirst: "://"), rest.first != "/" {
      let end = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      origin = String(rest[..<end])
      rest = rest[end...]
    }
    if let mark = rest.firstIndex(of: "?") {
      path = String(rest[..<mark])
      query = String(rest[rest.index(after: mark)...])
    } else {
      path = String(rest)
    }
    if path.isEmpty { path = "/" }
  }
}

extension Substring {
  /// The first place where `pattern` occurs.
  fileprivate func range(ofFirst pattern: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(pattern) {
        return start..<index(start, offsetBy: pattern.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
