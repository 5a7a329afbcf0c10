internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import HTTPTypes

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// Connects the session's callbacks to the tasks that wait for a response.
final class SessionExchange: Sendable {
  /// The number of unread bytes at which the session's task is suspended. On Linux it is never suspended, because
  /// Foundation doesn't always stop the transfer, and counts the pause toward the idle timeout.
  #if canImport(FoundationNetworking)
    static let highWaterMark = Int.max
  #else
    static let highWaterMark = 256 << 10
  #endif

  private struct State: Sendable {
    var head: (status: HTTPResponse.Status, headers: HTTPFields)?
    var buffer = Data()
    /// The number of bytes of the body so far.
    var size = 0
    var isSuspended = false
    /// The result of the transfer; nil while it runs.
    var end: Result<Void, NetworkError>?
    var task: URLSessionTask?
    var deadline: Task<Void, Never>?
  }

  private let request: TargetRequest
  private let onSent: Transport.SentObserver?
  private let state = Watched(State())

  init(_ request: TargetRequest, _ onSent: Transport.SentObserver?) {
    self.request = request
    self.onSent = onSent
  }

  func start(_ task: URLSessionTask) {
    let deadline = request.timeouts.total.map { total in
      Task { [weak self] in
        guard (try? await Task.sleep(for: total)) != nil else { return }
        self?.end(.failure(self?.timedOut(.total) ?? .cancelled))
      }
    }
    state.update {
      $0.task = task
      $0.deadline = deadline
    }
    task.resume()
  }

  func sent(_ bytes: Int) { onSent?(bytes) }

  func publish(_ response: HTTPURLResponse) {
    // On Linux, this method also receives interim heads before the final one.
    guard response.statusCode >= 200 || response.statusCode == 101 else { return }
    var headers = HTTPFields()
    // Sorted, because a dictionary has no order.
    let fields = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }.sorted { $0 < $1 }
    for (name, value) in fields {
      if let name = HTTPField.Name(name) {
        headers.append(HTTPField(name: name, lenientValue: Array(value.utf8)))
      }
    }
    let head = (HTTPResponse.Status(code: response.statusCode), headers)
    state.update { if $0.head == nil { $0.head = head } }
  }

  func append(_ data: Data, of task: URLSessionTask) {
    let suspends = state.update { state in
      // The reader detects the first byte beyond the limit. On Linux, the transfer continues after it.
      guard state.end == nil, state.size <= request.maximumBodySize else { return false }
      state.size += data.count
      state.buffer.append(data)
      guard state.buffer.count >= Self.highWaterMark, !state.isSuspended else { return false }
      state.isSuspended = true
      return true
    }
    if suspends { task.suspend() }
  }

  func finish(_ error: (any Error)?) {
    end(error.map { .failure(failure($0)) } ?? .success(()))
  }

  /// Ends the exchange, and the session's task if it still runs.
  func end(_ result: Result<Void, NetworkError>) {
    let (task, deadline) = state.update { state -> (URLSessionTask?, Task<Void, Never>?) in
      guard state.end == nil else { return (nil, nil) }
      state.end = result
      if case .failure = result { state.buffer = Data() }
      defer { (state.task, state.deadline) = (nil, nil) }
      return (state.task, state.deadline)
    }
    deadline?.cancel()
    if case .failure = result { task?.cancel() }
  }

  func head() async throws(NetworkError) -> (status: HTTPResponse.Status, headers: HTTPFields) {
    await state.wait { $0.head != nil || $0.end != nil }
    if Task.isCancelled { end(.failure(.cancelled)) }
    let (head, end) = state.read { ($0.head, $0.end) }
    if case .failure(let error) = end, head == nil || Task.isCancelled { throw error }
    guard let head else {
      throw .transport(
        TransportFailure(.malformedResponse, code: 0), "the answer from \(host) isn't valid HTTP")
    }
    return head
  }

  /// Returns the next bytes; nil at the end.
  func next() async throws(NetworkError) -> Data? {
    await state.wait { !$0.buffer.isEmpty || $0.end != nil }
    if Task.isCancelled { end(.failure(.cancelled)) }
    let (bytes, end, suspended) = state.update {
      state -> (Data, Result<Void, NetworkError>?, URLSessionTask?) in
      defer {
        state.buffer = Data()
        state.isSuspended = false
      }
      return (state.buffer, state.end, state.isSuspended ? state.task : nil)
    }
    suspended?.resume()
    guard bytes.isEmpty else { return bytes }
    try end?.get()
    return nil
  }

  private var host: String { request.origin.map { "\($0)" } ?? "the server" }

  private func timedOut(_ phase: NetworkError.TimedOutPhase) -> NetworkError {
    switch phase {
    case .connect, .idle: .timedOut(phase, "\(host) sent nothing for \(request.timeouts.idle)")
    case .total:
      .timedOut(.total, "\(host) took longer than \(request.timeouts.total ?? .zero) to answer")
    }
  }

  private func failure(_ error: any Error) -> NetworkError {
    guard let error = error as? URLError else {
      return NetworkError(.transport, "the request to \(host) failed", underlying: error)
    }
    let hasHead = state.read { $0.head != nil }
    let (reason, words): (TransportFailure.Reason, String)
    switch error.code {
    case .timedOut: return timedOut(.idle)
    case .cancelled: return .cancelled
    case .cannotFindHost, .dnsLookupFailed:
      (reason, words) = (.nameLookup, "the name of \(host) can't be resolved")
    case .cannotConnectToHost, .notConnectedToInternet:
      (reason, words) = (.connection, "no connection to \(host)")
    case .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      (reason, words) = (.certificate, "the certificate of \(host) isn't trusted")
    case .secureConnectionFailed: (reason, words) = (.tls, "no secure connection to \(host)")
    case .cannotDecodeContentData, .cannotDecodeRawData:
      (reason, words) = (.contentEncoding, "the answer from \(host) can't be decompressed")
    case .badServerResponse, .cannotParseResponse:
      (reason, words) = (.malformedResponse, "the answer from \(host) isn't valid HTTP")
    default:
      // On Linux, most failures have the code “unknown”. After the head, the cause is a broken connection.
      (reason, words) =
        error.code == .networkConnectionLost || hasHead
        ? (.interrupted, "the connection to \(host) broke")
        : (.other, "the request to \(host) failed")
    }
    var failure = NetworkError.transport(TransportFailure(reason, code: error.errorCode), words)
    failure.underlying = error
    return failure
  }
}

/// The reading end of a body. The exchange ends when the reader is released.
final class SessionReader: Sendable {
  private let exchange: SessionExchange

  init(_ exchange: SessionExchange) { self.exchange = exchange }

  deinit { exchange.end(.failure(.cancelled)) }

  func head() async throws(NetworkError) -> (status: HTTPResponse.Status, headers: HTTPFields) {
    try await exchange.head()
  }

  func next() async throws(NetworkError) -> Data? { try await exchange.next() }
}
