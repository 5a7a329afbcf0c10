import IssueTracker
import PlatformModules
import StyledText
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("The notice of a wait", .timeLimit(.minutes(5)))
struct WaitNoticeTests {
  private let terminal: PseudoTerminal
  private let clock = TestClock()
  private let progress: Progress
  private let until = Date(timeIntervalSince1970: 1_800_000_000)

  init() throws {
    terminal = try PseudoTerminal()
    progress = Progress(isEnabled: true, descriptor: terminal.slave, clock: TestClock())
  }

  private func notice(_ form: WaitNotice.Form) -> WaitNotice {
    WaitNotice(
      server: .github, form: form, progress: progress,
      errors: ErrorOutput(descriptor: terminal.slave, progress: progress), clock: clock)
  }

  private func pause(
    _ phase: RateLimitPause.Phase, _ seconds: Double,
    reason: RateLimitPause.Reason = .secondaryLimit, resource: String? = nil
  ) -> RateLimitPause {
    RateLimitPause(phase, reason, resource: resource, duration: .seconds(seconds), until: until)
  }

  private func line(_ countdown: String, reason: String = "Rate limited") -> String {
    let time = LocalTime.hoursAndMinutes(of: until)
    return "\r\(reason): continuing in \(countdown), at \(time)\u{1B}[K"
  }

  @Test("the status line counts down by the second, and is restored afterwards")
  func countdown() async throws {
    let notice = notice(.countdown)
    progress.update("Loading…")
    notice.tell(pause(.began, 62.5))
    #expect(await terminal.readNext() == line("1:03"))
    for (step, text) in [(0.5, "1:02"), (1, "1:01"), (1, "1:00"), (1, "0:59")] {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(step))
      #expect(await terminal.readNext() == line(text))
    }
    // Rows may come meanwhile, and the status that they bring is shown afterwards.
    progress.update("Loading… 100 so far")
    #expect(terminal.read() == "")
    notice.tell(pause(.ended, 0))
    #expect(await terminal.readNext() == "\rLoading… 100 so far\u{1B}[K")
    while clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test("an extended wait restarts the countdown")
  func extended() async throws {
    let notice = notice(.countdown)
    notice.tell(pause(.began, 2))
    #expect(await terminal.readNext() == line("0:02"))
    notice.tell(pause(.extended, 3600))
    #expect(await terminal.readNext() == line("1:00:00"))
    notice.tell(pause(.ended, 0))
    #expect(await terminal.readNext() == "\r\u{1B}[K")
  }

  @Test("the end of another wait doesn't change the notice")
  func another() async throws {
    let notice = notice(.countdown)
    notice.tell(pause(.began, 9, reason: .pacing))
    #expect(await terminal.readNext() == line("0:09", reason: "Slowing down"))
    notice.tell(pause(.ended, 0))
    #expect(terminal.read() == "")
    notice.tell(pause(.ended, 0, reason: .pacing))
    #expect(await terminal.readNext() == "\r\u{1B}[K")
  }

  @Test("of two waits, the longer one is shown, and then the other one")
  func two() async throws {
    let notice = notice(.countdown)
    notice.tell(pause(.began, 60))
    #expect(await terminal.readNext() == line("1:00"))
    notice.tell(pause(.began, 600, reason: .primaryLimit, resource: "core"))
    #expect(await terminal.readNext() == line("10:00"))
    notice.tell(pause(.ended, 0))
    notice.tell(pause(.began, 30))
    // The next window has begun early.
    notice.tell(pause(.ended, 0, reason: .primaryLimit, resource: "core"))
    #expect(await terminal.readNext() == line("0:30"))
    notice.tell(pause(.ended, 0))
    #expect(await terminal.readNext() == "\r\u{1B}[K")
  }

  @Test("a countdown stops when its notice is released")
  func released() async throws {
    do {
      let notice = notice(.countdown)
      notice.tell(pause(.began, 9))
      #expect(await terminal.readNext() == line("0:09"))
      try await clock.sleepers(atLeast: 1)
    }
    while clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test("a pipe gets one line for a wait, with the time in UTC")
  func pipe() {
    let notice = notice(.line)
    notice.tell(pause(.began, 9))
    #expect(
      terminal.read()
        == "issues: rate limited by github.com: waiting until 2027-01-15T08:00:00Z "
        + "(--wait 0 stops instead)\n")
    notice.tell(pause(.extended, 20))
    notice.tell(pause(.ended, 0))
    #expect(terminal.read() == "")
    notice.tell(pause(.began, 9, reason: .pacing))
    #expect(
      terminal.read()
        == "issues: github.com accepts no more requests this minute: waiting until "
        + "2027-01-15T08:00:00Z\n")
  }

  @Test("with a pager, no notice is written")
  func pager() {
    let notice = notice(.none)
    for phase in [.began, .extended, .ended] as [RateLimitPause.Phase] {
      notice.tell(pause(phase, 9))
    }
    #expect(terminal.read() == "")
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "the remaining time is rounded up",
    arguments: [
      (0, "0:00"), (0.1, "0:01"), (59, "0:59"), (59.5, "1:00"), (3599.2, "1:00:00"),
      (86_400, "24:00:00"), (-5, "0:00"),
    ] as [(Double, String)])
  func rounding(seconds: Double, text: String) {
    #expect(LocalTime.countdown(.seconds(seconds)) == text)
  }

  @Test("a notice replaces the status at once, and is erased afterwards")
  func machine() {
    var machine = ProgressStateMachine()
    #expect(machine.notice("wait") == .draw("wait"))
    #expect(machine.notice("wait") == .none)
    #expect(machine.notice(nil) == .erase)
    machine = ProgressStateMachine()
    #expect(machine.update("a") == .startTimer)
    #expect(machine.notice("wait") == .draw("wait"))
    #expect(machine.update("b") == .none)
    #expect(machine.timerFired() == .none)
    #expect(machine.suspend() == .erase)
    #expect(machine.resume() == .draw("wait"))
    #expect(machine.notice(nil) == .draw("b"))
    #expect(machine.finish() == .erase)
    #expect(machine.notice("late") == .none)
  }
}
