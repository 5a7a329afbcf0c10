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
/// On Linux, where `TransportConformance` tries it, Foundation has these weaknesses:
///
/// - Trailers after a body in chunks end the process: “Transfer completed, but there's no response”.
/// - A sender isn't slowed down while the body isn't read. Up to ``/HTTPTargets/TargetRequest/maximumBodySize`` bytes
///   wait in memory.
/// - A request that must arrive once gets a connection of its own, because Foundation sends it again when a kept
///   connection breaks.
/// - Most failures have the code `unknown`.
///
/// Everywhere:
///
/// - Files and streams of a request's body are read into memory first.
/// - Fields come sorted by name, and values of one name joined by commas, `Set-Cookie` too.
/// - ``/HTTPTargets/Timeouts/connect`` isn't used: connecting counts as silence, and ends with
///   ``/HTTPTargets/Timeouts/idle``.
/// - ``/HTTPTargets/NetworkError/bytesSent`` isn't known.
///
/// This package's checks run on Linux only: this transport hasn't been tested on Apple's platforms yet.
public struct URLSessionTransport: Transport {
  /// The transport that a whole process can share.
  public static let shared = URLSessionTransport()

  private let connections: SessionConnections

  /// Creates a transport with its own connections.
  ///
  /// - Parameter maximumConnectionsPerHost: The most connections to one host at a time.
  public init(maximumConnectionsPerHost: Int = 8) {
    connections = SessionConnections(maximumConnectionsPerHost: maximumConnectionsPerHost)
  }

  /// Sends a request, reports how much of its body was sent, and returns as soon as a head arrives.
  public func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    let exchange = SessionExchange(request, onSent)
    let body = try await request.body?.collect()
    // Before anything is sent: a task that is created runs on its own.
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
      // On a connection that breaks when it is used again, Foundation would send the request twice.
      if request.idempotency == .once { return SessionConnections(maximumConnectionsPerHost: 1) }
    #endif
    return connections
  }
}

/// A session, which ends with its last owner.
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

  // A session keeps its delegate until it is invalidated.
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

/// Passes the session's callbacks, which come one at a time, to the exchange of each task.
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
      // Here the response is complete. Any disposition without credentials would make it an error.
      exchange(of: task)?.finish(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      // The check of the server's certificate arrives here too.
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
    // A redirect's head arrives with no other callback.
    if let response = task.response as? HTTPURLResponse, error == nil {
      exchange?.publish(response)
    }
    exchange?.finish(error)
  }
}
