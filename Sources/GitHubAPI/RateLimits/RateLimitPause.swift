public import PlatformModules

/// A period in which requests wait, for display: see
/// ``RateLimitInterceptor/init(maximumWait:maximumInFlight:pointsPerMinute:now:onWait:)``. Each pause begins and ends
/// once, and may be extended. Several requests can wait in the same pause.
public struct RateLimitPause: Sendable, Hashable {
  /// An event of a pause.
  public enum Phase: Sendable, Hashable {
    /// The pause began.
    case began
    /// The pause lasts longer than previously reported.
    case extended
    /// The pause ended.
    case ended
  }

  /// The reason for the wait.
  public enum Reason: Sendable, Hashable {
    /// A quota is used up.
    case primaryLimit
    /// The server requires the client to slow down.
    case secondaryLimit
    /// The requests of this minute are used up. The server hasn't rejected any request.
    case pacing
  }

  /// The event.
  public var phase: Phase
  /// The reason for the wait.
  public var reason: Reason
  /// The exhausted quota, such as `core` or `search`; nil if all requests wait.
  public var resource: String?
  /// The remaining time; zero at the end.
  public var duration: Duration
  /// The end by the local clock.
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

/// Reports waits for points if they last a second or more.
struct PacingNotice: Sendable {
  private static var worthTelling: Duration { .seconds(1) }

  private var told: Duration?

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
