public import HTTPTargets
public import PlatformModules

/// Keeps requests within [GitHub's
/// limits](https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api), and waits for the end of a
/// limit if allowed.
///
/// ```swift
/// var configuration = GitHub.Configuration(token: token)
/// configuration.rateLimits = RateLimitInterceptor(maximumWait: .upTo(.seconds(60)))
/// let provider = Provider.gitHub(configuration)
/// ```
///
/// - **Quota.** When a quota is used up, its requests aren't sent until it is renewed. The number of its simultaneous
///   requests never exceeds the remaining quota. A request that is canceled after it was sent counts.
/// - **Pace.** At most 900 points are spent in any minute (a read costs one, a write five), and the number of
///   simultaneous requests is limited. Other requests wait in a queue, in order. ``RateLimitWait`` doesn't limit this
///   wait.
/// - **Limits.** When a response with the status 403 or 429 reports a limit, all requests under that limit wait. The
///   rejected request is sent again, because the server hasn't processed it. They wait until the time from the server,
///   relative to the `Date` of the response. If the server doesn't send a time, they wait for a minute, and twice as
///   long each time the limit immediately occurs again. In this case, a request that must arrive only
///   ``/HTTPTargets/Idempotency/once`` isn't sent again. A request that would have to wait longer than `maximumWait`
///   fails with ``/HTTPTargets/NetworkError/Code/rateLimited``. If the limit is already known, the request isn't sent
///   at all.
///
/// The limits apply per server and token, across all copies of a provider. Place interceptors that retry requests
/// outside this one, so that retries count too. Place those that follow redirects inside.
public struct RateLimitInterceptor: Interceptor {
  private let maximumWait: RateLimitWait
  /// The maximum number of points per minute.
  package let pointsPerMinute: Int
  private let machine: RateLimitStateMachine
  private let now: @Sendable () -> Date
  private let onWait: @Sendable (RateLimitPause) -> Void
  private let budgets = RateLimitBudgets()

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - maximumWait: The maximum time that a request may wait for limits to end.
  ///   - maximumInFlight: The maximum number of simultaneous requests. GitHub rejects more than 100.
  ///   - pointsPerMinute: The maximum number of points per minute: one for `GET`, `HEAD` and `OPTIONS`, and five for
  ///     other methods. After a minute without requests, all points can be spent at once.
  ///   - now: Returns the local time, which is used to calculate the end of a limit.
  ///   - onWait: Called at the beginning and the end of each wait for a limit, and of each wait for points that lasts a
  ///     second or more. The calls are in order, one at a time. The closure must not block.
  public init(
    maximumWait: RateLimitWait = .never, maximumInFlight: Int = 16, pointsPerMinute: Int = 900,
    now: @escaping @Sendable () -> Date = { Date() },
    onWait: @escaping @Sendable (RateLimitPause) -> Void = { _ in }
  ) {
    self.maximumWait = maximumWait
    self.pointsPerMinute = pointsPerMinute
    machine = RateLimitStateMachine(
      pointsPerMinute: pointsPerMinute, maximumInFlight: maximumInFlight)
    self.now = now
    self.onWait = onWait
  }

  /// The number of requests that wait to be sent for the first time or again.
  var waiterCount: Int { budgets.waiterCount }

  /// Sends a request when it is allowed, and again after a limit if it may wait for the limit.
  ///
  /// - Returns: The response. If the wait would be too long, this is the response that reports the limit.
  /// - Throws: ``/HTTPTargets/NetworkError/Code/rateLimited`` for a request that isn't sent at all,
  ///   ``/HTTPTargets/NetworkError/Code/cancelled`` if the task is canceled while it waits, and the errors of `next`.
  public func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    guard let key = RateLimitBudgets.Key(request) else { return try await next(request) }
    let budget = budgets.budget(of: key) {
      RateLimitBudget(machine, clock: call.clock) { [now, onWait] in onWait($0.pause(at: now())) }
    }
    // Early calls don't wait for limits, because they may be unnecessary.
    let isEarly = EarlyCall.current?.isPending == true
    var described = RateLimitedRequest(
      request, allowance: isEarly ? .zero : maximumWait.allowance)
    var id: RateLimitBudget.ID?
    while true {
      let ticket = try await admission(of: described, again: id, to: budget)
      id = ticket
      let response: TargetResponse
      do throws(NetworkError) {
        response = try await next(request)
      } catch {
        if error.code == .cancelled {
          budget.abandon(ticket)
        } else {
          _ = budget.finish(ticket, nil)
        }
        throw error
      }
      // After a redirect to another server, the response reports the limits of that server.
      let isOwn = response.request.origin == key.origin
      let answer = isOwn ? RateLimitAnswer(response, now: now()) : nil
      switch budget.finish(ticket, answer) {
      case .done: return response
      case .again(let changed):
        // According to GitHub's documentation, a request that was rejected with a time to wait wasn't processed. If
        // there is no time, a repeated creation could be a duplicate, and limits on content creation last longer than a
        // minute.
        if request.idempotency == .once, answer?.limit?.delay == nil { return response }
        described = changed
      }
    }
  }

  private func admission(
    of request: RateLimitedRequest, again id: RateLimitBudget.ID?, to budget: RateLimitBudget
  ) async throws(NetworkError) -> RateLimitBudget.ID {
    switch await budget.enter(request, again: id) {
    case .admitted(let id):
      return id
    case .cancelled:
      throw .cancelled
    case .refused(let refusal):
      let retryDate = now().addingTimeInterval(refusal.duration / .seconds(1))
      var error = NetworkError(
        .rateLimited, RateLimit.message(refusal.kind, until: retryDate))
      error.retryDate = retryDate
      throw error
    }
  }
}

extension RateLimitStateMachine.Announcement {
  fileprivate func pause(at now: Date) -> RateLimitPause {
    RateLimitPause(
      phase, reason, resource: resource, duration: duration,
      until: now.addingTimeInterval(duration / .seconds(1)))
  }
}

/// The maximum time that a request may wait for a rate limit to end.
public enum RateLimitWait: Sendable, Hashable, Codable {
  /// The request doesn't wait. A limit causes an error immediately.
  case never
  /// The request waits up to this total time. A longer limit causes an error immediately.
  case upTo(Duration)
  /// The request waits until the limit ends or the task is canceled.
  case forever

  /// The maximum time; nil for no maximum.
  var allowance: Duration? {
    switch self {
    case .never: .zero
    case .upTo(let duration): max(duration, .zero)
    case .forever: nil
    }
  }
}
