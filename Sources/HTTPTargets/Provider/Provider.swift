internal import ConcurrencyPrimitives
public import HTTPTypes
public import PlatformModules

/// Creates requests from targets, and sends them or returns samples, through plugins and interceptors.
///
/// ```swift
/// let provider = Provider<Zoo>(transport: CurlTransport.shared)
/// let response = try await provider.request(.animal(name: "giraffe"))
/// ```
///
/// A call runs the endpoint closure, the stub closure, the request closure, the ``Plugin/Prepare`` of each plugin, and
/// a check. If one of these fails, the request isn't sent. Each attempt runs the interceptors, the check again,
/// ``Plugin/WillSend``, the transport and ``Plugin/DidReceive``. Validation and ``Plugin/Process`` follow. Each call
/// has exactly one outcome.
///
/// The check fails with ``NetworkError/Code/requestMapping`` for a URL that isn't http or https; for a body with
/// `HEAD`, or with `GET` unless the task allows it (``HTTPTask/allowingGET()``); and for fields that the transport sets
/// (`Host`, `Content-Length`, `Transfer-Encoding`, `Connection` and related fields).
///
/// An error that a closure or an interceptor throws ends the call as a ``NetworkError``: see
/// ``NetworkError/Code/underlying``.
///
/// A provider is a value, so it can't be released while its calls are running.
public struct Provider<Target: TargetType>: Sendable {
  /// Creates the endpoint of a target.
  public typealias EndpointClosure = @Sendable (Target) throws -> Endpoint
  /// Creates the request of an endpoint.
  public typealias RequestClosure = @Sendable (Endpoint) async throws -> TargetRequest
  /// Decides whether a target gets its sample instead of a response from the network.
  public typealias StubClosure = @Sendable (Target) -> StubBehavior
  /// Creates the decoder of ``value(of:as:at:adding:)``, for each value.
  public typealias DecoderClosure = @Sendable () -> JSONDecoder
  /// Receives the head of a response before its body.
  public typealias HeadObserver = @Sendable (TargetResponse) -> Void

  let endpointClosure: EndpointClosure
  let requestClosure: RequestClosure
  let stubClosure: StubClosure
  private(set) var plugins: [Plugin]
  let interceptors: [any Interceptor]
  let redirects: RedirectInterceptor?
  let transport: any Transport
  let clock: any Clock<Duration>
  let decoder: DecoderClosure
  /// What the code of an API that sends several requests must know about the server.
  package var context: (any Sendable)?
  private let stubAttempts = AttemptCounter()

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - endpointClosure: Creates endpoints. Use it to replace the host, add header fields or change samples.
  ///   - requestClosure: Creates requests.
  ///   - stubClosure: Decides whether a target gets its sample; by default it doesn't.
  ///   - plugins: The plugins, in order.
  ///   - interceptors: The interceptors around the transport, outermost first.
  ///   - redirects: The innermost interceptor, which follows redirects without showing them to the others; nil to
  ///     return redirects as responses.
  ///   - transport: The transport that sends the requests.
  ///   - clock: The clock for delays and timings.
  ///   - decoder: Creates the decoder of the API's values.
  public init(
    endpointClosure: @escaping EndpointClosure = { try Endpoint($0) },
    requestClosure: @escaping RequestClosure = { try $0.request() },
    stubClosure: @escaping StubClosure = { _ in .never },
    plugins: [Plugin] = [],
    interceptors: [any Interceptor] = [],
    redirects: RedirectInterceptor? = RedirectInterceptor(),
    transport: any Transport,
    clock: any Clock<Duration> = ContinuousClock(),
    decoder: @escaping DecoderClosure = { JSONDecoder() }
  ) {
    self.endpointClosure = endpointClosure
    self.requestClosure = requestClosure
    self.stubClosure = stubClosure
    self.plugins = plugins
    self.interceptors = interceptors
    self.redirects = redirects
    self.transport = transport
    self.clock = clock
    self.decoder = decoder
  }

  /// Returns the provider with an additional plugin at the end of the list.
  package func adding(_ plugin: Plugin) -> Provider {
    var provider = self
    provider.plugins.append(plugin)
    return provider
  }

  /// Calls a target.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - headers: Header fields for this call only. They replace the target's fields of the same name.
  ///   - onHead: Receives the head of a valid response before the body is read. It doesn't receive followed redirects.
  ///     With retries, it can receive several heads.
  /// - Returns: The response, which passed the target's validation.
  /// - Throws: ``NetworkError``. When the task is canceled, its code is `cancelled`, and it is thrown without delay.
  public func request(
    _ target: Target, adding headers: HTTPFields = [:], onHead: HeadObserver? = nil
  ) async throws(NetworkError) -> TargetResponse {
    try await outcome(of: target, adding: headers, onHead: onHead)
  }

