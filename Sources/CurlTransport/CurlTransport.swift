internal import CCurl
public import HTTPTargets
internal import Locking

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Sends requests with the system's libcurl.
///
/// One thread, one libcurl multi handle, connections kept alive and shared by all requests. No thread of
/// the cooperative pool ever waits for the network. Bodies stream with back-pressure: when nobody reads,
/// the connection is paused.
///
/// HTTP/2 is used over TLS where the libcurl at run time is 8.1.0 or newer; older ones stall on it or
/// take a truncated body for a complete one.
public struct CurlTransport: Transport {
  /// What can be set about the transport.
  public struct Configuration: Sendable {
    /// The most connections to one host at a time.
    public var maximumConnectionsPerHost: Int
    /// The certificates to trust in place of libcurl's own.
    public var certificates: CertificateStore
    /// The URL of the proxy to use, the empty text for none; nil for what the environment says, by the rules
    /// of the `curl` command. Nothing on this machine is asked for through a proxy.
    public var proxy: String?
    /// Whether HTTP/2 is used with libcurl below 8.1.0 too: for tests of what doesn't depend on its
    /// defects.
    var usesHTTP2BelowMinimum = false

    /// Creates a configuration; by default 8 connections to a host, and the certificates and the proxy that
    /// the environment names.
    public init(
      maximumConnectionsPerHost: Int = 8, certificates: CertificateStore = .environment(),
      proxy: String? = nil
    ) {
      self.maximumConnectionsPerHost = maximumConnectionsPerHost
      self.certificates = certificates
      self.proxy = proxy
    }
  }

  /// The transport that everything in a process can share.
  public static let shared = CurlTransport()

  private let multi: LazyMulti

  /// Creates a transport with connections of its own. Its thread starts with the first request, for
  /// which libcurl is loaded.
  public init(configuration: Configuration = Configuration()) {
    multi = LazyMulti(configuration: configuration)
  }

  /// Loads libcurl now, on the calling thread, for a program that knows that a request will come.
  ///
  /// As long as that is the only thread, it takes half of the processor time: some thirty libraries are
  /// mapped and written into, and each page of that interrupts every processor that runs another thread. A
  /// failure is thrown by the first request.
  public static func loadLibrary() {
    CurlLibrary.loadNow()
  }

  /// Initialises libcurl now, on the calling thread, when it is loaded: for a program whose first thread has
  /// nothing else to do. Otherwise the first request does it, on a thread of its own.
  public static func initializeLibrary() {
    CurlLibrary.initializeNow()
  }

  /// Returns the names and versions of the libcurl that is loaded and of what it uses, such as
  /// `libcurl/8.14.1 OpenSSL/3.5.1 zlib/1.3.1`
  /// ([libcurl's manual](https://curl.se/libcurl/c/curl_version.html)).
  ///
  /// - Throws: ``HTTPTargets/NetworkError`` when libcurl can't be loaded.
  public static func libraryVersion() async throws(NetworkError) -> String {
    try await CurlLibrary.waitUntilLoaded()
    return String(cString: ccurl_version())
  }

  /// Sends a request and returns as soon as the head of the answer is in.
  public func send(_ request: Request) async throws(NetworkError) -> TransportReply {
    try await reply(to: request, onSent: nil)
  }

  /// Sends a request, tells meanwhile how much of its body the system has taken, and returns as soon as
  /// the head of the answer is in.
  public func send(
    _ request: Request, onSent: @escaping SentObserver
  ) async throws(NetworkError) -> TransportReply {
    try await reply(to: request, onSent: onSent)
  }

  private func reply(
    to request: Request, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    guard request.origin != nil else {
      throw NetworkError(
        .requestMapping, "“\(request)” can't be requested: it is not an http or https URL")
    }
    let multi = try await multi.value()
    let exchange = Exchange()
    let reader = ExchangeReader(exchange: exchange, multi: multi)
    let head = await withTaskCancellationHandler {
      await multi.head(of: request, exchange, onSent: onSent)
    } onCancel: {
      reader.cancel()
    }
    let (status, headers) = try head.get()
    return TransportReply(
      status: status, headers: headers,
      body: ResponseBody(maximumSize: request.maximumBodySize) { () async throws(NetworkError) in
        try await reader.next()
      })
  }
}

extension CurlTransport {
  /// Makes the multi handle when the first request needs it: a process that answers everything from stubs
  /// never loads libcurl.
  private final class LazyMulti: Sendable {
    private let configuration: Configuration
    private let made = Locked<CurlMulti?>(nil)

    init(configuration: Configuration) {
      self.configuration = configuration
    }

    func value() async throws(NetworkError) -> CurlMulti {
      if let made = made.withLock({ $0 }) { return made }
      try await CurlLibrary.waitUntilLoaded()
      return try made.withLock { made throws(NetworkError) in
        if let made { return made }
        let multi = try CurlMulti(configuration: configuration)
        made = multi
        return multi
      }
    }
  }
}

extension Provider {
  /// Creates a provider over the shared ``CurlTransport``.
  ///
  /// Where an API has an initializer of its own for its target, as GitHub's has, that one is meant by
  /// the same arguments: it knows the API's errors.
  ///
  /// - Parameters:
  ///   - stubClosure: Tells which targets are answered from their samples; none unless said otherwise.
  ///   - plugins: Observers and adjusters, in order.
  ///   - interceptors: What wraps a request; the first is outermost.
  @_disfavoredOverload
  public init(
    stubClosure: @escaping StubClosure = { _ in .never }, plugins: [any Plugin] = [],
    interceptors: [any Interceptor] = []
  ) {
    self.init(
      stubClosure: stubClosure, plugins: plugins, interceptors: interceptors,
      transport: CurlTransport.shared)
  }
}
