internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Reports that requests wait for a rate limit, with a countdown on the status line or with a line in a log.
final class WaitNotice: Sendable {
  enum Form: Sendable {
    case countdown
    /// A line at the beginning of the wait.
    case line
    /// No report, because a pager owns the screen.
    case none
  }

  private struct Wait: Sendable, Equatable {
    let pause: RateLimitPause
    /// The end of the wait, as measured by ``elapsed``.
    let end: Duration

    func isMeant(by other: RateLimitPause) -> Bool {
      pause.reason == other.reason && pause.resource == other.resource
    }
  }

  private struct State: Sendable {
    var waits: [Wait] = []
    var countdown: Task<Void, Never>?
    /// The number of the current countdown. It prevents an old countdown that has just woken up from drawing.
    var generation = 0

    /// The longest wait, which is the one to show.
    var longest: Wait? { waits.max { $0.end < $1.end } }
  }

  private let state = Locked(State())
  private let server: GitHubServer
  private let form: Form
  private let progress: Progress
  private let errors: ErrorOutput
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration

  init(
    server: GitHubServer, form: Form, progress: Progress, errors: ErrorOutput,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.server = server
    self.form = form
    self.progress = progress
    self.errors = errors
    self.clock = clock
    elapsed = clock.stopwatch()
  }

  deinit {
    state.withLock { $0.countdown }?.cancel()
  }

  func tell(_ pause: RateLimitPause) {
    switch form {
    case .none: break
    case .line: if pause.phase == .began { errors.write(line(pause)) }
    case .countdown: count(pause)
    }
  }

  private func line(_ pause: RateLimitPause) -> String {
    let time = Timestamp.string(from: pause.until)
    return switch pause.reason {
    case .primaryLimit, .secondaryLimit:
      "issues: rate limited by \(server): waiting until \(time) (--wait 0 stops instead)"
    case .pacing:
      "issues: \(server) accepts no more requests this minute: waiting until \(time)"
    }
  }

  // MARK: The countdown

  private func count(_ pause: RateLimitPause) {
    let now = elapsed()
    let replaced: Task<Void, Never>? = state.withLock { state in
      let shown = state.longest
      state.waits.removeAll { $0.isMeant(by: pause) }
      if pause.phase != .ended {
        state.waits.append(Wait(pause: pause, end: now + pause.duration))
      }
      let longest = state.longest
      guard longest != shown else { return nil }
      state.generation += 1
      defer { state.countdown = longest.map { countDown($0, from: now, state.generation) } }
      if longest == nil { progress.notice(nil) }
      return state.countdown
    }
    replaced?.cancel()
  }

  private func countDown(
    _ wait: Wait, from now: Duration, _ generation: Int
  ) -> Task<Void, Never> {
    Task { [weak self, clock] in
      await clock.countDown(wait.end - now) { [weak self] left in
        self?.draw(wait.pause, left: left, generation)
      }
    }
  }

  private func draw(_ pause: RateLimitPause, left: Duration, _ generation: Int) {
    let reason = pause.reason == .pacing ? "Slowing down" : "Rate limited"
    let time = LocalTime.hoursAndMinutes(of: pause.until)
    let text = "\(reason): continuing in \(LocalTime.countdown(left)), at \(time)"
    // This happens under the lock, so that the screen and the state agree.
    state.withLock { state in
      if state.generation == generation { progress.notice(text) }
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Calls the closure now and at every full second, until the duration has passed.
  fileprivate func countDown(
    _ duration: Duration, _ tell: @Sendable (Duration) -> Void
  ) async {
    let end = now.advanced(by: duration)
    while true {
      let left = now.duration(to: end)
      guard left > .zero, !Task.isCancelled else { return }
      tell(left)
      let fraction = left.components.attoseconds
      let step: Duration =
        fraction > 0
        ? Duration(secondsComponent: 0, attosecondsComponent: fraction) : .seconds(1)
      guard (try? await sleep(for: step)) != nil else { return }
    }
  }
}
