internal import Locking

/// The innermost step of a call: one request through the transport, seen by the plugins.
struct Attempt: Sendable {
  let call: Call
  let transport: any Transport
  let plugins: [any Plugin]
  let followsRedirects: Bool
  let count = Locked(0)

  func send(_ request: Request) async throws(NetworkError) -> Response {
    count.withLock { $0 += 1 }
    for plugin in plugins { plugin.willSend(request, target: call.target) }
    let result: Result<Response, NetworkError>
    do throws(NetworkError) {
      result = .success(try await exchange(request))
    } catch {
      result = .failure(error)
    }
    for plugin in plugins { plugin.didReceive(result, target: call.target) }
    return try result.get()
  }

  private func exchange(_ request: Request) async throws(NetworkError) -> Response {
    let elapsed = call.clock.stopwatch()
    let reply = try await transport.send(request)
    var timings = Response.Timings()
    timings.head = elapsed()
    var response = Response(request: request, status: reply.status, headers: reply.headers)
    // A redirect that is followed isn't the answer, even to a target that takes any status.
    if !(followsRedirects && response.isRedirect) { call.didReceiveHead(response) }
    response.body = try await reply.body.collect()
    timings.total = elapsed()
    response.timings = timings
    if let truncation = response.truncation { throw truncation }
    return response
  }
}

extension Clock where Duration == Swift.Duration {
  /// Starts measuring; the closure returns the time since.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
