internal import IssueTracker
internal import Locking

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Says that requests wait for a rate limit: to a person by a countdown in the status line, to a log by a
/// line.
final class WaitNotice: Sendable {
  /// How a wait is told.
  enum Form: Sendable {
    /// By the status line, which goes when the wait is over.
    case countdown
    /// By one line on standard error when the wait begins.
    case line
    /// Not at all: a pager has the screen to itself.
    case none
  }

  private struct State: Sendable {
    var countdown: (of: RateLimitPause, task: Task<Void, Never>)?
    /// Tells countdowns apart: one that has just woken mustn't draw after the next has.
    var generation = 0
  }

  private let state = Locked(State())
  private let server: GitHubServer
  private let form: Form
  private let progress: Progress
  private let errors: ErrorOutput
  private let clock: any Clock<Duration>

  init(
    server: GitHubServer, form: Form, progress: Progress, errors: ErrorOutput,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.server = server
    self.form = form
    self.progress = progress
    self.errors = errors
    self.clock = clock
  }

  deinit {
    state.withLock { $0.countdown?.task }?.cancel()
  }

  /// Is told of a wait.
  func tell(_ pause: RateLimitPause) {
    switch form {
    case .none: break
    case .line: if pause.phase == .began { errors.write(line(pause)) }
    case .countdown: pause.phase == .ended ? finish(pause) : countDown(pause)
    }
  }

  private func line(_ pause: RateLimitPause) -> String {
    let time = Timestamp.string(from: pause.until)
    return switch pause.reason {
    case .primaryLimit, .secondaryLimit:
      "issues: rate limited by \(server): waiting until \(time) (--wait 0 stops instead)"
    case .pacing:
      "issues: \(server) takes no more requests in a minute: waiting until \(time)"
    }
  }

  // MARK: The countdown

  private func countDown(_ pause: RateLimitPause) {
    let replaced = state.withLock { state in
      let replaced = state.countdown?.task
      state.generation += 1
      let generation = state.generation
      let task = Task { [weak self, clock] in
        await clock.countDown(pause.duration) { [weak self] left in
          self?.draw(pause, left: left, generation)
        }
      }
      state.countdown = (pause, task)
      return replaced
    }
    replaced?.cancel()
  }

  private func draw(_ pause: RateLimitPause, left: Duration, _ generation: Int) {
    let reason = pause.reason == .pacing ? "Slowing down" : "Rate limited"
    let time = LocalTime.hoursAndMinutes(of: pause.until)
    let text = "\(reason): going on in \(LocalTime.countdown(left)), at \(time)"
    // Under the lock, so that what is on the screen is what the state says.
    state.withLock { state in
      if state.generation == generation { progress.notice(text) }
    }
  }

  private func finish(_ pause: RateLimitPause) {
    let task: Task<Void, Never>? = state.withLock { state in
      guard let shown = state.countdown, shown.of.reason == pause.reason,
        shown.of.resource == pause.resource
      else { return nil }
      state.countdown = nil
      state.generation += 1
      progress.notice(nil)
      return shown.task
    }
    task?.cancel()
  }
}

extension Clock where Duration == Swift.Duration {
  /// Tells what is left of a time span, now and then at every whole second, until nothing is left.
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
