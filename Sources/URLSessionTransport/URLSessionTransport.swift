internal import ConcurrencyPrimitives
public import HTTPTargets
internal import HTTPTypes

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// Sends requests with Foundation's `URLSession`, for platforms without libcurl.
///
/// On Linux, where `TransportConformance` checks it, Foundation has these weaknesses:
///
/// - Trailers after a chunked body crash the process: “Transfer completed, but there's no response”.
/// - The sender isn't slowed down while the body isn't being read. Up to ``/HTTPTargets/TargetRequest/maximumBodySize``
///   bytes wait in memory.
/// - A request that must arrive only once gets its own connection, because Foundation sends a request again when a
///   reused connection breaks.
/// - Most failures have the code `unknown`.
///
/// It has these weaknesses on all platforms:
///
/// - Files and streams in the body of a request are read into memory first.
/// - The header fields of a response are sorted by name, and the values of each name are joined by commas, even those
///   of `Set-Cookie`.
/// - ``/HTTPTargets/Timeouts/connect`` isn't used. The time to connect is limited by ``/HTTPTargets/Timeouts/idle``.
/// - ``/HTTPTargets/NetworkError/bytesSent`` is unknown.
///
/// This package is tested only on Linux. This transport hasn't been tested on Apple platforms yet.
public struct URLSessionTransport: Transport {
  /// A transport for the whole process to share.
  public static let shared = URLSessionTransport()

  private let connections: SessionConnections

  /// Creates a transport with its own connections.
  ///
  /// - Parameter maximumConnectionsPerHost: The maximum number of simultaneous connections to one host.
  public init(maximumConnectionsPerHost: Int = 8) {
    connections = SessionConnections(maximumConnectionsPerHost: maximumConnectionsPerHost)
  }

  /// Sends a request, reports the number of body bytes sent, and returns as soon as a head arrives.
  public func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    let exchange = SessionExchange(request, onSent)
    let body = try await request.body?.collect()
    // Checked before anything is sent, because a session task doesn't notice the cancellation of this one.
    guard !Task.isCancelled else { throw .cancelled }
    exchange.start(try connections(for: request).task(for: request, body, exchange))
    let reader = SessionReader(exchange)
    let (status, headers) = try await reader.head()
    return TransportReply(
      status: status, headers: headers,
      body: ResponseBody(maximumSize: request.maximumBodySize) {
        () async throws(NetworkError) in try await reader.next()
      })
  }

  private func connections(for request: TargetRequest) -> SessionConnections {
    #if canImport(FoundationNetworking)
      // Foundation would send the request again if a reused connection breaks.
      if request.idempotency == .once { return SessionConnections(maximumConnectionsPerHost: 1) }
    #endif
    return connections
  }
}

/// Owns a session, which ends when this object is released.
private final class SessionConnections: Sendable {
  private let session: URLSession
  private let delegate = SessionDelegate()

  init(maximumConnectionsPerHost: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  // A session retains its delegate until it is invalidated.
  deinit { session.finishTasksAndInvalidate() }

  func task(
    for request: TargetRequest, _ body: Data?, _ exchange: SessionExchange
  ) throws(NetworkError) -> URLSessionDataTask {
    guard request.origin != nil, let url = URL(string: request.url) else {
      throw NetworkError(
        .requestMapping, "“\(request)” can't be requested: it is not an http or https URL")
    }
    var message = URLRequest(url: url)
    message.httpMethod = request.method.rawValue
    message.timeoutInterval = request.timeouts.idle / .seconds(1)
    message.httpShouldHandleCookies = false
    for field in request.headers {
      message.addValue(field.value, forHTTPHeaderField: field.name.rawName)
    }
    let task: URLSessionDataTask
    if let body {
      task = session.uploadTask(with: message, from: body)
    } else {
      task = session.dataTask(with: message)
    }
    delegate.add(exchange, for: task)
    return task
  }
}

/// Passes the session's callbacks to the exchange of each task. The session calls one at a time.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
  private let exchanges = Locked<[Int: SessionExchange]>([:])

  func add(_ exchange: SessionExchange, for task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  private func exchange(of task: URLSessionTask) -> SessionExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // The response is complete here. Any disposition without credentials would turn it into an error.
      exchange(of: task)?.finish(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      // The check of the server's certificate also calls this method.
      let isServerTrust =
        challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
      completionHandler(isServerTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    exchange(of: task)?.sent(Int(totalBytesSent))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse { exchange(of: dataTask)?.publish(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.append(data, of: dataTask)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    // The head of a redirect arrives only in this callback.
    if let response = task.response as? HTTPURLResponse, error == nil {
      exchange?.publish(response)
    }
    exchange?.finish(error)
  }
}
