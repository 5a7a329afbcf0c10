public import PlatformModules

/// The reason that a call failed. Secrets are masked in its ``message`` and ``description``. For an unaccepted status,
/// they contain the server's words: the reason phrase, if the transport knows it, and the first line of an error's
/// body, with secrets that ``Redaction`` recognizes masked.
///
/// Match on the code, because later versions may add codes:
///
/// ```swift
/// do {
///   …
/// } catch where error.code == .rateLimited {
///   print("again at", error.retryDate ?? .now)
/// } catch {
///   print(error.message)
/// }
/// ```
public struct NetworkError: Error, Sendable {
  private struct Contents: Sendable {
    var code: Code
    var message: String
    var response: TargetResponse?
    var underlying: (any Error)?
    var transportFailure: TransportFailure?
    var timedOutPhase: TimedOutPhase?
    var attempts = 0
    var bytesSent: Int?
    var retryDate: Date?
  }

  private var contents: Boxed<Contents>

  /// The kind of failure.
  public var code: Code {
    get { contents.value.code }
    set { contents.value.code = newValue }
  }

  /// A description of the failure for users.
  public var message: String {
    get { contents.value.message }
    set { contents.value.message = newValue }
  }

  /// The response, if there was one.
  public var response: TargetResponse? {
    get { contents.value.response }
    set { contents.value.response = newValue }
  }

  /// The underlying error, if there was one.
  public var underlying: (any Error)? {
    get { contents.value.underlying }
    set { contents.value.underlying = newValue }
  }

  /// The transport's report, with code ``Code/transport``.
  public var transportFailure: TransportFailure? {
    get { contents.value.transportFailure }
    set { contents.value.transportFailure = newValue }
  }

  /// The step that took too long, with code ``Code/timedOut``.
  public var timedOutPhase: TimedOutPhase? {
    get { contents.value.timedOutPhase }
    set { contents.value.timedOutPhase = newValue }
  }

  /// The number of requests passed to the transport, including redirects and retries; 0 if there were none.
  public var attempts: Int {
    get { contents.value.attempts }
    set { contents.value.attempts = newValue }
  }

  /// The number of bytes of the request that left this machine; nil if unknown. 0 guarantees that servers received none
  /// of the bytes in any attempt, so even an ``Idempotency/once`` request may be sent again.
  public var bytesSent: Int? {
    get { contents.value.bytesSent }
    set { contents.value.bytesSent = newValue }
  }

  /// The end of a rate limit, with code ``Code/rateLimited``, if known from the server.
  public var retryDate: Date? {
    get { contents.value.retryDate }
    set { contents.value.retryDate = newValue }
  }

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, response: TargetResponse? = nil, underlying: (any Error)? = nil
  ) {
    contents = Boxed(
      Contents(code: code, message: message, response: response, underlying: underlying))
  }

  static func unsendable(_ request: TargetRequest, _ problem: String) -> NetworkError {
    NetworkError(.requestMapping, "“\(request)” can't be requested: \(problem)")
  }

  /// Creates an error from the error of a closure, a plugin or an interceptor, which may contain the request.
  init(caught error: any Error, with request: TargetRequest? = nil) {
    switch error {
    case let error as NetworkError: self = error
    case is CancellationError: self.init(.cancelled, Self.cancelled.message, underlying: error)
    default:
      var message = Redaction.message("\(error)")
      if let request { message = Redaction.hiding(secretsOf: request, in: message) }
      self.init(.underlying, message, underlying: error)
    }
  }

  /// Creates the error of a transport that couldn't complete the request.
  public static func transport(_ failure: TransportFailure, _ message: String) -> NetworkError {
    var error = NetworkError(.transport, message)
    error.transportFailure = failure
    return error
  }

  /// Creates the error of a step that took too long.
  public static func timedOut(_ phase: TimedOutPhase, _ message: String) -> NetworkError {
    var error = NetworkError(.timedOut, message)
    error.timedOutPhase = phase
    return error
  }

  /// The error of a call whose task was canceled.
  public static var cancelled: NetworkError { NetworkError(.cancelled, "the call was cancelled") }

  /// The same error for a call that didn't send a request itself.
  var beforeSending: NetworkError {
    guard attempts == 0, response == nil else { return self }
    var error = self
    error.bytesSent = 0
    return error
  }

  /// The message for users who don't know the request. The server's origin replaces the method and the URL at the
  /// beginning.
  public var problem: String {
    guard let request = response?.request, let origin = request.origin else { return message }
    let line = "\(request) "
    return message.hasPrefix(line) ? "\(origin) \(message.dropFirst(line.count))" : message
  }

  /// Whether the network is unavailable: the host name couldn't be resolved, or the connection couldn't be opened in
  /// time. Other failures, such as an untrusted certificate, show that a server was reached.
  public var isNetworkAway: Bool {
    switch code {
    case .transport: [.nameLookup, .connection].contains(transportFailure?.reason)
    case .timedOut: timedOutPhase == .connect
    default: false
    }
  }

  /// The stable name of a failure.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// A request can't be created from the target, or plugins and interceptors have made it invalid.
    public static let requestMapping = Code(rawValue: "requestMapping")
    /// The body can't be encoded or read. The request wasn't sent, unless the file of the body changed in the meantime.
    public static let encoding = Code(rawValue: "encoding")
    /// Connecting, sending or receiving failed.
    public static let transport = Code(rawValue: "transport")
    /// A step took too long.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The task that made the call was canceled.
    public static let cancelled = Code(rawValue: "cancelled")
    // “Status code” is HTTP's own term (RFC 9110, section 15).
    // swift-format-ignore: DontRepeatTypeInStaticProperties
    /// The status code doesn't pass the target's ``Validation``.
    public static let statusCode = Code(rawValue: "statusCode")
    /// The server requires the client to wait.
    public static let rateLimited = Code(rawValue: "rateLimited")
    /// The head or the decoded body is longer than allowed.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The response can't be written to its file, for example because the folder is missing or the disk is full.
    public static let writing = Code(rawValue: "writing")
    /// A redirect from https to http was refused.
    public static let insecureRedirect = Code(rawValue: "insecureRedirect")
    /// Redirects formed a loop, or there were too many.
    public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
    /// A closure, a plugin or an interceptor of the program threw another type of error: ``NetworkError/underlying``.
    public static let underlying = Code(rawValue: "underlying")
    /// The response can't be decoded.
    public static let decoding = Code(rawValue: "decoding")

    /// Whether an error is a ``NetworkError`` with this code, for `catch` and `switch`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? NetworkError)?.code == code
    }
  }

  /// The step that took too long.
  public enum TimedOutPhase: String, Sendable, Hashable {
    /// DNS lookup, TCP and TLS handshake.
    case connect
    /// Waiting for the next byte.
    case idle
    /// The request as a whole.
    case total
  }
}

