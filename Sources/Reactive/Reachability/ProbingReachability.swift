/// A reachability that finds out by itself when what failed can be reached again.
///
/// ```swift
/// let reachability = ProbingReachability { await isAnswering(host) }
/// ```
///
/// - While nobody reports a failure it does nothing at all.
/// - After a failure it probes when the shortest pause is over, and after each probe in vain waits twice
///   as long, up to the longest pause.
/// - It probes only while somebody waits or watches ``changes``, once for all of them. When the last one
///   leaves, the probe under way is cancelled; for the next one the pauses go on where they were, so
///   that many short waits don't make many probes.
/// - Dropping it cancels the probe and ends its watchers.
public final class ProbingReachability: Reachability {
  private let prober: Prober

  /// Creates a reachability that starts out reachable.
  ///
  /// - Parameters:
  ///   - pauses: the pause before the first probe, and the longest.
  ///   - clock: measures the pauses.
  ///   - probe: tries to reach it, and returns whether that worked. When its task is cancelled,
  ///     nobody wants to know any more.
  public init(
    pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(),
    probe: @escaping @Sendable () async -> Bool
  ) {
    prober = Prober(pauses: pauses, clock: clock, probe: probe)
  }

  deinit {
    prober.end()
  }

  /// Whether it can be reached, as far as is known.
  public var isReachable: Bool { prober.isReachable.value }

  /// ``isReachable`` as it is, and then each change.
  public var changes: Current<Bool>.Values {
    prober.isReachable.values { [weak prober] in prober?.reconsider() }
  }

  /// Says that it could not be reached. More failures until it is reachable again change nothing.
  public func reportFailure() {
    prober.reportFailure()
  }
}
