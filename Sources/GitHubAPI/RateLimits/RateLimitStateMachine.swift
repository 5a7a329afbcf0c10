internal import HTTPTargets

/// Which requests of one budget may be sent, and when.
///
/// It has neither tasks nor clocks: each event carries the time since the budget began, and returns what has to
/// be done. ``wakeUp`` is the time of the next event if nothing else happens.
struct RateLimitStateMachine: Sendable {
  /// A time, counted from the beginning of the budget.
  typealias Instant = Duration
  /// The number of a request. The queue is ordered by it.
  typealias ID = UInt64

  private struct Waiter {
    let id: ID
    let request: RateLimitedRequest
    /// The end of its patience; nil for none.
    let deadline: Instant?
  }

  private struct Ticket {
    var request: RateLimitedRequest
    /// The number of pauses before it was sent: its answer says nothing about later ones.
    let pausesBefore: Int
  }

  private struct Pause {
    var kind: RateLimit.Kind
    var until: Instant
    /// The announced end; nil if no request waits.
    var told: Instant?
  }

  /// Limits of one scope that followed each other.
  private struct Series {
    var count: Int
    /// The number of the pause that the last one began.
    var pause: Int
  }

  /// What is left of a quota.
  private struct Allotment {
    var remaining: Int
    var reset: Int
    var resetsAt: Instant
  }

  private let maximumInFlight: Int

  private var now: Instant = .zero
  /// In the order of the numbers, including requests that the server refused and that wait again.
  private var queue: [Waiter] = []
  private var inFlight: [ID: Ticket] = [:]
  private var points: PointsWindow
  private var pauses: [Scope: Pause] = [:]
  private var series: [Scope: Series] = [:]
  private var pauseCount = 0
  private var allotments: [String: Allotment] = [:]
  /// The quotas that answers have named.
  private var resources: Set<String> = []
  private var pacing = PacingNotice()

  /// The time when ``timeCame(at:)`` is due; nil if only requests and answers change anything.
  private(set) var wakeUp: Instant?

  /// The reset of a quota is in whole seconds, so up to one second may be missing.
  private static var margin: Duration { .seconds(1) }
  /// The most quotas to distinguish, against a server that names another in each answer. GitHub has some
  /// fifteen.
  private static var maximumResources: Int { 64 }
  /// An extension shorter than this isn't announced.
  private static var worthTelling: Duration { .seconds(1) }

  init(pointsPerMinute: Int = 900, maximumInFlight: Int = 16) {
    // Even the smallest budget must let a single request through.
    points = PointsWindow(limit: max(pointsPerMinute, 5))
    self.maximumInFlight = max(maximumInFlight, 1)
  }

  /// Whether it is equivalent to a new one: no request, no limit, no point spent.
  func isIdle(at time: Instant) -> Bool {
    var later = self
    _ = later.advance(to: time)
    return later.queue.isEmpty && later.inFlight.isEmpty && later.points.isEmpty
      && later.pauses.isEmpty && later.allotments.isEmpty
  }

  // MARK: Events

  /// A request is to be sent, for the first time or again.
  mutating func enqueue(_ id: ID, _ request: RateLimitedRequest, at time: Instant) -> Actions {
    var actions = advance(to: time)
    let waiter = Waiter(id: id, request: request, deadline: request.allowance.map { now + $0 })
    let place = queue.lastIndex { $0.id < id }.map { $0 + 1 } ?? 0
    queue.insert(waiter, at: place)
    proceed(&actions)
    return actions
  }

  /// A waiting request was cancelled.
  mutating func cancel(_ id: ID, at time: Instant) -> Actions {
    var actions = advance(to: time)
    queue.removeAll { $0.id == id }
    proceed(&actions)
    return actions
  }

