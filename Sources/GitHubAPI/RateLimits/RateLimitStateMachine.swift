internal import HTTPTargets

/// Decides when each request of a budget may be sent. Each event has the time since the creation of the budget.
struct RateLimitStateMachine: Sendable {
  typealias Instant = Duration
  /// The identifier of a request. It determines the order of the queue.
  typealias ID = UInt64

  private struct Waiter {
    let id: ID
    let request: RateLimitedRequest
    /// The end of the request's allowance; nil if it may wait for any time.
    let deadline: Instant?
  }

  private struct Ticket {
    var request: RateLimitedRequest
    /// The number of pauses before the request was sent. Its response isn't related to later pauses.
    let pausesBefore: Int
  }

  private struct Pause {
    var kind: RateLimit.Kind
    var until: Instant
    /// The announced end; nil while the pause isn't announced.
    var told: Instant?
  }

  private struct Series {
    var count: Int
    /// The number of the last pause in the series.
    var pause: Int
  }

  private struct Allotment {
    var remaining: Int
    var reset: Int
    var resetsAt: Instant
  }

  private let maximumInFlight: Int

  private var now: Instant = .zero
  /// The waiting requests in the order of their IDs, including rejected requests that wait again.
  private var queue: [Waiter] = []
  private var inFlight: [ID: Ticket] = [:]
  private var points: PointsWindow
  private var pauses: [Scope: Pause] = [:]
  private var series: [Scope: Series] = [:]
  private var pauseCount = 0
  private var allotments: [String: Allotment] = [:]
  private var resources: Set<String> = []
  private var pacing = PacingNotice()

  /// The time of the next call of ``timeCame(at:)``; nil if it isn't needed.
  private(set) var wakeUp: Instant?

  /// The margin after a reset. Its time is in whole seconds, so the actual reset may be up to a second later.
  private static var margin: Duration { .seconds(1) }
  /// The maximum number of quotas, in case each response of a server has a different one. GitHub has about fifteen.
  private static var maximumResources: Int { 64 }
  /// The minimum extension of a pause that is announced.
  private static var worthTelling: Duration { .seconds(1) }

  init(pointsPerMinute: Int = 900, maximumInFlight: Int = 16) {
    // Even the smallest budget must allow a single request.
    points = PointsWindow(limit: max(pointsPerMinute, 5))
    self.maximumInFlight = max(maximumInFlight, 1)
  }

  func isIdle(at time: Instant) -> Bool {
    var later = self
    _ = later.advance(to: time)
    return later.queue.isEmpty && later.inFlight.isEmpty && later.points.isEmpty
      && later.pauses.isEmpty && later.allotments.isEmpty
  }

  // MARK: Events

  mutating func enqueue(_ id: ID, _ request: RateLimitedRequest, at time: Instant) -> Actions {
    var actions = advance(to: time)
    let waiter = Waiter(id: id, request: request, deadline: request.allowance.map { now + $0 })
    let place = queue.lastIndex { $0.id < id }.map { $0 + 1 } ?? 0
    queue.insert(waiter, at: place)
    proceed(&actions)
    return actions
  }

  mutating func cancel(_ id: ID, at time: Instant) -> Actions {
    var actions = advance(to: time)
    queue.removeAll { $0.id == id }
    proceed(&actions)
    return actions
  }

  /// Ends a request. `answer` is nil if the request failed without a response.
  mutating func finish(
    _ id: ID, _ answer: RateLimitAnswer?, at time: Instant
  ) -> (verdict: Verdict, actions: Actions) {
    var actions = advance(to: time)
    guard var ticket = inFlight.removeValue(forKey: id) else { return (.done, actions) }
    var verdict = Verdict.done
    if let answer {
      if let resource = answer.resource, isKnown(resource) { ticket.request.resource = resource }
      // An inner interceptor has followed the redirects, and each of them was a request.
      if answer.redirects > 0 { points.spend(answer.redirects, at: now) }
      if let quota = answer.quota, let resource = ticket.request.resource {
        note(quota, of: resource, &actions)
      }
      if let limit = answer.limit {
        pause(for: limit, ticket)
        if let until = blocking(ticket.request)?.until {
          let mayWait = ticket.request.allowance.map { until - now <= $0 } ?? true
          if mayWait { verdict = .again(ticket.request) }
        }
      } else {
        endSeries(of: ticket)
      }
    }
    proceed(&actions)
    return (verdict, actions)
  }

