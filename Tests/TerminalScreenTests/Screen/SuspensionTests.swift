import PlatformModules
import TestSupport
import Testing

@Suite(
  "Suspending and continuing", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: ProbeRun.hasShell, "dash is not installed"))
struct SuspensionTests {
  /// A shell that waits for Enter while the probe is stopped, and then brings it back, on a terminal with the shell's
  /// initial settings, which an interactive shell restores too.
  private static let script = """
    saved=$(stty -g); "$0" palette show=plain:hello events; echo mid=$(stty -g)=
    read -r x; stty "$saved"; fg; echo status=$?=
    """

  private static func settings(_ name: String, in output: String) -> String? {
    output.section(after: "\(name)=", before: "=")
  }

  /// The output after the shell brought the probe back.
  private static func afterwards(_ output: String) -> String? {
    output.section(after: "mid=", before: "after=")
  }

  @Test(
    "Ctrl-Z returns the terminal, and fg redraws everything at the window's new size")
  func key() async throws {
    let probe = try ProbeRun(script: Self.script)
    try await probe.report("resized 80x24")
    probe.run.write("\u{1A}")
    let soFar = try await probe.run.waitFor("mid=")
    #expect(soFar.contains("\u{1B}[?1049l"))
    #expect(soFar.contains("\u{1B}[?2004l"))
    probe.run.resize(columns: 90, rows: 30)
    probe.run.write("\n")
    try await probe.report("resized 90x30")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(Self.settings("mid", in: output) == Self.settings("before", in: output))
    #expect(Self.settings("after", in: output) == Self.settings("before", in: output))
    let after = try #require(Self.afterwards(output))
    for sequence in ["\u{1B}[?1049h", "\u{1B}[?2004h", "\u{1B}[?1006;1000h"] {
      #expect(after.contains(sequence))
    }
    #expect(output.contains("status=0="))
  }

  @Test("the same picture is redrawn in a window of the same size")
  func repaint() async throws {
    let probe = try ProbeRun(script: Self.script)
    try await probe.report("resized 80x24")
    probe.run.write("\u{1A}")
    try await probe.run.waitFor("mid=")
    probe.run.write("\n")
    try await probe.report("resumed")
    probe.run.write("q")
    let after = Self.afterwards(try await probe.run.result().outputText)
    #expect(
      after?.section(after: "\u{1B}[?1049h", before: ProbeRun.mark("resumed"))?
        .contains("hello") == true)
  }

  @Test(
    "an external SIGTSTP or SIGSTOP suspends the screen, which then redraws everything",
    arguments: [SIGTSTP, SIGSTOP])
  func signals(number: Int32) async throws {
    let probe = try ProbeRun(script: Self.script)
    try await probe.report("resized 80x24")
    try await probe.signalProbe(number)
    let soFar = try await probe.run.waitFor("mid=")
    #expect(soFar.contains("\u{1B}[?1049l") == (number == SIGTSTP))
    probe.run.write("\n")
    try await probe.run.waitFor(number == SIGTSTP ? "\n" : "\u{1B}[?1049l")
    // Typed before the program has the terminal again, and read after that.
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(Self.settings("after", in: output) == Self.settings("before", in: output))
    #expect(
      Self.afterwards(output)?.section(
        after: "\u{1B}[?1049h", before: ProbeRun.mark("done events"))?
        .contains("hello") == true)
    #expect(output.contains("status=0="))
  }

  @Test("a screen continued in the background waits for the foreground")
  func background() async throws {
    let probe = try ProbeRun(
      script: #""$0" palette show=plain:hello events; bg; echo mid=$(stty -g)=; read -r x; "#
        + #"echo end-of-read; fg; echo status=$?="#)
    try await probe.report("resized 80x24")
    probe.run.write("\u{1A}")
    try await probe.run.waitFor("mid=")
    probe.run.write("\n")
    try await probe.report("resumed")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(output.section(after: "mid=", before: "end-of-read")?.contains("\u{1B}") == false)
    #expect(Self.settings("mid", in: output) == Self.settings("before", in: output))
    #expect(output.contains("status=0="))
  }

  @Test("a screen started in the background waits for the foreground")
  func startedInBackground() async throws {
    let probe = try ProbeRun(
      script: #""$0" palette events & echo started; read -r x; echo end-of-read; fg; "#
        + "echo status=$?=")
    try await probe.run.waitFor("started")
    probe.run.write("\n")
    try await probe.report("resized 80x24")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(output.section(after: "started", before: "end-of-read")?.contains("\u{1B}") == false)
    #expect(output.contains("status=0="))
    #expect(Self.settings("after", in: output) == Self.settings("before", in: output))
  }

  @Test("the screen doesn't stop if no shell could continue it")
  func orphan() async throws {
    let probe = try ProbeRun("show=plain:hello", "events", "close")
    try await probe.report("resized 80x24")
    probe.run.write("\u{1A}")
    try await probe.report("resumed")
    probe.run.write("q")
    #expect(try await probe.run.result().status == .exited(0))
  }
}
