/// How often, and after which waits, a request that failed is sent again.
///
/// The waits grow exponentially, with full jitter: each is drawn from zero to a bound that doubles, so
/// that the clients of a server that comes back don't all ask in the same moment
/// (<https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>).
public struct RetryPolicy: Sendable, Hashable {
  /// How often a request is sent again at most; 0 for never.
  public var maximumRetries: Int
  /// The longest wait before the first retry; it doubles with each one after.
  public var baseDelay: Duration
  /// What the longest wait doesn't grow beyond.
  public var maximumDelay: Duration
  /// For how long after the first failure retries are begun.
  ///
  /// It counts from the failure, not from the start: what a request that was given up after 30 s of
  /// silence took is no reason not to try once more. A retry that has begun has the time that
  /// ``Timeouts`` gives it.
  public var timeBudget: Duration

  /// Creates a policy; by default 3 retries within 30 s, after up to 0.5, 1 and 2 s. With more retries
  /// the waits grow up to 8 s.
  public init(
    maximumRetries: Int = 3, baseDelay: Duration = .milliseconds(500),
    maximumDelay: Duration = .seconds(8), timeBudget: Duration = .seconds(30)
  ) {
    self.maximumRetries = maximumRetries
    self.baseDelay = baseDelay
    self.maximumDelay = maximumDelay
    self.timeBudget = timeBudget
  }

  /// The longest wait, in seconds, before a retry that has so many before it.
  func longestDelay(beforeRetry index: Int) -> Double {
    let base = max(baseDelay / .seconds(1), 0)
    let cap = max(maximumDelay / .seconds(1), 0)
    // An infinite factor of nothing is no number.
    guard base > 0 else { return 0 }
    return min(cap, base * Double(sign: .plus, exponent: index, significand: 1))
  }
}
