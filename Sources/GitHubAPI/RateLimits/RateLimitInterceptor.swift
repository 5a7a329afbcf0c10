public import HTTPTargets
public import PlatformModules

/// Keeps requests within [GitHub's
/// limits](https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api), and waits for the end of a
/// limit, if allowed.
///
/// ```swift
/// var configuration = GitHub.Configuration(token: token)
/// configuration.rateLimits = RateLimitInterceptor(maximumWait: .upTo(.seconds(60)))
/// let provider = Provider.gitHub(configuration)
/// ```
///
/// - **Quota.** Once a quota is used up, no request for it is sent until it is renewed. No more of its requests
///   are under way at once than are left. A request that is canceled under way counts.
/// - **Pace.** At most 900 points are spent in any minute (reading costs one, writing five), and a limited number
///   of requests is under way. Others wait in a queue, in order; ``RateLimitWait`` doesn't limit that.
/// - **Limits.** When a response with status 403 or 429 reports a limit, all requests under that limit wait, and
///   the request that met it is sent again, because it wasn't carried out. They wait until the server's time,
///   measured against the response's `Date`. Without one, they wait for a minute, and twice as long each time the
///   limit comes again at once, and a request that must arrive ``/HTTPTargets/Idempotency/once`` isn't sent again.
///   A request that would have to wait for longer than `maximumWait` fails with
///   ``/HTTPTargets/NetworkError/Code/rateLimited``; if the limit is already known, it isn't sent at all.
///
/// The limits apply per server and token, and across all copies of a provider. Place interceptors that retry outside
/// this one, so that retries count too, and redirects inside.
public struct RateLimitInterceptor: Interceptor {
  private let maximumWait: RateLimitWait
  /// The points that may be spent in a minute.
  package let pointsPerMinute: Int
  private let machine: RateLimitStateMachine
  private let now: @Sendable () -> Date
  private let onWait: @Sendable (RateLimitPause) -> Void
  private let budgets = RateLimitBudgets()

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - maximumWait: The longest time that a request may wait for limits to end.
  ///   - maximumInFlight: The most requests under way at once. GitHub refuses more than 100.
  ///   - pointsPerMinute: The points to spend in a minute: one for `GET`, `HEAD` and `OPTIONS`, five for other
  ///     methods. After a minute without requests all of them can be spent at once.
  ///   - now: The local time, for the end of a limit.
  ///   - onWait: Called at the beginning and the end of each wait for a limit, or of a second or more for points;
  ///     in order, one at a time. It must not block.
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

  /// The requests that wait to be sent, for the first time or again.
  var waiterCount: Int { budgets.waiterCount }

  /// Sends a request when it may be sent, and again if it met a limit that it may wait for.
  ///
  /// - Returns: The response; if the wait would be too long, the one that reports the limit.
  /// - Throws: ``/HTTPTargets/NetworkError/Code/rateLimited`` for a request that isn't sent at all,
  ///   ``/HTTPTargets/NetworkError/Code/cancelled`` when the task is canceled while it waits, and the errors of
  ///   `next`.
  public func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    guard let key = RateLimitBudgets.Key(request) else { return try await next(request) }
    let budget = budgets.budget(of: key) {
      RateLimitBudget(machine, clock: call.clock) { [now, onWait] in onWait($0.pause(at: now())) }
    }
    // Early calls, which may be unnecessary, wait for no limit.
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
      // After a redirect to another server the response reports that server's limits.
      let isOwn = response.request.origin == key.origin
      let answer = isOwn ? RateLimitAnswer(response, now: now()) : nil
      switch budget.finish(ticket, answer) {
      case .done: return response
      case .again(let changed):
        // GitHub documents that a request refused with a time to wait wasn't carried out. Without one, repeating
        // a creation would be a guess, and blocks of content creation last for longer than a minute.
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

/// The longest time that a request may wait for a rate limit to end.
public enum RateLimitWait: Sendable, Hashable, Codable {
  /// A limit is an error at once.
  case never
  /// For all waits of the request together. A longer limit is an error at once.
  case upTo(Duration)
  /// Until the limit ends, or the task is canceled.
  case forever

  /// Nil for any time.
  var allowance: Duration? {
    switch self {
    case .never: .zero
    case .upTo(let duration): max(duration, .zero)
    case .forever: nil
    }
  }
}
