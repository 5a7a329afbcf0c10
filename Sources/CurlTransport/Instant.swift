/// An instant of the continuous clock. The compiler knows its layout, unlike that of the standard type. So types that
/// contain an instant have a fixed layout too.
struct Instant: InstantProtocol {
  private static let start = ContinuousClock.now

  private let sinceStart: Duration

  static var now: Instant { Instant(sinceStart: start.duration(to: .now)) }

  func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }

  func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

  static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
}
