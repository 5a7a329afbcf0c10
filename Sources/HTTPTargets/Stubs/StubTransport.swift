internal import ConcurrencyPrimitives

/// Returns a sample instead of sending requests. Interceptors work with it as with any transport, so you can test them
/// with sample responses and a manual clock.
///
/// It doesn't report the progress of an upload, and ignores the request. For a transport that does both, see
/// <doc:Testing>.
public struct StubTransport: Transport {
  let sample: SampleResponse
  let delay: Duration?
  let clock: any Clock<Duration>
  let attempt: @Sendable () -> Int

  /// Creates a transport that responds to every request with the same sample.
  ///
  /// - Parameters:
  ///   - sample: The responses, in order.
  ///   - delay: The time before each response; nil for none.
  ///   - clock: The clock of the delay.
  public init(
    _ sample: SampleResponse, delay: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    let counter = AttemptCounter()
    self.init(sample, delay: delay, clock: clock) { counter.next() }
  }

  init(
    _ sample: SampleResponse, delay: Duration?, clock: any Clock<Duration>,
    attempt: @escaping @Sendable () -> Int
  ) {
    self.sample = sample
    self.delay = delay
    self.clock = clock
    self.attempt = attempt
  }

  /// Returns the response to a request.
  public func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    do {
      if let delay { try await clock.sleep(for: delay) }
      try Task.checkCancellation()
    } catch {
      throw .cancelled
    }
    switch sample.answer(toAttempt: attempt()) {
    case .failure(let error):
      throw error
    case .response(let status, let headers, let data):
      let body = ResponseBody(data, maximumSize: request.maximumBodySize)
      return TransportReply(status: status, headers: headers, body: body)
    }
  }
}

final class AttemptCounter: Sendable {
  private let counts = Locked<[String: Int]>([:])

  func next(for name: String = "") -> Int {
    counts.withLock { counts in
      defer { counts[name, default: 0] += 1 }
      return counts[name, default: 0]
    }
  }
}