  /// A request was answered, or failed without an answer.
  mutating func finish(
    _ id: ID, _ answer: RateLimitAnswer?, at time: Instant
  ) -> (verdict: Verdict, actions: Actions) {
    var actions = advance(to: time)
    guard var ticket = inFlight.removeValue(forKey: id) else { return (.done, actions) }
    var verdict = Verdict.done
    if let answer {
      if let resource = answer.resource, isKnown(resource) { ticket.request.resource = resource }
      // Redirects were followed further inside, and each was a request.
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

  /// The time of ``wakeUp`` has come.
  mutating func timeCame(at time: Instant) -> Actions {
    var actions = advance(to: time)
    proceed(&actions)
    return actions
  }

  // MARK: Limits

  private func scopes(of request: RateLimitedRequest) -> [Scope] {
    [.everything] + (request.resource.map { [.resource($0)] } ?? [])
  }

  /// Whether the limits of a quota are tracked.
  private mutating func isKnown(_ resource: String) -> Bool {
    resources.contains(resource)
      || resources.count < Self.maximumResources && resources.insert(resource).inserted
  }

  /// The pause that a request would wait for; the longer one of two.
  private func blocking(_ request: RateLimitedRequest) -> Pause? {
    scopes(of: request).compactMap { pauses[$0] }.max { $0.until < $1.until }
  }

  /// Records the rest of a quota. If nothing is left, its requests pause until it is renewed.
  private mutating func note(
    _ quota: RateLimitAnswer.Quota, of resource: String, _ actions: inout Actions
  ) {
    let resetsAt = now + quota.delay
    if let known = allotments[resource] {
      // Answers overtake each other: within a window the lowest number counts, and the later of two windows.
      if known.reset > quota.reset { return }
      if known.reset == quota.reset, known.remaining <= quota.remaining { return }
      // Once a window has begun, the rest of the previous one doesn't matter.
      if known.reset < quota.reset { end(.resource(resource), &actions) }
    }
    allotments[resource] = Allotment(
      remaining: quota.remaining, reset: quota.reset, resetsAt: resetsAt)
    if quota.remaining == 0 { extend(.resource(resource), .primary, until: resetsAt + Self.margin) }
  }

  /// Pauses for a limit that an answer reported.
  private mutating func pause(for limit: RateLimitAnswer.Limit, _ ticket: Ticket) {
    let scope: Scope =
      switch (limit.kind, ticket.request.resource) {
      case (.primary, let resource?): .resource(resource)
      default: .everything
      }
    // A request sent before the last pause met the same limit.
    let isLate = series[scope].map { ticket.pausesBefore < $0.pause } ?? false
    let repetitions = max((series[scope]?.count ?? 0) - (isLate ? 1 : 0), 0)
    // GitHub asks for at least a minute if it names no time, and for exponentially more when the limit comes
    // again. The latter also applies to a named time, so that repeated "0 seconds" don't become a storm.
    let least = Duration.seconds(limit.delay == nil ? 60 : 1) * (1 << min(repetitions, 12))
    let margin = limit.kind == .primary ? Self.margin : .zero
    let duration = max(limit.delay.map { $0 + margin } ?? .zero, min(least, .seconds(3600)))
    if !isLate {
      pauseCount += 1
      series[scope] = Series(count: repetitions + 1, pause: pauseCount)
    }
    // If this answer names no time, the current pause for the same burst is long enough.
    if isLate, limit.delay == nil, pauses[scope] != nil { return }
    extend(scope, limit.kind, until: now + duration)
  }

  private mutating func extend(_ scope: Scope, _ kind: RateLimit.Kind, until: Instant) {
    var pause = pauses[scope] ?? Pause(kind: kind, until: until, told: nil)
    pause.until = max(pause.until, until)
    pauses[scope] = pause
  }

  /// An answer without a limit ends its series.
  private mutating func endSeries(of ticket: Ticket) {
    for scope in scopes(of: ticket.request) {
      if let found = series[scope], ticket.pausesBefore >= found.pause { series[scope] = nil }
    }
  }

  // MARK: Time

  /// Ends pauses and quotas that are over.
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

  /// Admits requests that may be sent, refuses those that would wait for too long, and announces pauses.
  private mutating func proceed(_ actions: inout Actions) {
    refuse(&actions)
    var pointsAt: Instant?
    var kept: [Waiter] = []
    var next = queue.startIndex
    while next < queue.endIndex {
      let waiter = queue[next]
      // These block all requests: otherwise cheap requests could overtake an expensive one forever.
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

  /// Whether a request waits for its quota: until it is renewed, or, while as many requests are under way as
  /// are left, until one of them is answered.
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
  /// The announcement of a pause.
  struct Announcement: Sendable, Hashable {
    var phase: RateLimitPause.Phase
    var reason: RateLimitPause.Reason
    var resource: String?
    var duration: Duration
  }

  /// The reason why a request isn't sent, and the duration of the limit.
  struct Refusal: Sendable, Hashable {
    var kind: RateLimit.Kind
    var duration: Duration
  }

  /// The work for the driver.
  struct Actions: Sendable, Hashable {
    /// The requests that may be sent now.
    var admitted: [ID] = []
    /// The requests that would have to wait for longer than they may.
    var refused: [ID: Refusal] = [:]
    /// The announcements to make, in order.
    var announcements: [Announcement] = []
  }

  /// The decision about an answered request.
  enum Verdict: Sendable, Hashable {
    /// Return its answer.
    case done
    /// Let it wait and send it again with this description.
    case again(RateLimitedRequest)
  }

  /// The requests that a pause stops.
  enum Scope: Sendable, Hashable {
    /// Every request.
    case everything
    /// The requests of one quota.
    case resource(String)
  }
}

/// The cost of a request, and the quota that it counts against.
///
/// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#calculating-points-for-the-secondary-rate-limit>
struct RateLimitedRequest: Sendable, Hashable {
  /// The points it costs: one for reading, five for writing.
  var points: Int
  /// The quota that it counts against; nil for none.
  var resource: String?
  /// The time that it may still wait; nil for any time.
  var allowance: Duration?

  init(points: Int = 1, resource: String? = "core", allowance: Duration? = .zero) {
    self.points = points
    self.resource = resource
    self.allowance = allowance
  }

  init(_ request: Request, allowance: Duration?) {
    let resource = Self.resource(of: request.url)
    self.init(
      points: request.idempotency == .safe ? 1 : 5, resource: resource, allowance: allowance)
  }

  /// The quota of a URL. Each answer names the quota; this is for the time before the first answer.
  private static func resource(of url: String) -> String? {
    guard let authority = url.firstRange(of: "://") else { return "core" }
    let path = url[authority.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
    var segments = path.split(separator: "/")
    // Enterprise servers have the API below `/api/v3`, and GraphQL below `/api`.
    if segments.first == "api" { segments.removeFirst() }
    if segments.first == "v3" { segments.removeFirst() }
    switch segments.first {
    case "search": return segments.dropFirst().first == "code" ? "code_search" : "search"
    case "graphql": return "graphql"
    // Asking for the limits counts against none.
    case "rate_limit": return nil
    default: return "core"
    }
  }
}