  /// Ends a request that was canceled after it was sent. The server may have counted it.
  mutating func abandon(_ id: ID, at time: Instant) -> Actions {
    var actions = advance(to: time)
    guard let ticket = inFlight.removeValue(forKey: id) else { return actions }
    if let resource = ticket.request.resource, let known = allotments[resource],
      known.remaining > 0
    {
      allotments[resource]?.remaining -= 1
      if known.remaining == 1 {
        extend(.resource(resource), .primary, until: known.resetsAt + Self.margin)
      }
    }
    proceed(&actions)
    return actions
  }

  mutating func timeCame(at time: Instant) -> Actions {
    var actions = advance(to: time)
    proceed(&actions)
    return actions
  }

  // MARK: Limits

  private func scopes(of request: RateLimitedRequest) -> [Scope] {
    [.everything] + (request.resource.map { [.resource($0)] } ?? [])
  }

  private mutating func isKnown(_ resource: String) -> Bool {
    resources.contains(resource)
      || resources.count < Self.maximumResources && resources.insert(resource).inserted
  }

  /// Returns the longest pause that applies to a request.
  private func blocking(_ request: RateLimitedRequest) -> Pause? {
    scopes(of: request).compactMap { pauses[$0] }.max { $0.until < $1.until }
  }

  private mutating func note(
    _ quota: RateLimitAnswer.Quota, of resource: String, _ actions: inout Actions
  ) {
    let resetsAt = now + quota.delay
    if let known = allotments[resource] {
      // Responses may arrive out of order. Within a window the lowest number counts, and a later window replaces an
      // earlier one.
      if known.reset > quota.reset { return }
      if known.reset == quota.reset, known.remaining <= quota.remaining { return }
      if known.reset < quota.reset { end(.resource(resource), &actions) }
    }
    allotments[resource] = Allotment(
      remaining: quota.remaining, reset: quota.reset, resetsAt: resetsAt)
    if quota.remaining == 0 { extend(.resource(resource), .primary, until: resetsAt + Self.margin) }
  }

  private mutating func pause(for limit: RateLimitAnswer.Limit, _ ticket: Ticket) {
    let scope: Scope =
      switch (limit.kind, ticket.request.resource) {
      case (.primary, let resource?): .resource(resource)
      default: .everything
      }
    // A request that was sent before the last pause was rejected by the same limit.
    let isLate = series[scope].map { ticket.pausesBefore < $0.pause } ?? false
    let repetitions = max((series[scope]?.count ?? 0) - (isLate ? 1 : 0), 0)
    // If GitHub doesn't send a time, clients must wait at least a minute, and exponentially longer when the limit
    // occurs again. Here this also applies to times from the server, so that repeated "0 seconds" don't cause a flood
    // of requests.
    let least = Duration.seconds(limit.delay == nil ? 60 : 1) * (1 << min(repetitions, 12))
    let margin = limit.kind == .primary ? Self.margin : .zero
    let duration = max(limit.delay.map { $0 + margin } ?? .zero, min(least, .seconds(3600)))
    if !isLate {
      pauseCount += 1
      series[scope] = Series(count: repetitions + 1, pause: pauseCount)
    }
    // The current pause was caused by the same burst, and is long enough.
    if isLate, limit.delay == nil, pauses[scope] != nil { return }
    extend(scope, limit.kind, until: now + duration)
  }

  private mutating func extend(_ scope: Scope, _ kind: RateLimit.Kind, until: Instant) {
    var pause = pauses[scope] ?? Pause(kind: kind, until: until, told: nil)
    pause.until = max(pause.until, until)
    pauses[scope] = pause
  }

  private mutating func endSeries(of ticket: Ticket) {
    for scope in scopes(of: ticket.request) {
      if let found = series[scope], ticket.pausesBefore >= found.pause { series[scope] = nil }
    }
  }

  // MARK: Time

  private mutating func advance(to time: Instant) -> Actions {
    var actions = Actions()
    // Threads read the clock before they take the lock, so times may come in the wrong order.
    now = max(now, time)
    for (scope, pause) in pauses where pause.until <= now { end(scope, &actions) }
    allotments = allotments.filter { $0.value.resetsAt > now }
    points.advance(to: now)
    return actions
  }

  private mutating func end(_ scope: Scope, _ actions: inout Actions) {
    guard let pause = pauses.removeValue(forKey: scope), pause.told != nil else { return }
    actions.announcements.append(announcement(.ended, scope, pause))
  }