extension NetworkError: CustomStringConvertible, LocalizedError {
  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }

  /// ``message``, for Foundation's `localizedDescription`.
  public var errorDescription: String? { message }
}

extension NetworkError: Equatable {
  /// Whether all properties are equal except ``underlying``, which may not be comparable.
  public static func == (one: NetworkError, other: NetworkError) -> Bool {
    one.code == other.code && one.message == other.message && one.response == other.response
      && one.transportFailure == other.transportFailure && one.timedOutPhase == other.timedOutPhase
      && one.attempts == other.attempts && one.bytesSent == other.bytesSent
      && one.retryDate == other.retryDate
  }
}

/// A transport's report of a failed request.
public struct TransportFailure: Sendable, Hashable {
  /// The step that failed.
  public var reason: Reason
  /// The error number of the transport; for libcurl a [CURLcode](https://curl.se/libcurl/c/libcurl-errors.html).
  public var code: Int
  /// The problem with the certificate, with reason ``Reason/certificate``, if known.
  public var certificateProblem: CertificateProblem?

  /// Creates a report.
  public init(_ reason: Reason, code: Int, certificateProblem: CertificateProblem? = nil) {
    self.reason = reason
    self.code = code
    self.certificateProblem = certificateProblem
  }

  /// The step that failed.
  public enum Reason: String, Sendable, Hashable {
    /// The host name can't be resolved.
    case nameLookup
    /// The connection to the host or the proxy can't be opened.
    case connection
    /// The proxy refuses to connect to the host: it requires credentials, or doesn't allow the connection.
    case proxy
    /// The connection broke, or the body is shorter than announced.
    case interrupted
    /// The server's certificate isn't trusted, has expired, or names another host.
    case certificate
    /// The client's certificate can't be read, isn't trusted by the server, or is missing although the server requires
    /// one.
    case clientCertificate
    /// The TLS handshake failed.
    case tls
    /// The response isn't valid HTTP.
    case malformedResponse
    /// The compressed body is damaged.
    case contentEncoding
    /// Any other failure.
    case other
  }
}

/// The problem with a server's certificate.
public enum CertificateProblem: String, Sendable, Hashable {
  /// The certificate has expired.
  case expired
  /// The certificate isn't valid yet.
  case notYetValid
  /// The certificate is self-signed, or its chain ends with an untrusted self-signed certificate.
  case selfSigned
  /// The certificate's authority isn't trusted.
  case unknownAuthority
  /// The certificate belongs to another host.
  case wrongHost
  /// The certificate's authority has revoked it.
  case revoked
  /// The certificate's key isn't one of the keys that the program expects.
  case unpinnedKey
}
