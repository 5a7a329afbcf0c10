/// Decides after each failure of a request whether it is sent again, and when.
///
/// It knows no clock: times are counted from any moment that stays the same.
struct RetryStateMachine {
  /// What becomes of the request.
  enum Action: Hashable {
    /// Send it again after a wait.
    case wait(Duration)
    /// Let the failure stand.
    case giveUp
  }

  private enum State {
    /// Nothing has failed yet.
    case fresh
    /// Something failed first at this time, and was sent again so many times since.
    case retrying(since: Duration, count: Int)
    /// A failure stands.
    case over
  }

  private let policy: RetryPolicy
  private var state = State.fresh

  init(_ policy: RetryPolicy) {
    self.policy = policy
  }

  /// How often the request was sent again, the time that is being waited for included.
  var retryCount: Int {
    if case .retrying(_, let count) = state { count } else { 0 }
  }

  /// The request failed in a way that may be over.
  ///
  /// - Parameters:
  ///   - time: When.
  ///   - minimumWait: What the server asks to wait; nil where it asks for nothing.
  ///   - random: Draws a number from a range, evenly.
  /// - Returns: What to do.
  mutating func failed(
    at time: Duration, minimumWait: Duration?, random: (ClosedRange<Double>) -> Double
  ) -> Action {
    let (start, count): (Duration, Int)
    switch state {
    case .fresh: (start, count) = (time, 0)
    case .retrying(let since, let retries): (start, count) = (since, retries)
    case .over: return .giveUp
    }
    guard count < policy.maximumRetries else { return end() }
    let jitter = Duration.seconds(random(0...policy.longestDelay(beforeRetry: count)))
    let wait = max(jitter, minimumWait ?? .zero)
    // To come back before the time that the server names would be answered as before.
    guard time - start + wait <= policy.timeBudget else { return end() }
    state = .retrying(since: start, count: count + 1)
    return .wait(wait)
  }

  private mutating func end() -> Action {
    state = .over
    return .giveUp
  }
}
