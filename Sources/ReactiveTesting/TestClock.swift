internal import ConcurrencyPrimitives

/// A clock whose time changes only when a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let waiting = Task { try await clock.sleep(for: .seconds(60)) }
/// try await clock.sleepers(1)       // the task has gone to sleep
/// clock.advance(by: .seconds(60))   // and is woken
/// try await waiting.value
/// ```
///
/// Advancing it wakes sleepers, but doesn't wait for their next steps. Before you advance it again, wait for one of
/// their effects or for ``sleepers(_:)``.
public final class TestClock: Clock, Sendable {
  /// A point in the clock's time, counted from its creation.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates an instant.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The instant after a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The duration up to another instant.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether an instant is earlier than another.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct State: Sendable {
    var now = Instant(offset: .zero)
    var deadlines: [UInt64: Instant] = [:]
    var lastIdentifier: UInt64 = 0
  }

  private let state = Watched(State())

  /// Creates a clock whose time is zero.
  public init() {}

  /// The clock's current time.
  public var now: Instant { state.read { $0.now } }

  /// The smallest step of the clock: one nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.read { $0.deadlines.count } }

  /// The time until the next sleeper wakes; nil without sleepers.
  public var untilNextDeadline: Duration? {
    state.read { state in state.deadlines.values.min().map { state.now.duration(to: $0) } }
  }

  /// Sleeps until the clock reaches the deadline.
  ///
  /// - Throws: `CancellationError` when the sleeping task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let identifier = state.update { state -> UInt64? in
      guard deadline > state.now else { return nil }
      state.lastIdentifier += 1
      state.deadlines[state.lastIdentifier] = deadline
      return state.lastIdentifier
    }
    guard let identifier else { return }
    defer { state.update { $0.deadlines[identifier] = nil } }
    // `advance` removes the sleepers that it wakes, so that they no longer count.
    try await state.value { $0.deadlines[identifier] == nil ? () : nil }
  }

  /// Advances the clock, and wakes the sleepers whose deadline it has reached.
  public func advance(by duration: Duration) {
    state.update { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      state.deadlines = state.deadlines.filter { $0.value > now }
    }
  }

  /// Advances the clock to the next deadline, and wakes its sleepers. Returns the duration by which it advanced; zero
  /// without sleepers.
  @discardableResult
  public func advanceToNextDeadline() -> Duration {
    state.update { state in
      guard let next = state.deadlines.values.min() else { return .zero }
      let step = state.now.duration(to: next)
      state.now = next
      state.deadlines = state.deadlines.filter { $0.value > next }
      return step
    }
  }

  /// Waits until the next sleeper is due after exactly this duration.
  ///
  /// This distinguishes a task that has just started to sleep from one that is about to be canceled.
  ///
  /// - Throws: `CancellationError` when the waiting task is canceled.
  public func nextDeadline(in duration: Duration) async throws {
    try await state.value { state in
      let next = state.deadlines.values.min()
      return next == state.now.advanced(by: duration) ? () : nil
    }
  }

  /// Waits until exactly this number of tasks are sleeping.
  ///
  /// - Throws: `CancellationError` when the waiting task is canceled.
  public func sleepers(_ count: Int) async throws {
    try await state.value { $0.deadlines.count == count ? () : nil }
  }

  /// Waits until at least this number of tasks are sleeping.
  ///
  /// - Throws: `CancellationError` when the waiting task is canceled.
  public func sleepers(atLeast count: Int) async throws {
    try await state.value { $0.deadlines.count >= count ? () : nil }
  }
}
