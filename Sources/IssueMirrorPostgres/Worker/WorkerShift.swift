internal import ConcurrencyPrimitives
internal import IssueMirror
internal import PlatformModules

/// A run of a ``MirrorWorker``.
struct WorkerShift: Sendable {
  let worker: MirrorWorker
  let queue: RepositoryQueue
  let provider: Provider<GitHub>
  let clock: any Clock<Duration>
  let gate: StopGate
  let now: @Sendable () -> Date
  let onEvent: @Sendable (MirrorWorker.Event) -> Void
  private let registry: WorkerRegistry
  private let state = Locked(State())

  private struct State: Sendable {
    /// The number of repositories being synced.
    var busy = 0
    /// The time by the stopwatch until which the worker doesn't claim a repository.
    var pausedUntil = Duration.zero
    /// The time by the stopwatch of the next report.
    var reportsAgainAt = Duration.zero
    /// The number of consecutive outages of the network or database.
    var troubles = 0
  }

  private let elapsed: @Sendable () -> Duration

  init(
    worker: MirrorWorker, queue: RepositoryQueue, provider: Provider<GitHub>,
    clock: any Clock<Duration>, gate: StopGate, now: @escaping @Sendable () -> Date,
    onEvent: @escaping @Sendable (MirrorWorker.Event) -> Void
  ) {
    self.worker = worker
    self.queue = queue
    self.provider = provider
    self.clock = clock
    self.gate = gate
    self.now = now
    self.onEvent = onEvent
    registry = WorkerRegistry(
      worker.mirror, host: worker.server.host, name: worker.name, lease: worker.options.lease)
    elapsed = clock.stopwatch()
  }

  private static let longestPause = Duration.seconds(60)
  /// The longest pause for a limit. It is bounded because the budget may be wrong about the limit.
  private static let longestLimit = Duration.seconds(900)

  /// Runs until the task is canceled or one of its slots fails.
  func run() async throws {
    let feeds = worker.options.organizations.map { name in
      OrganizationFeed(
        mirror: worker.mirror, host: worker.server.host, organization: name, provider: provider,
        longestInterval: worker.options.longestInterval)
    }
    let result: Result<Void, any Error>
    do {
      result = .success(try await work(following: feeds))
    } catch {
      result = .failure(error)
    }
    try? await uncancelled { try await registry.remove() }
    try result.get()
  }