  private mutating func proceed(_ actions: inout Actions) {
    refuse(&actions)
    var pointsAt: Instant?
    var kept: [Waiter] = []
    var next = queue.startIndex
    while next < queue.endIndex {
      let waiter = queue[next]
      // These conditions block all requests. Otherwise cheap requests could overtake an expensive one forever.
      if pauses[.everything] != nil || inFlight.count >= maximumInFlight { break }
      if points.left < waiter.request.points {
        pointsAt = points.time(for: waiter.request.points, after: now)
        break
      }
      next += 1
      if isHeld(waiter.request) {
        kept.append(waiter)
      } else {
        admit(waiter, &actions)
      }
    }
    if kept.count < next { queue.replaceSubrange(..<next, with: kept) }
    if let notice = pacing.update(until: pointsAt, at: now) { actions.announcements.append(notice) }
    tellOfPauses(&actions)
    let ends = pauses.filter { $0.value.told != nil }.map(\.value.until)
    wakeUp = (ends + [pointsAt].compactMap { $0 }).min()
  }

  private mutating func admit(_ waiter: Waiter, _ actions: inout Actions) {
    var request = waiter.request
    request.allowance = waiter.deadline.map { max($0 - now, .zero) }
    inFlight[waiter.id] = Ticket(request: request, pausesBefore: pauseCount)
    points.spend(request.points, at: now)
    actions.admitted.append(waiter.id)
  }

  private mutating func refuse(_ actions: inout Actions) {
    guard !pauses.isEmpty else { return }
    let kept = queue.filter { waiter in
      guard let deadline = waiter.deadline, let pause = blocking(waiter.request),
        pause.until > deadline
      else { return true }
      actions.refused[waiter.id] = Refusal(kind: pause.kind, duration: pause.until - now)
      return false
    }
    queue = kept
  }

  /// Whether a request must wait for the renewal of its quota, or for the end of another request because the running
  /// requests may use up the remaining quota.
  private func isHeld(_ request: RateLimitedRequest) -> Bool {
    guard let resource = request.resource else { return false }
    if pauses[.resource(resource)] != nil { return true }
    guard let left = allotments[resource]?.remaining, left > 0 else { return false }
    return inFlight.values.count { $0.request.resource == resource } >= left
  }

  // MARK: Telling

  private func announcement(
    _ phase: RateLimitPause.Phase, _ scope: Scope, _ pause: Pause
  ) -> Announcement {
    let resource: String? = if case .resource(let name) = scope { name } else { nil }
    return Announcement(
      phase: phase, reason: pause.kind == .primary ? .primaryLimit : .secondaryLimit,
      resource: resource, duration: phase == .ended ? .zero : pause.until - now)
  }

  private mutating func tellOfPauses(_ actions: inout Actions) {
    for (scope, pause) in pauses {
      let isAwaited =
        scope == .everything
        ? !queue.isEmpty : queue.contains { scopes(of: $0.request).contains(scope) }
      switch (isAwaited, pause.told) {
      case (true, nil):
        actions.announcements.append(announcement(.began, scope, pause))
        pauses[scope]?.told = pause.until
      case (true, let told?) where pause.until >= told + Self.worthTelling:
        actions.announcements.append(announcement(.extended, scope, pause))
        pauses[scope]?.told = pause.until
      case (false, _?):
        actions.announcements.append(announcement(.ended, scope, pause))
        pauses[scope]?.told = nil
      default: break
      }
    }
  }
}

extension RateLimitStateMachine {
  struct Announcement: Sendable, Hashable {
    var phase: RateLimitPause.Phase
    var reason: RateLimitPause.Reason
    var resource: String?
    var duration: Duration
  }

  struct Refusal: Sendable, Hashable {
    var kind: RateLimit.Kind
    var duration: Duration
  }

  struct Actions: Sendable, Hashable {
    var admitted: [ID] = []
    var refused: [ID: Refusal] = [:]
    var announcements: [Announcement] = []
  }

  enum Verdict: Sendable, Hashable {
    case done
    /// The request is sent again after a wait, with this description.
    case again(RateLimitedRequest)
  }

  enum Scope: Sendable, Hashable {
    case everything
    case resource(String)
  }
}

/// A request, as described for rate limits. GitHub defines the points:
/// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#calculating-points-for-the-secondary-rate-limit>
struct RateLimitedRequest: Sendable, Hashable {
  /// The points: one for a read, five for a write.
  var points: Int
  /// The quota that the request counts toward; nil for none.
  var resource: String?
  /// The time that the request may still wait; nil for any time.
  var allowance: Duration?

  init(points: Int = 1, resource: String? = "core", allowance: Duration? = .zero) {
    self.points = points
    self.resource = resource
    self.allowance = allowance
  }

  init(_ request: TargetRequest, allowance: Duration?) {
    let resource = RateLimitResource.name(of: request.url)
    self.init(
      points: request.idempotency == .safe ? 1 : 5, resource: resource, allowance: allowance)
  }
}