  /// Calls a target, and decodes the JSON of the response with the provider's decoder.
  ///
  /// ```swift
  /// let animal = try await provider.value(of: .animal(name: "giraffe"), as: Animal.self)
  /// ```
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - type: The type to decode.
  ///   - keyPath: The names of the nested keys that lead to the value, joined by dots; empty for the whole body.
  ///   - headers: Header fields for this call only. They replace the target's fields of the same name.
  /// - Returns: The value.
  /// - Throws: The errors of ``request(_:adding:onHead:)``, and of
  ///   ``TargetResponse/decode(_:at:using:allowsEmptyBody:)``.
  public func value<Value: Decodable>(
    of target: Target, as type: Value.Type = Value.self, at keyPath: String = "",
    adding headers: HTTPFields = [:]
  ) async throws(NetworkError) -> Value {
    try await outcome(of: target, adding: headers).decode(type, at: keyPath, using: decoder())
  }

  func outcome(
    of target: Target, adding headers: HTTPFields = [:], streams: Bool = false,
    onHead: HeadObserver? = nil, onProgress: TransferProgress.Observer? = nil
  ) async throws(NetworkError) -> TargetResponse {
    let outcome: Result<TargetResponse, NetworkError>
    do throws(NetworkError) {
      let attempt = try await prepare(
        target, adding: headers, streams: streams, onHead: onHead, onProgress: onProgress)
      do throws(NetworkError) {
        let response = try await Self.pass(
          attempt.request, through: interceptors[...], redirects, to: attempt)
        outcome = attempt.validated(response)
      } catch {
        outcome = .failure(attempt.counted(error))
      }
      await attempt.download?.close()
    } catch {
      outcome = .failure(error.beforeSending)
    }
    return try conclude(outcome, of: target)
  }

  @inline(never)
  private func conclude(
    _ outcome: Result<TargetResponse, NetworkError>, of target: Target
  ) throws(NetworkError) -> TargetResponse {
    try plugins.process(outcome, of: target).get()
  }

  /// Performs all steps before the first interceptor. It is a separate function, so that its variables aren't kept
  /// while the call waits.
  private func prepare(
    _ target: Target, adding headers: HTTPFields, streams: Bool, onHead: HeadObserver?,
    onProgress: TransferProgress.Observer?
  ) async throws(NetworkError) -> Attempt {
    let endpoint = try endpoint(of: target, adding: headers, streams: streams)
    let transport = transport(for: target, endpoint)
    var request = try await request(for: endpoint)
    if !plugins.isEmpty { request = try await plugins.prepare(request, for: target) }
    return try attempt(
      of: target, request, through: transport, to: endpoint.task.destination, streams: streams,
      onHead: onHead, onProgress: onProgress)
  }

  private func attempt(
    of target: Target, _ request: TargetRequest, through transport: any Transport,
    to destination: DownloadDestination?, streams: Bool, onHead: HeadObserver?,
    onProgress: TransferProgress.Observer?
  ) throws(NetworkError) -> Attempt {
    let problem =
      streams && destination != nil ? "a download to a file doesn't stream" : request.problem()
    if let problem {
      throw .unsendable(request, problem)
    }
    guard !Task.isCancelled else { throw .cancelled }
    return Attempt(
      request,
      call: TargetCall(
        target: target, clock: clock,
        delivery: streams ? .stream : destination == nil ? .whole : .file, onHead: onHead),
      transport: transport, plugins: plugins,
      followsRedirects: redirects != nil,
      download: destination.map { Download(to: $0, from: request.url) }, onProgress: onProgress)
  }

  private static func pass(
    _ request: TargetRequest, through interceptors: ArraySlice<any Interceptor>,
    _ redirects: RedirectInterceptor?, to attempt: Attempt
  ) async throws(NetworkError) -> TargetResponse {
    if let outermost = interceptors.first {
      return try await pass(
        request, through: outermost, and: interceptors.dropFirst(), redirects, to: attempt)
    }
    guard let redirects else { return try await attempt.send(request) }
    return try await redirects.intercept(request) { request async throws(NetworkError) in
      try await attempt.send(request)
    }
  }

  @inline(never)
  private static func pass(
    _ request: TargetRequest, through outermost: any Interceptor,
    and others: ArraySlice<any Interceptor>, _ redirects: RedirectInterceptor?, to attempt: Attempt
  ) async throws(NetworkError) -> TargetResponse {
    do {
      return try await outermost.intercept(request, call: attempt.call) {
        request async throws(NetworkError) in
        try await pass(request, through: others, redirects, to: attempt)
      }
    } catch {
      throw NetworkError(caught: error, with: request)
    }
  }

