internal import Locking

/// Probes while something is unreachable and somebody wants to know.
///
/// An object of its own, because its task keeps it, and must not keep the ``ProbingReachability``.
final class Prober: Sendable {
  private struct Run: Sendable {
    let id: Int
    var task: Task<Void, Never>?
  }

  private struct Pause: Sendable {
    let length: Duration
    let end: Deadline
  }

  private struct State: Sendable {
    /// The time before the next probe.
    var pause: Pause?
    /// The task that probes, if one does.
    var run: Run?
    var lastRun = 0
  }

  let isReachable = Current(true)
  private let pauses: ClosedRange<Duration>
  private let clock: any Clock<Duration>
  private let probe: @Sendable () async -> Bool
  private let state = Locked(State())

  init(
    pauses: ClosedRange<Duration>, clock: any Clock<Duration>,
    probe: @escaping @Sendable () async -> Bool
  ) {
    self.pauses = pauses
    self.clock = clock
    self.probe = probe
  }

  func reportFailure() {
    guard isReachable.value else { return }
    let pause = pause(of: pauses.lowerBound)
    state.withLock { $0.pause = pause }
    isReachable.change(to: false)
    reconsider()
  }

  /// Ends the watchers, and whatever is under way.
  func end() {
    isReachable.finish()
    // Which the watchers are no longer told: it makes probing needless.
    isReachable.change(to: true)
    reconsider()
  }

  /// Starts or stops probing after something has changed that decides whether it is needed.
  ///
  /// What decides is looked at under the lock, so that the last one to call sees it as it stays.
  func reconsider() {
    let (start, stale) = state.withLock { state -> (Int?, Task<Void, Never>?) in
      let isNeeded = !isReachable.value && isReachable.watcherCount > 0
      guard isNeeded != (state.run != nil) else { return (nil, nil) }
      guard isNeeded else { return (nil, state.run.take()?.task) }
      state.lastRun += 1
      state.run = Run(id: state.lastRun)
      return (state.lastRun, nil)
    }
    stale?.cancel()
    guard let start else { return }
    let task = Task { await run(start) }
    let isLate = state.withLock { state in
      guard state.run?.id == start else { return true }
      state.run?.task = task
      return false
    }
    if isLate { task.cancel() }
  }

  private func run(_ id: Int) async {
    while let pause = state.withLock({ $0.run?.id == id ? $0.pause : nil }),
      (try? await pause.end()) != nil
    {
      if await probe() { return reached(by: id) }
      let next = self.pause(of: min(pause.length * 2, pauses.upperBound))
      state.withLock { state in
        if state.run?.id == id { state.pause = next }
      }
    }
  }

  private func reached(by id: Int) {
    // The answer of a probe that was cancelled doesn't count.
    guard state.withLock({ $0.run?.id == id }) else { return }
    isReachable.change(to: true)
    state.withLock { state in
      if state.run?.id == id { state.run = nil }
    }
    // A failure may have been reported while this run still seemed to care for it.
    reconsider()
  }

  private func pause(of length: Duration) -> Pause {
    Pause(length: length, end: clock.deadline(in: length))
  }
}