  private func work(following feeds: [OrganizationFeed]) async throws {
    try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: Void.self) { group in
        if worker.options.endsWhenIdle {
          for feed in feeds { await ask(feed) }
        } else {
          for feed in feeds { group.addTask { await follow(feed) } }
        }
        for _ in 0..<max(worker.options.repositories, 1) {
          group.addTask { try await slot() }
        }
        do {
          while try await group.next() != nil {}
        } catch {
          // This makes the other slots give back their repositories.
          gate.close()
          group.cancelAll()
          throw error
        }
      }
    } onCancel: {
      gate.close()
    }
  }

  /// Reports that the worker lives, at most four times per lease. While the database is unavailable, it counts as dead.
  private func report() async {
    let (now, pause) = (elapsed(), worker.options.lease / 4)
    let isDue = state.withLock { state in
      guard now >= state.reportsAgainAt else { return false }
      state.reportsAgainAt = now + pause
      return true
    }
    if isDue { try? await registry.report() }
  }

  private func follow(_ feed: OrganizationFeed) async {
    while !Task.isCancelled {
      do {
        try await rest(state.withLock { $0.pausedUntil } - elapsed())
        await ask(feed)
        try await clock.sleep(for: worker.options.organizationInterval)
      } catch {
        return
      }
    }
  }

  /// Ignores problems with the network, the token or the database, because syncs report them too.
  private func ask(_ feed: OrganizationFeed) async {
    do {
      try await feed.ask(every: worker.options.organizationInterval)
    } catch let error as NetworkError {
      guard error.code != .cancelled, error.code != .rateLimited, !error.isNetworkAway,
        error.response?.status != .unauthorized, !(error.underlying is MirrorFailure)
      else { return }
      try? await feed.fail(error.message)
    } catch {}
  }

  private func slot() async throws {
    while !Task.isCancelled {
      do {
        try await rest(state.withLock { $0.pausedUntil } - elapsed())
        await report()
        if let claim = try await claim() {
          try await work(on: claim)
        } else if worker.options.endsWhenIdle {
          return
        } else {
          try await wait()
        }
      } catch is CancellationError {
        return
      } catch let failure as MirrorFailure where failure.code == .cancelled {
        return
      } catch let failure as MirrorFailure where failure.isPassing {
        await pause(failure.message)
      }
    }
  }

  private func wait() async throws {
    // Other workers may use the budget that this one doesn't need at the moment.
    if state.withLock({ $0.busy }) == 0 { await worker.giveBudgetBack() }
    let next = try await queue.timeUntilNext() ?? worker.options.longestWait
    // Waits at least briefly, because another worker may just have claimed the due repositories.
    try await rest(min(max(next, .milliseconds(100)), worker.options.longestWait))
  }

  private func rest(_ time: Duration) async throws {
    guard time > .zero else { return }
    try await clock.sleep(for: time)
  }

  /// Isn't canceled halfway, because every claim must be given back.
  private func claim() async throws -> RepositoryClaim? {
    let claim = try await uncancelled {
      try await queue.claim(for: worker.options.lease, by: worker.name)
    }
    if let claim {
      state.withLock { $0.busy += 1 }
      onEvent(
        .claimed(claim.name, reason: claim.reason, wasAbandoned: claim.wasAbandoned))
    }
    return claim
  }

  private enum Outcome: Sendable {
    case synced(Result<SyncReport, any Error>)
    case lost
    case overdue
  }

  private func work(on claim: RepositoryClaim) async throws {
    let outcome = await Task {
      defer { state.withLock { $0.busy -= 1 } }
      return await sync(claim)
    }.value
    switch outcome {
    case .lost, .overdue: break
    case .synced(.success(let report)): return try await finish(claim, report)
    case .synced(.failure(let error)): return try await handle(error, of: claim)
    }
    onEvent(.lostLease(claim.name))
  }

  /// Runs in a task that isn't canceled, because a stopping worker stores the pages that are still arriving.
  private func sync(_ claim: RepositoryClaim) async -> Outcome {
    await withTaskGroup(of: Outcome.self) { group in
      group.addTask {
        do {
          return .synced(.success(try await report(of: claim)))
        } catch {
          return .synced(.failure(error))
        }
      }
      group.addTask {
        await keep(claim)
        return .lost
      }
      group.addTask {
        await gate.closed()
        try? await clock.sleep(for: worker.options.grace)
        return .overdue
      }
      let first = await group.next()
      group.cancelAll()
      var outcome = first ?? .lost
      for await other in group {
        // A sync that the grace period has stopped may still have a result.
        if case .synced = other, case .overdue = outcome { outcome = other }
      }
      return outcome
    }
  }

  private func report(of claim: RepositoryClaim) async throws -> SyncReport {
    guard let name = RepositoryName(claim.name) else {
      throw MirrorFailure(.notMirrored, "“\(claim.name)” isn't the name of a repository.")
    }
    return try await RepositorySync(
      mirror: worker.mirror, provider: provider, server: worker.server, name: name,
      options: worker.options.sync, now: now
    ).run()
  }

  /// Renews the lease until it is lost or the task is canceled.
  private func keep(_ claim: RepositoryClaim) async {
    let lease = worker.options.lease
    // This is earlier than the end in the database, whose clock started later.
    var end = elapsed() + lease
    while !Task.isCancelled {
      do {
        try await clock.sleep(for: lease / 3)
      } catch {
        return
      }
      let began = elapsed()
      do {
        guard try await queue.renew(claim, for: lease) else { return }
        end = began + lease
        await report()
      } catch {
        // Retries after a third of the lease if enough time is left.
        if elapsed() + lease / 3 >= end { return }
      }
    }
  }

  private func finish(_ claim: RepositoryClaim, _ report: SyncReport) async throws {
    state.withLock { $0.troubles = 0 }
    var pace = claim.pace
    pace.note(
      changes: report.items.changes + report.comments.changes, after: claim.secondsSinceSync)
    let (shortest, longest) = (worker.options.shortestInterval, worker.options.longestInterval)
    let interval = pace.interval(within: min(shortest, longest)...max(shortest, longest))
    let noted = pace
    let probe = FeedProbe(
      repository: report.repository.id, listedInterval: worker.options.listedInterval,
      longestInterval: longest)
    let dueIn = try await uncancelled {
      try await queue.finish(
        claim, as: report.repository.fullName, noted, dueIn: interval, probe)
    }
    onEvent(
      dueIn.map { .finished(claim.name, report, dueIn: $0) } ?? .lostLease(claim.name))
  }

  private func handle(_ error: any Error, of claim: RepositoryClaim) async throws {
    if gate.isClosed { return try await giveBack(claim) }
    switch error {
    case let error as NetworkError where error.response?.status == .unauthorized:
      try await giveBack(claim)
      throw error
    case let error as NetworkError where error.code == .rateLimited:
      try await giveBack(claim)
      // The reason is the same for all workers and at all times, so that metrics can group by it.
      await pause("the server's limit of requests is used up", until: error.retryDate)
    case let error as NetworkError where error.isNetworkAway:
      try await giveBack(claim)
      await pause(error.message)
    case let error as NetworkError:
      guard let failure = error.underlying as? MirrorFailure else {
        return try await fail(claim, error.message)
      }
      try await handle(failure, of: claim)
    case let failure as MirrorFailure where failure.code == .notMirrored:
      try await fail(claim, failure.message)
    case let failure as MirrorFailure:
      if failure.isPassing { await pause(failure.message) }
      // If the database is unavailable, the lease expires.
      try? await giveBack(claim)
      if !failure.isPassing { throw failure }
    default:
      try await fail(claim, "\(error)")
    }
  }

  private func fail(_ claim: RepositoryClaim, _ reason: String) async throws {
    let delay = SyncPace.delay(afterFailures: claim.failures + 1)
    let isOwn = try await uncancelled {
      try await queue.fail(claim, reason, dueIn: delay)
    }
    onEvent(isOwn ? .failed(claim.name, reason, dueIn: delay) : .lostLease(claim.name))
  }

  private func giveBack(_ claim: RepositoryClaim) async throws {
    let isOwn = try await uncancelled { try await queue.giveBack(claim) }
    onEvent(isOwn ? .gaveBack(claim.name) : .lostLease(claim.name))
  }

  /// Stops claiming repositories for a while, longer with each outage.
  private func pause(_ reason: String) async {
    await pause(reason) { state in
      state.troubles += 1
      return min(.seconds(1 << min(state.troubles - 1, 10)), Self.longestPause)
    }
  }

  private func pause(_ reason: String, until date: Date?) async {
    let seconds = date?.timeIntervalSince(now()) ?? 60
    await pause(reason) { _ in min(max(.seconds(seconds), .seconds(1)), Self.longestLimit) }
  }

  /// Begins a pause, unless there is one: failures of other syncs in the meantime have the same cause.
  private func pause(_ reason: String, for time: (inout State) -> Duration) async {
    let now = elapsed()
    let time = state.withLock { state -> Duration? in
      guard state.pausedUntil <= now else { return nil }
      let time = time(&state)
      state.pausedUntil = now + time
      return time
    }
    guard let time else { return }
    onEvent(.paused(reason, time))
    try? await registry.report(pausing: (reason, time))
  }

  /// Runs a closure in a separate task that isn't canceled with the current one.
  private func uncancelled<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await Task { try await body() }.value
  }
}

extension SyncReport.Counts {
  fileprivate var changes: Int { inserted + updated + removed }
}

extension MirrorFailure {
  /// Whether the database may be available again soon.
  fileprivate var isPassing: Bool {
    [.cannotOpen, .full, .busy, .database, .queryTooCostly].contains(code)
  }
}
