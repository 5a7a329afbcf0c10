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
