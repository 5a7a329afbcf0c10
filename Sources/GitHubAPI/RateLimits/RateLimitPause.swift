#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A time in which requests wait, told to who shows it: see
/// ``RateLimitInterceptor/init(maximumWait:maximumInFlight:pointsPerMinute:now:onWait:)``.
///
/// Each begins once and ends once; in between it may be told to last longer. Many requests can wait in one.
public struct RateLimitPause: Sendable, Hashable {
  /// What is told of it.
  public enum Phase: Sendable, Hashable {
    /// A request has begun to wait.
    case began
    /// It lasts longer than was told before.
    case extended
    /// Nobody waits any more.
    case ended
  }

  /// Why requests wait.
  public enum Reason: Sendable, Hashable {
    /// The server's quota is used up.
    case primaryLimit
    /// The server asked to slow down.
    case secondaryLimit
    /// As many requests were sent in a minute as the server allows; it has refused none.
    case pacing
  }

  /// What is told.
  public var phase: Phase
  /// Why requests wait.
  public var reason: Reason
  /// The quota that is used up, such as `core` or `search`; nil when all requests wait.
  public var resource: String?
  /// How long from now on; zero at the end.
  public var duration: Duration
  /// When it ends, by the local clock.
  public var until: Date

  /// Creates a pause.
  public init(
    _ phase: Phase, _ reason: Reason, resource: String? = nil, duration: Duration, until: Date
  ) {
    self.phase = phase
    self.reason = reason
    self.resource = resource
    self.duration = duration
    self.until = until
  }
}
