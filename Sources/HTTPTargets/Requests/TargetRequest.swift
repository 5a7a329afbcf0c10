public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request as a transport sends it.
public struct TargetRequest: Sendable, Hashable {
  /// The method. Another method brings its own ``idempotency``.
  public var method: HTTPRequest.Method {
    didSet { if method != oldValue { idempotency = Idempotency(method) } }
  }
  /// Whether it may be sent a second time.
  public var idempotency: Idempotency
  /// The absolute URL, percent-encoded, sent byte for byte.
  public var url: String
  /// The header fields.
  public var headers: HTTPFields
  /// The body; nil to send none.
  public var body: RequestBody?
  /// Whether a `GET` may have a body: see ``HTTPTask/allowingGET()``.
  public var allowsBodyWithGET = false
  /// The time limits of its steps.
  public var timeouts: Timeouts
  /// The longest response body to accept, in bytes after decompression.
  public var maximumBodySize: Int

  /// 64 MiB.
  public static let defaultMaximumBodySize = 64 << 20

  /// Creates a request.
  public init(
    method: HTTPRequest.Method = .get, url: String, headers: HTTPFields = [:],
    body: RequestBody? = nil,
    timeouts: Timeouts = Timeouts(), maximumBodySize: Int = defaultMaximumBodySize
  ) {
    self.method = method
    idempotency = Idempotency(method)
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.maximumBodySize = maximumBodySize
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

  /// The origin of the URL; nil for a URL that can't be requested.
  public var origin: Origin? { Origin(url: url) }

  /// Why it can't be sent; nil if it can. A URL that was found good isn't read again.
  func problem(exceptURL goodURL: String? = nil) -> String? {
    if url != goodURL, let problem = AbsoluteURL.problem(of: url) { return problem }
    if body != nil {
      switch method {
      // RFC 9110, section 9.3.1: such a body has no meaning, and a server may take it for another request.
      case .get where !allowsBodyWithGET: return "GET can't have a body, unless its task allows it"
      case .head: return "HEAD can't have a body"
      default: break
      }
    }
    let own = headers.first { Self.fieldsOfTransport.contains($0.name.canonicalName) }
    return own.map { "the transport sets “\($0.name)” by itself" }
  }

  /// The fields that say where a message goes and where it ends (RFC 9112, section 6), and those of one connection,
  /// which HTTP/2 doesn't have (RFC 9113, section 8.2.2). Two values would let one server in a chain see another
  /// request than the next one does.
  private static let fieldsOfTransport: Set<String> = [
    "connection", "content-length", "host", "keep-alive", "proxy-connection", "transfer-encoding",
    "upgrade",
  ]
}

extension TargetRequest: CustomStringConvertible, CustomReflectable {
  /// Method and URL, without secrets.
  public var description: String { "\(method.rawValue) \(Redaction.url(url))" }

  /// Shows ``description`` only, so that `dump` and interpolations of other values print no secret either.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
