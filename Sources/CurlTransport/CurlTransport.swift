internal import CCurl
internal import ConcurrencyPrimitives
public import HTTPTargets
internal import PlatformModules

/// Sends requests with the system's libcurl.
///
/// All requests share one thread, one libcurl multi handle and its open connections. Threads of the cooperative pool
/// never wait for the network. Requests wait for a connection to their host, ordered by the priority of their tasks and
/// then by arrival.
///
/// The connection pauses while a body isn't being read. If the pause takes longer than the request's
/// ``/HTTPTargets/Timeouts/idle`` while other requests wait for a connection to the host, the body ends with
/// ``/HTTPTargets/NetworkError/Code/timedOut``.
///
/// HTTP/2 requires TLS and libcurl 8.1.0 or later. Earlier versions stall, or accept a truncated body as complete.
public struct CurlTransport: Transport {
  /// The options of a transport.
  public struct Configuration: Sendable {
    /// The maximum number of simultaneous connections to one host. With HTTP/2, each carries up to eight simultaneous
    /// requests.
    public var maximumConnectionsPerHost: Int
    /// The certificates to trust instead of libcurl's default.
    public var certificates: CertificateStore
    /// The proxy for other machines.
    public var proxy: Proxy
    /// Where to connect for the requests of some origins.
    public var routes: [Origin: Route] = [:]
    /// The oldest TLS version to accept from servers and proxies.
    public var minimumTLSVersion = TLSVersion.tls12
    /// The accepted keys of the servers of some origins, in addition to a trusted certificate. Another key fails the
    /// request with ``/HTTPTargets/CertificateProblem/unpinnedKey``.
    public var pinnedKeys: [Origin: [PublicKeyPin]] = [:]
    /// The certificates for servers of some origins, sent if a server requests one.
    public var clientCertificates: [Origin: ClientCertificate] = [:]
    /// The names and passwords for some origins. They aren't used for a request with its own `Authorization`.
    public var credentials: [Origin: Credentials] = [:]
    /// Whether to keep the cookies of responses in memory, and send them back to their servers ([RFC
    /// 6265](https://www.rfc-editor.org/rfc/rfc6265)). Off by default, because all users of the transport share the
    /// cookies.
    public var keepsCookies = false
    /// Whether to use HTTP/2 even with an older libcurl, for tests that its defects don't affect.
    var usesHTTP2BelowMinimum = false

    /// Creates a configuration. By default, it allows 8 connections per host, and uses the certificates and the proxy
    /// of the environment.
    public init(
      maximumConnectionsPerHost: Int = 8, certificates: CertificateStore = .environment(),
      proxy: Proxy = .environment
    ) {
      self.maximumConnectionsPerHost = maximumConnectionsPerHost
      self.certificates = certificates
      self.proxy = proxy
    }
  }

  /// A transport for the whole process to share.
  public static let shared = CurlTransport()

  private let multi: LazyMulti

  /// Creates a transport with its own connections. The first request loads libcurl and starts the thread.
  public init(configuration: Configuration = Configuration()) {
    multi = LazyMulti(configuration: configuration)
  }

  /// Returns the versions of libcurl and its libraries, such as `libcurl/8.14.1 OpenSSL/3.5.1 zlib/1.3.1`
  /// ([libcurl's manual](https://curl.se/libcurl/c/curl_version.html)).
  ///
  /// - Throws: ``/HTTPTargets/NetworkError`` when libcurl can't be loaded.
  public static func libraryVersion() async throws(NetworkError) -> String {
    try await CurlLibrary.waitUntilLoaded()
    return unsafe String(cString: ccurl_version())
  }

  /// Sends a request, reports the number of body bytes that the system accepted, and returns as soon as a head arrives.
  public func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    let submission = try submission(of: request, onSent)
    let multi = if let made = multi.made { made } else { try await multi.make() }
    let reader = ExchangeReader(submission, multi: multi)
    await withTaskCancellationHandler {
      await reader.waitForHead()
    } onCancel: {
      reader.cancel()
    }
    return try reader.reply()
  }

  /// Separate from the waiting function, because a waiting task keeps all of that function's variables in memory.
  @inline(never)
  private func submission(
    of request: TargetRequest, _ onSent: SentObserver?
  ) throws(NetworkError) -> CurlMulti.Submission {
    guard let origin = request.origin else {
      throw NetworkError(
        .requestMapping, "“\(request)” can't be requested: it is not an http or https URL")
    }
    if let problem = multi.configuration.problem(with: origin) {
      throw NetworkError(.requestMapping, "“\(request)” can't be requested: \(problem)")
    }
    return CurlMulti.Submission(
      request: request, origin: origin, priority: Task.currentPriority,
      deadline: request.timeouts.total.map { .now.advanced(by: min($0, .longest)) },
      onSent: onSent)
  }
}

extension CurlTransport {
  /// Creates the multi handle on the first request, so that a process that only uses stubs never loads libcurl.
  private final class LazyMulti: Sendable {
    let configuration: Configuration
    private let state = Locked<CurlMulti?>(nil)

    init(configuration: Configuration) {
      self.configuration = configuration
    }

    var made: CurlMulti? { state.withLock { $0 } }

    func make() async throws(NetworkError) -> CurlMulti {
      try await CurlLibrary.waitUntilLoaded()
      return try state.withLock { made throws(NetworkError) in
        if let made { return made }
        let multi = try CurlMulti(configuration: configuration)
        made = multi
        return multi
      }
    }
  }
}
