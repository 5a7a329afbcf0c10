internal import ConcurrencyPrimitives
internal import HTTPTargets

/// The budget for one server and token. It performs the actions of ``RateLimitStateMachine``.
final class RateLimitBudget: Sendable {
  typealias ID = RateLimitStateMachine.ID

  enum Admission: Sendable {
    case admitted(ID)
    case refused(RateLimitStateMachine.Refusal)
    case cancelled
  }

  private struct State: Sendable {
    var machine: RateLimitStateMachine
    var lastID: ID = 0
    var waiting: [ID: CheckedContinuation<Admission, Never>] = [:]
    var timer: (at: Duration, task: Task<Void, Never>)?
    var untold: [RateLimitStateMachine.Announcement] = []
    var isTelling = false

    mutating func nextID() -> ID {
      lastID += 1
      return lastID
    }

    mutating func resumptions(
      for actions: RateLimitStateMachine.Actions
    ) -> [(CheckedContinuation<Admission, Never>, Admission)] {
      let admitted = actions.admitted.compactMap { id in
        waiting.removeValue(forKey: id).map { ($0, Admission.admitted(id)) }
      }
      let refused = actions.refused.compactMap { id, refusal in
        waiting.removeValue(forKey: id).map { ($0, Admission.refused(refusal)) }
      }
      return admitted + refused
    }

    /// Returns the next announcement; nil if another thread is making announcements, because that thread makes this one
    /// too.
    mutating func beginTelling() -> RateLimitStateMachine.Announcement? {
      guard !isTelling, !untold.isEmpty else { return nil }
      isTelling = true
      return untold.removeFirst()
    }
  }

  private let state: Locked<State>
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let onWait: @Sendable (RateLimitStateMachine.Announcement) -> Void

  init(
    _ machine: RateLimitStateMachine, clock: any Clock<Duration>,
    onWait: @escaping @Sendable (RateLimitStateMachine.Announcement) -> Void
  ) {
    state = Locked(State(machine: machine))
    self.clock = clock
    elapsed = clock.stopwatch()
    self.onWait = onWait
  }

  deinit {
    state.withLock { $0.timer?.task }?.cancel()
  }

  var waiterCount: Int { state.withLock { $0.waiting.count } }

  /// Whether the budget can be removed without any effect.
  var isIdle: Bool {
    let now = elapsed()
    return state.withLock { $0.waiting.isEmpty && $0.machine.isIdle(at: now) }
  }

  /// Waits until the request may be sent. An admission must be followed by ``finish(_:_:)`` or ``abandon(_:)``. A
  /// retried request keeps its place by its `id`.
  func enter(_ request: RateLimitedRequest, again id: ID? = nil) async -> Admission {
    let id = id ?? state.withLock { $0.nextID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = perform { state, now in
          // A task's canceled flag is set before its handlers run. So either this check sees the flag, or the handler
          // finds the continuation.
          guard !Task.isCancelled else { return (true, .init()) }
          state.waiting[id] = continuation
          return (false, state.machine.enqueue(id, request, at: now))
        }
        if isCancelled { continuation.resume(returning: .cancelled) }
      }
    } onCancel: {
      let continuation = perform { state, now in
        let continuation = state.waiting.removeValue(forKey: id)
        let actions = continuation.map { _ in state.machine.cancel(id, at: now) }
        return (continuation, actions ?? .init())
      }
      continuation?.resume(returning: .cancelled)
    }
  }

  func finish(_ id: ID, _ answer: RateLimitAnswer?) -> RateLimitStateMachine.Verdict {
    perform { state, now in state.machine.finish(id, answer, at: now) }
  }

  func abandon(_ id: ID) {
    perform { state, now in ((), state.machine.abandon(id, at: now)) }
  }

  private func perform<Result>(
    _ event: (inout State, Duration) -> (Result, RateLimitStateMachine.Actions)
  ) -> Result {
    let now = elapsed()
    let (result, resumptions, timer) = state.withLock { state in
      let (result, actions) = event(&state, now)
      state.untold += actions.announcements
      return (result, state.resumptions(for: actions), setTimer(&state))
    }
    timer?.cancel()
    // Announced first, so that a displayed wait disappears before its requests continue.
    tell()
    for (continuation, admission) in resumptions { continuation.resume(returning: admission) }
    return result
  }

  private func setTimer(_ state: inout State) -> Task<Void, Never>? {
    let wakeUp = state.machine.wakeUp
    guard wakeUp != state.timer?.at else { return nil }
    let replaced = state.timer?.task
    state.timer = wakeUp.map { wakeUp in
      let task = Task { [weak self, clock, elapsed] in
        // A sleeping timer doesn't keep the budget alive.
        guard (try? await clock.sleep(for: wakeUp - elapsed())) != nil else { return }
        self?.timeCame(wakeUp)
      }
      return (wakeUp, task)
    }
    return replaced
  }

  private func timeCame(_ time: Duration) {
    perform { state, now in
      if state.timer?.at == time { state.timer = nil }
      return ((), state.machine.timeCame(at: now))
    }
  }

  /// Makes the announcements one by one, in the order of the events.
  private func tell() {
    while let next = state.withLock({ $0.beginTelling() }) {
      onWait(next)
      state.withLock { $0.isTelling = false }
    }
  }
}

final class RateLimitBudgets: Sendable {
  struct Key: Hashable, Sendable {
    let origin: Origin
    /// A hash, so that the secret isn't kept.
    let credentials: Int

    init?(_ request: TargetRequest) {
      guard let origin = request.origin else { return nil }
      self.origin = origin
      credentials = request.headers[.authorization].hashValue
    }
  }

  private let budgets = Locked<[Key: RateLimitBudget]>([:])

  var waiterCount: Int { budgets.withLock { $0 }.values.reduce(0) { $0 + $1.waiterCount } }

  /// Returns the budget for a key. Idle budgets, such as those of old tokens, are removed.
  func budget(of key: Key, _ make: () -> RateLimitBudget) -> RateLimitBudget {
    if let known = budgets.withLock({ $0[key] }) { return known }
    let made = make()
    let (budget, forgotten) = budgets.withLock { budgets in
      if let known = budgets[key] { return (known, [:]) }
      let idle = budgets.filter { $0.value.isIdle }
      for key in idle.keys { budgets[key] = nil }
      budgets[key] = made
      return (made, idle)
    }
    // The idle budgets are released outside the lock.
    _ = forgotten
    return budget
  }
}
