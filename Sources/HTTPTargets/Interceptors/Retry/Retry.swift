/// A request that is about to be sent again: what a status line tells.
public struct Retry: Sendable {
  /// Which retry of the call it is, from 1.
  public var number: Int
  /// How many there are at most.
  public var maximum: Int
  /// The wait before it.
  public var delay: Duration
  /// What went wrong the time before.
  public var reason: RetryReason
  /// What is sent again.
  public var request: Request
}
