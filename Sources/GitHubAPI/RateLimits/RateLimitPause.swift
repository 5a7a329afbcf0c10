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

/// What is told of waits for points: of those of a second or more, and once each.
struct PacingNotice: Sendable {
  private static var worthTelling: Duration { .seconds(1) }

  /// The end that was told; nil when none was.
  private var told: Duration?

  /// Requests wait for points until a time, or for none.
  ///
  /// - Parameters:
  ///   - end: When there are enough; nil when nobody waits.
  ///   - now: The time.
  /// - Returns: What is to be told, if anything.
  mutating func update(
    until end: Duration?, at now: Duration
  ) -> RateLimitStateMachine.Announcement? {
    func announcement(
      _ phase: RateLimitPause.Phase, _ duration: Duration = .zero
    ) -> RateLimitStateMachine.Announcement {
      .init(phase: phase, reason: .pacing, resource: nil, duration: duration)
    }
    let isLong = end.map { $0 - now >= Self.worthTelling } ?? false
    switch (told, end) {
    case (nil, let end?) where isLong:
      told = end
      return announcement(.began, end - now)
    case (let before?, let end?) where isLong && end >= before + Self.worthTelling:
      told = end
      return announcement(.extended, end - now)
    case (_?, nil):
      told = nil
      return announcement(.ended)
    case (let before?, _?) where before <= now && !isLong:
      told = nil
      return announcement(.ended)
    default:
      return nil
    }
  }
}
