internal import HTTPTypes
public import PlatformModules

/// Retries requests whose failures may be temporary.
///
/// ``RetryReason`` lists the failures that are retried. ``RetryPolicy`` sets the number of retries and the waits. A
/// request that must arrive only ``Idempotency/once`` is retried only if none of its bytes left this machine
/// (``NetworkError/bytesSent``).
///
/// A `Retry-After`, in seconds or as a date, sets the minimum wait. After the last attempt, or if a wait would exceed
/// the time budget, the interceptor returns the response or throws the error, with the number of
/// ``NetworkError/attempts``.
///
/// If the body of a response breaks off, the response is requested again from the start, and another head is announced.
public struct RetryInterceptor: Interceptor {
  let policy: RetryPolicy
  let onRetry: @Sendable (Retry) -> Void
  let random: @Sendable (ClosedRange<Double>) -> Double
  let now: @Sendable () -> Date

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - policy: The number of retries and the waits.
  ///   - onRetry: Called for each retry before the wait.
  ///   - random: Returns a uniform random number from a range, for the waits.
  ///   - now: Returns the local time, which is the base of a `Retry-After` date if the response has no `Date`.
  public init(
    policy: RetryPolicy = RetryPolicy(),
    onRetry: @escaping @Sendable (Retry) -> Void = { _ in },
    random: @escaping @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.policy = policy
    self.onRetry = onRetry
    self.random = random
    self.now = now
  }

  /// Sends a request, and retries it while its failures may be temporary.
  ///
  /// - Returns: The first response that doesn't require a retry, or the last response.
  /// - Throws: The first error that isn't retried, or the last one; ``NetworkError/Code/cancelled``, without delay,
  ///   when the task is canceled during a wait.
  public func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    var machine = RetryStateMachine(policy)
    let elapsed = call.clock.stopwatch()
    while true {
      let outcome: Result<TargetResponse, NetworkError>
      do throws(NetworkError) {
        outcome = .success(try await next(request))
      } catch {
        outcome = .failure(error)
      }
      guard request.idempotency != .once || outcome.hasSentNothing,
        let reason = RetryReason(outcome),
        case .wait(let delay) = machine.failed(
          at: elapsed(), minimumWait: (try? outcome.get())?.retryAfter(now: now()), random: random)
      else { return try outcome.get() }
      guard !Task.isCancelled else { throw .cancelled }
      onRetry(
        Retry(
          number: machine.retryCount, maximum: policy.maximumRetries, delay: delay, reason: reason,
          request: request))
      do {
        try await call.clock.sleep(for: delay)
      } catch {
        throw .cancelled
      }
    }
  }
}

extension Result<TargetResponse, NetworkError> {
  fileprivate var hasSentNothing: Bool {
    if case .failure(let error) = self { error.bytesSent == 0 } else { false }
  }
}

/// An imminent retry, for display in a status line.
public struct Retry: Sendable {
  /// The number of the retry within its call, starting at 1.
  public var number: Int
  /// The maximum number of retries of the call.
  public var maximum: Int
  /// The wait before the retry.
  public var delay: Duration
  /// The failure of the previous attempt.
  public var reason: RetryReason
  /// The request to send again.
  public var request: TargetRequest
}

/// Decides whether and when to retry. It doesn't have a clock: all times count from the same arbitrary moment.
struct RetryStateMachine {
  enum Action: Hashable {
    case wait(Duration)
    case giveUp
  }

  private enum State {
    case fresh
    /// Retrying since the time of the first failure.
    case retrying(since: Duration, count: Int)
    case over
  }

  private let policy: RetryPolicy
  private var state = State.fresh

  init(_ policy: RetryPolicy) {
    self.policy = policy
  }

  /// The number of retries, including one that is still waiting.
  var retryCount: Int {
    if case .retrying(_, let count) = state { count } else { 0 }
  }

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
    // A retry before the time that the server names would fail again.
    guard time - start + wait <= policy.timeBudget else { return end() }
    state = .retrying(since: start, count: count + 1)
    return .wait(wait)
  }

  private mutating func end() -> Action {
    state = .over
    return .giveUp
  }
}
