import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Progress", .timeLimit(.minutes(5)))
struct ProgressTests {
  @Test("a status line appears after a second, is rewritten, and is erased at its end")
  func life() async throws {
    let (terminal, clock, progress) = try setUp()
    progress.update("Loading issues…")
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(999))
    progress.update("Loading issues… 100 so far")
    #expect(terminal.read() == "")
    clock.advance(by: .milliseconds(1))
    #expect(await terminal.readNext() == "\rLoading issues… 100 so far\u{1B}[K")
    progress.update("Loading issues… 200 so far")
    #expect(terminal.read() == "\rLoading issues… 200 so far\u{1B}[K")
    progress.update("Loading issues… 200 so far")
    #expect(terminal.read() == "")
    progress.finish()
    #expect(terminal.read() == "\r\u{1B}[K")
    progress.update("too late")
    progress.finish()
    #expect(terminal.read() == "")
  }

  @Test("a status of less than a second isn't shown")
  func quick() async throws {
    let (terminal, clock, progress) = try setUp()
    progress.update("Loading issues…")
    try await clock.sleepers(atLeast: 1)
    progress.finish()
    clock.advance(by: .seconds(5))
    #expect(terminal.read() == "")
  }

  @Test("the status line is erased while rows and messages are written, and restored afterwards")
  func sharing() async throws {
    let (terminal, clock, progress) = try setUp()
    let output = Output(descriptor: terminal.slave, progress: progress)
    let messages = ErrorOutput(descriptor: terminal.slave, progress: progress)
    progress.update("Loading…")
    try await clock.sleepers(atLeast: 1)
    try await output.write("row 1\n")
    #expect(terminal.read() == "row 1\n")
    clock.advance(by: .seconds(1))
    #expect(await terminal.readNext() == "\rLoading…\u{1B}[K")
    try await output.write("row 2\n")
    #expect(terminal.read() == "\r\u{1B}[Krow 2\n\rLoading…\u{1B}[K")
    messages.write("careful")
    #expect(terminal.read() == "\r\u{1B}[Kcareful\n\rLoading…\u{1B}[K")
  }

  @Test("a status line isn't drawn over a question, and isn't restored after it")
  func question() async throws {
    let (terminal, clock, progress) = try setUp()
    let none = World.Stream(descriptor: -1)
    let world = World(environment: [:], input: none, output: none, errors: none)
    world.progress.withLock { $0 = progress }
    progress.update("Looking up…")
    try await clock.sleepers(atLeast: 1)
    let paused = try #require(world.giveWay())
    clock.advance(by: .seconds(1))
    progress.update("Asking again…")
    progress.notice("Waiting for the limit")
    #expect(terminal.read() == "")
    progress.notice(nil)
    progress.update("")
    paused.resume()
    #expect(terminal.read() == "")
    progress.update("Sending…")
    #expect(await terminal.readNext() == "\rSending…\u{1B}[K")
    #expect(world.giveWay() != nil)
    #expect(terminal.read() == "\r\u{1B}[K")
    paused.resume()
    #expect(terminal.read() == "")
  }

  @Test("with a pager, the status line isn't restored")
  func pager() async throws {
    let (terminal, clock, progress) = try setUp()
    let file = try ScratchFile()
    let output = Output(descriptor: file.descriptor, progress: progress, sharesScreen: false)
    progress.update("Loading…")
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(await terminal.readNext() == "\rLoading…\u{1B}[K")
    try await output.write("row\n")
    progress.update("Loading… 100 so far")
    #expect(terminal.read() == "\r\u{1B}[K")
  }

  @Test("the status line is cut to the window and neutralized")
  func narrow() async throws {
    let (terminal, clock, progress) = try setUp()
    try terminal.resize(columns: 12)
    progress.update("Loading\u{1B}[2J issues")
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(await terminal.readNext() == "\rLoading^[[…\u{1B}[K")
  }

  @Test("a disabled status line writes nothing and doesn't wait")
  func disabled() throws {
    let (terminal, clock, progress) = try setUp(isEnabled: false)
    progress.update("Loading…")
    progress.suspend()
    progress.resume()
    progress.finish()
    #expect(clock.sleeperCount == 0)
    #expect(terminal.read() == "")
  }

  @Test(
    "a status line needs a terminal that can rewrite it",
    arguments: [
      (true, "xterm", true), (true, "dumb", false), (true, nil, false), (false, "xterm", false),
    ] as [(Bool, String?, Bool)])
  func possible(isTerminal: Bool, term: String?, expected: Bool) {
    var environment: [String: String] = [:]
    environment["TERM"] = term
    #expect(
      Progress.isPossible(on: .init(isTerminal: isTerminal), environment: environment) == expected)
  }

  @Test("two suspensions end with the second resumption")
  func nested() {
    var machine = ProgressStateMachine()
    #expect(machine.update("a") == .startTimer)
    #expect(machine.timerFired() == .draw("a"))
    #expect(machine.suspend() == .erase)
    #expect(machine.suspend() == .none)
    #expect(machine.resume() == .none)
    #expect(machine.update("b") == .none)
    #expect(machine.resume() == .draw("b"))
    #expect(machine.timerFired() == .none)
    #expect(machine.finish() == .erase)
    #expect(machine.resume() == .none)
  }

  private func setUp(isEnabled: Bool = true) throws -> (PseudoTerminal, TestClock, Progress) {
    let terminal = try PseudoTerminal()
    let clock = TestClock()
    return (
      terminal, clock,
      Progress(isEnabled: isEnabled, descriptor: terminal.slave, clock: clock)
    )
  }
}
