public import Reactive

extension FeedbackLoop {
  /// Runs the loop for a test under a probe that can't be forgotten to finish.
  ///
  /// ```swift
  /// try await search.probed { probe in
  ///   try await probe.expect(.state(Search()))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - patience: how long the probe waits for what is expected before it gives up.
  ///   - clock: measures the patience only.
  ///   - isolation: where the test runs.
  ///   - test: looks at all that happens.
  /// - Returns: what the test returns.
  /// - Throws: what the test throws, else what ``Probe/finish()`` does.
  public func probed<Result>(
    patience: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation,
    _ test: (Probe<State, Event>) async throws -> Result
  ) async throws -> Result {
    let probe = Probe(self, patience: patience, clock: clock)
    let result = try await test(probe)
    try await probe.finish()
    return result
  }
}
