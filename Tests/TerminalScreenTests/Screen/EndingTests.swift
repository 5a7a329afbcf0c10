import PlatformModules
import TestSupport
import Testing

@Suite(
  "Restoring the terminal at the end", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: ProbeRun.hasShell, "dash is not installed"))
struct EndingTests {
  /// The sequences that undo the screen's changes.
  private static let restoration = [
    "\u{1B}[?2004l", "\u{1B}[?1006;1000l", "\u{1B}[?25h", "\u{1B}[?1l", "\u{1B}[?1049l",
  ]

  /// The terminal's settings, as the shell printed them.
  private static func settings(_ name: String, in output: String) -> String? {
    output.section(after: "\(name)=", before: "=")
  }

  private static func expectRestored(_ output: String) {
    let written = output.section(after: ProbeRun.mark("open"), before: "after=") ?? ""
    for sequence in restoration {
      #expect(written.contains(sequence), "\(sequence.debugDescription)")
    }
    let before = settings("before", in: output)
    #expect(before != nil)
    #expect(settings("after", in: output) == before)
  }

  @Test(
    "a normal end, exit(3) and releasing the screen restore the terminal",
    arguments: [("show=plain:hello close", 0), ("show=plain:hello exit", 7), ("drop", 0)])
  func orderly(steps: String, status: Int) async throws {
    let probe = try ProbeRun(script: #""$0" palette \#(steps); echo status=$?="#)
    let output = try await probe.run.result().outputText
    Self.expectRestored(output)
    #expect(output.contains("status=\(status)="))
  }

  @Test(
    "an external signal restores the terminal and is visible to the parent process",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGALRM])
  func signals(number: Int32) async throws {
    let probe = try ProbeRun(script: #""$0" palette show=plain:hello events; echo status=$?="#)
    try await probe.report("resized 80x24")
    try await probe.signalProbe(number)
    let output = try await probe.run.result().outputText
    Self.expectRestored(output)
    #expect(output.contains("status=\(128 + number)="))
  }

  @Test(
    "a crash restores the terminal and is visible to the parent process",
    arguments: [
      ("address", [SIGSEGV]), ("overflow", [SIGSEGV]), ("trap", [SIGILL, SIGTRAP]),
      ("abort", [SIGABRT]), ("\(SIGBUS)", [SIGBUS]), ("\(SIGFPE)", [SIGFPE]),
      ("\(SIGTRAP)", [SIGTRAP]),
    ] as [(String, [Int32])])
  func crashes(kind: String, numbers: [Int32]) async throws {
    let probe = try ProbeRun(
      script: #""$0" palette show=plain:hello crash=\#(kind); echo status=$?="#)
    let output = try await probe.run.result().outputText
    Self.expectRestored(output)
    #expect(numbers.contains { output.contains("status=\(128 + $0)=") })
  }

  @Test("SIGKILL doesn't restore the terminal, which proves that the other tests are effective")
  func kill() async throws {
    let probe = try ProbeRun(script: #""$0" palette events; echo status=$?="#)
    try await probe.report("resized 80x24")
    try await probe.signalProbe(SIGKILL)
    let output = try await probe.run.result().outputText
    #expect(Self.settings("after", in: output) != Self.settings("before", in: output))
    #expect(!output.contains("\u{1B}[?1049l"))
  }

  @Test("a signal during drawing doesn't leave output on the restored terminal", arguments: 1...10)
  func whileDrawing(round: Int) async throws {
    let probe = try ProbeRun(script: #""$0" palette flood; echo status=$?="#)
    try await probe.report("drawn \(round * 10)")
    try await probe.signalProbe(SIGTERM)
    let output = try await probe.run.result().outputText
    Self.expectRestored(output)
    let tail = output.section(after: "\u{1B}[?1049l", before: "after=") ?? ""
    #expect(!tail.contains("flood\u{1B}") && !tail.contains("\u{1B}[1"), "\(tail.debugDescription)")
    #expect(tail.contains("status=\(128 + SIGTERM)="))
  }

  @Test("an ignored signal stays ignored by the screen")
  func ignored() async throws {
    let probe = try ProbeRun(
      script: #"(trap '' HUP TERM; "$0" palette events close); echo status=$?="#)
    try await probe.report("resized 80x24")
    try await probe.signalProbe(SIGHUP)
    try await probe.signalProbe(SIGTERM)
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(output.contains("status=0="))
    Self.expectRestored(output)
  }
}
