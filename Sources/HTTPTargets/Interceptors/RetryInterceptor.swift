internal import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Sends requests again that failed in a way that may be over the next time.
///
/// Which failures those are tells ``RetryReason``, how often and when ``RetryPolicy``. A request is
/// repeated only where that does no harm: see ``TargetType/isRetryable``.
///
/// A `Retry-After`, in seconds or as a date, is the shortest wait. When it, or any other wait, goes beyond
/// the time budget, the answer comes out as it is, at once. After the last attempt its outcome comes out:
/// an answer, or an error with the number of ``NetworkError/attempts``.
///
/// An answer that breaks in its body is asked for again whole. Who listens for the head is told another
/// one then.
public struct RetryInterceptor: Interceptor {
  let policy: RetryPolicy
  let onRetry: @Sendable (Retry) -> Void
  let random: @Sendable (ClosedRange<Double>) -> Double
  let now: @Sendable () -> Date

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - policy: How often, and after which waits.
  ///   - onRetry: Is told of each retry before the wait for it.
  ///   - random: Draws a number from a range, evenly: for the waits.
  ///   - now: The date that a `Retry-After` is measured against in an answer that has no `Date` of its
  ///     own.
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

  /// Sends a request, and again while its failures are ones that may pass.
  ///
  /// - Returns: The first answer that isn't to be asked for again, or the last.
  /// - Throws: The first error that doesn't pass, or the last; ``NetworkError/Code/cancelled``, promptly,
  ///   when the task is cancelled in a wait.
  public func intercept(
    _ request: Request, call: Call, next: Next
  ) async throws(NetworkError) -> Response {
    guard call.allowsRetrying(request) else { return try await next(request) }
    var machine = RetryStateMachine(policy)
    let elapsed = call.clock.stopwatch()
    while true {
      let outcome: Result<Response, NetworkError>
      do throws(NetworkError) {
        outcome = .success(try await next(request))
      } catch {
        outcome = .failure(error)
      }
      guard let reason = RetryReason(outcome),
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

extension Call {
  /// Whether a request may go out twice.
  ///
  /// The target speaks of its own method. Where an endpoint closure has made it another, its word holds
  /// for `GET` and `HEAD` alone.
  fileprivate func allowsRetrying(_ request: Request) -> Bool {
    target.isRetryable
      && (request.method == target.method || request.method == .get || request.method == .head)
  }
}

/// A request that is about to be sent again: what a status line tells.
public struct Retry: Sendable {
  /// Which retry of the call it is, from 1.
  public var number: Int
  /// How many there are at most.
  public var maximum: Int
  /// The wait before it.
  public var delay: Duration
  /// What went wrong the time before.
  public var reason: RetryReason
  /// What is sent again.
  public var request: Request
}

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