  private func endpoint(
    of target: Target, adding headers: HTTPFields, streams: Bool
  ) throws(NetworkError) -> Endpoint {
    var endpoint: Endpoint
    do {
      endpoint = try endpointClosure(target)
    } catch {
      throw NetworkError(caught: error)
    }
    if !headers.isEmpty { endpoint = endpoint.adding(headers: headers) }
    if streams { endpoint.maximumBodySize = endpoint.maximumBodySize ?? .max }
    return endpoint
  }

  private func request(for endpoint: Endpoint) async throws(NetworkError) -> TargetRequest {
    do {
      return try await requestClosure(endpoint)
    } catch {
      throw NetworkError(caught: error)
    }
  }

  private func transport(for target: Target, _ endpoint: Endpoint) -> any Transport {
    let delay: Duration?
    switch stubClosure(target) {
    case .never: return transport
    case .immediate: delay = nil
    case .delayed(let duration): delay = duration
    }
    let query = QueryItem.encode(endpoint.task.query)
    let key = "\(endpoint.method.rawValue) \(endpoint.url) \(query)"
    return StubTransport(endpoint.sample(), delay: delay, clock: clock) { [stubAttempts] in
      stubAttempts.next(for: key)
    }
  }
}

/// Sends the requests of a call through the transport, and reports them to the plugins.
final class Attempt: Sendable {
  let call: TargetCall
  /// The request at the start of the call.
  let request: TargetRequest
  let download: Download?
  private let transport: any Transport
  private let plugins: [Plugin]
  private let followsRedirects: Bool
  let onProgress: TransferProgress.Observer?
  private let progress = Locked(Progress())

  private struct Progress: Sendable {
    var count = 0
    /// Whether a server may have received any part of the request.
    var hasLeft = false
  }

  init(
    _ request: TargetRequest, call: TargetCall, transport: any Transport, plugins: [Plugin],
    followsRedirects: Bool, download: Download?, onProgress: TransferProgress.Observer?
  ) {
    self.request = request
    self.call = call
    self.transport = transport
    self.plugins = plugins
    self.followsRedirects = followsRedirects
    self.download = download
    self.onProgress = onProgress
  }

  func validated(
    _ response: consuming TargetResponse
  ) -> Result<TargetResponse, NetworkError> {
    response.attempts = progress.withLock { $0.count }
    return call.target.policy.validation.accepts(response.status)
      ? .success(response) : .failure(response.unexpectedStatus())
  }

  func counted(_ error: NetworkError) -> NetworkError {
    var error = error
    let progress = progress.withLock { $0 }
    error.attempts = progress.count
    if !progress.hasLeft {
      error.bytesSent = 0
    } else if error.bytesSent == 0 {
      // The number describes only the last attempt, or another call, such as the refresh of a token.
      error.bytesSent = nil
    }
    return error
  }

  func send(_ request: TargetRequest) async throws(NetworkError) -> TargetResponse {
    guard let download else { return try await sendOnce(request) }
    try await download.begin()
    let result: Result<TargetResponse, NetworkError>
    do throws(NetworkError) {
      let response = try await sendOnce(try await download.request(request))
      // Sent again if the server no longer has the version of the partial file.
      result = .success(
        await download.isToBeAskedAgain
          ? try await sendOnce(try await download.request(request)) : response)
    } catch {
      result = .failure(error)
    }
    await download.end()
    return try result.get()
  }

  private func sendOnce(_ request: TargetRequest) async throws(NetworkError) -> TargetResponse {
    let hadLeft = try begin(request)
    let result: Result<TargetResponse, NetworkError>
    do throws(NetworkError) {
      result = .success(try await exchange(request))
    } catch {
      result = .failure(failed(error, hadLeft: hadLeft))
    }
    for plugin in plugins { plugin.didReceive?(result, call.target) }
    return try result.get()
  }

  @inline(never)
  private func begin(_ request: TargetRequest) throws(NetworkError) -> Bool {
    // Checked again if interceptors have changed it.
    if !request.isSame(as: self.request), let problem = request.problem() {
      throw .unsendable(request, problem)
    }
    let hadLeft = progress.withLock { progress in
      defer { progress.hasLeft = true }
      progress.count += 1
      return progress.hasLeft
    }
    for plugin in plugins { plugin.willSend?(request, call.target) }
    return hadLeft
  }

