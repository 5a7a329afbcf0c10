#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A time in which requests wait, for whoever displays it: see
/// ``RateLimitInterceptor/init(maximumWait:maximumInFlight:pointsPerMinute:now:onWait:)``.
///
/// Each pause begins and ends once, and may be extended in between. Many requests can wait in one.
public struct RateLimitPause: Sendable, Hashable {
  /// An event of a pause.
  public enum Phase: Sendable, Hashable {
    /// A request has begun to wait.
    case began
    /// It lasts longer than reported before.
    case extended
    /// No request waits any more.
    case ended
  }

  /// Why requests wait.
  public enum Reason: Sendable, Hashable {
    /// The server's quota is used up.
    case primaryLimit
    /// The server asked to slow down.
    case secondaryLimit
    /// The minute's requests are used up; the server has refused none.
    case pacing
  }

  /// The event.
  public var phase: Phase
  /// Why requests wait.
  public var reason: Reason
  /// The quota that is used up, such as `core` or `search`; nil when all requests wait.
  public var resource: String?
  /// The remaining time; zero at the end.
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

/// Reports waits for points that last a second or more, once each.
struct PacingNotice: Sendable {
  private static var worthTelling: Duration { .seconds(1) }

  /// The reported end; nil if none was reported.
  private var told: Duration?

  /// Updates the time until which requests wait for points.
  ///
  /// - Parameters:
  ///   - end: The time when there are enough points; nil if no request waits.
  ///   - now: The time.
  /// - Returns: The announcement to make, if any.
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
