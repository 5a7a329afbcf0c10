/// The innermost step of a call: one request through the transport, seen by the plugins.
struct Attempt: Sendable {
  let target: any TargetType
  let transport: any Transport
  let plugins: [any Plugin]
  let clock: any Clock<Duration>
  let onHead: (@Sendable (Response) -> Void)?
  let count = AttemptCounter()

  func send(_ request: Request) async throws(NetworkError) -> Response {
    count.next()
    for plugin in plugins { plugin.willSend(request, target: target) }
    let result: Result<Response, NetworkError>
    do throws(NetworkError) {
      result = .success(try await exchange(request))
    } catch {
      result = .failure(error)
    }
    for plugin in plugins { plugin.didReceive(result, target: target) }
    return try result.get()
  }

  private func exchange(_ request: Request) async throws(NetworkError) -> Response {
    let elapsed = clock.stopwatch()
    let reply = try await transport.send(request)
    var timings = Response.Timings()
    timings.head = elapsed()
    var response = Response(request: request, status: reply.status, headers: reply.headers)
    if target.validation.accepts(reply.status) { onHead?(response) }
    response.body = try await reply.body.collect()
    timings.total = elapsed()
    response.timings = timings
    return response
  }
}

extension Clock where Duration == Swift.Duration {
  /// Starts measuring; the closure returns the time since.
  fileprivate func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
