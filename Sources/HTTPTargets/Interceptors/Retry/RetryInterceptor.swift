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