  private func failed(_ error: NetworkError, hadLeft: Bool) -> NetworkError {
    var error = error
    if hadLeft {
      error.bytesSent = nil
    } else if error.bytesSent == 0 {
      progress.withLock { $0.hasLeft = false }
    }
    return error
  }

  private func exchange(_ request: TargetRequest) async throws(NetworkError) -> TargetResponse {
    let elapsed = call.clock.stopwatch()
    let reply = try await transport.send(request, onSent: onSent(request))
    var response = head(of: reply, to: request, at: elapsed())
    try await take(reply.body, into: &response)
    try finish(&response, at: elapsed())
    return response
  }

  @inline(never)
  private func head(
    of reply: TransportReply, to request: TargetRequest, at time: Duration
  ) -> TargetResponse {
    var response = TargetResponse(request: request, status: reply.status, headers: reply.headers)
    response.timings = reply.timings
    response.timings.head = time
    return response
  }

  @inline(never)
  private func finish(_ response: inout TargetResponse, at time: Duration) throws(NetworkError) {
    response.timings.total = time
    if response.file == nil, response.unreadBody == nil, let truncation = response.truncation {
      throw truncation
    }
  }

  private func onSent(_ request: TargetRequest) -> Transport.SentObserver? {
    guard let onProgress, let size = request.body?.size else { return nil }
    return { sent in onProgress(TransferProgress(.sending, completed: sent, expected: size)) }
  }

  private func take(
    _ body: ResponseBody, into response: inout TargetResponse
  ) async throws(NetworkError) {
    // A followed redirect isn't the response, even if the target accepts any status.
    let isAnswer = !(followsRedirects && response.isRedirect)
    if isAnswer, let download,
      let action = try await download.receive(response, validation: call.target.policy.validation)
    {
      response = try await self.download(body, to: download, action, response)
      return
    }
    if isAnswer { call.didReceiveHead(response) }
    let isValid = isAnswer && call.target.policy.validation.accepts(response.status)
    if isValid, call.delivery == .stream {
      response.unreadBody = body
    } else {
      // Invalid bodies of downloads and streams go into memory, so the size limit of a file doesn't apply.
      response.body = try await body.collect(
        atMost: call.delivery == .whole ? .max : TargetRequest.defaultMaximumBodySize,
        expected: response.expectedSize,
        onCount: isValid ? onReceived(response) : nil)
    }
  }

  private func onReceived(_ response: TargetResponse) -> ((Int) -> Void)? {
    guard let onProgress else { return nil }
    let expected = response.expectedSize
    return { onProgress(TransferProgress(.receiving, completed: $0, expected: expected)) }
  }
}

extension Provider {
  /// Calls a target, and returns as soon as the head of a valid response arrives.
  ///
  /// The call uses plugins, stubs, interceptors and redirects like any other call. For a valid response,
  /// ``Plugin/DidReceive`` and ``Plugin/Process`` run when its head arrives, with an empty body. An invalid response is
  /// collected and thrown as usual.
  ///
  /// A streamed body has no size limit unless ``Endpoint/maximumBodySize`` sets one. The target's ``Timeouts/total``
  /// includes the last byte of the body, so a slow reader may need a longer timeout.
  ///
  /// - Parameters:
  ///   - target: The target. It can't be a download.
  ///   - headers: Header fields for this call only. They replace the target's fields of the same name.
  /// - Returns: The response, with its body still arriving.
  /// - Throws: ``NetworkError``. When the task is canceled, its code is `cancelled`, and it is thrown without delay.
  public func stream(
    _ target: Target, adding headers: HTTPFields = [:]
  ) async throws(NetworkError) -> StreamedResponse {
    StreamedResponse(try await outcome(of: target, adding: headers, streams: true))
  }

  /// Calls a target for each iterator, and returns the progress of the call and then its response.
  ///
  /// ```swift
  /// for try await event in provider.events(.photo(id: 7)) {
  ///   switch event {
  ///   case .progress(let progress): bar.show(progress.fractionCompleted)
  ///   case .completed(let response): show(response.body)
  ///   }
  /// }
  /// ```
  ///
  /// A slow reader doesn't delay the call: it misses older progress, but never the response. A failure of the call ends
  /// the events. The call is canceled when its iterator is released or the waiting task is canceled.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - headers: Header fields for this call only. They replace the target's fields of the same name.
  /// - Returns: The events.
  public func events(_ target: Target, adding headers: HTTPFields = [:]) -> CallEvents {
    CallEvents { onProgress async throws(NetworkError) in
      try await outcome(of: target, adding: headers, onProgress: onProgress)
    }
  }
}

extension Clock where Duration == Swift.Duration {
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
