internal import HTTPTypes
public import PlatformModules

/// Retries requests whose failures may be temporary.
///
/// ``RetryReason`` decides which failures are retried, ``RetryPolicy`` how often and when. A request that must arrive
/// ``Idempotency/once`` is retried only if no byte of it left this machine (``NetworkError/bytesSent``).
///
/// A `Retry-After`, in seconds or as a date, sets the shortest wait. If a wait would exceed the time budget, or
/// after the last attempt, the interceptor returns the response or throws the error, with the number of
/// ``NetworkError/attempts``.
///
/// A response whose body breaks off is requested again from the start, and announces another head.
public struct RetryInterceptor: Interceptor {
  let policy: RetryPolicy
  let onRetry: @Sendable (Retry) -> Void
  let random: @Sendable (ClosedRange<Double>) -> Double
  let now: @Sendable () -> Date

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - policy: The number of retries and the waits.
  ///   - onRetry: Called for each retry, before its wait.
  ///   - random: Draws a uniform number from a range, for the waits.
  ///   - now: The local time, against which a `Retry-After` is measured if the response has no `Date`.
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
  /// - Returns: The first response that needs no retry, or the last one.
  /// - Throws: The first error that isn't retried, or the last one; ``NetworkError/Code/cancelled``, promptly,
  ///   when the task is cancelled during a wait.
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

/// An imminent retry, for a status line.
public struct Retry: Sendable {
  /// The number of the retry within its call, from 1.
  public var number: Int
  /// The most retries of the call.
  public var maximum: Int
  /// The wait before it.
  public var delay: Duration
  /// The failure of the attempt before.
  public var reason: RetryReason
  /// The request that is sent again.
  public var request: TargetRequest
}

/// Decides whether and when to retry. It has no clock: times count from any fixed moment.
struct RetryStateMachine {
  enum Action: Hashable {
    case wait(Duration)
    case giveUp
  }

  private enum State {
    case fresh
    /// Since the first failure.
    case retrying(since: Duration, count: Int)
    case over
  }

  private let policy: RetryPolicy
  private var state = State.fresh

  init(_ policy: RetryPolicy) {
    self.policy = policy
  }

  /// Includes a retry that is still waiting.
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
    // Retrying before the time that the server names would fail again.
    guard time - start + wait <= policy.timeBudget else { return end() }
    state = .retrying(since: start, count: count + 1)
    return .wait(wait)
  }

  private mutating func end() -> Action {
    state = .over
    return .giveUp
  }
}
