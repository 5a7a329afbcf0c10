import PlatformModules
import TestSupport
import Testing

@Suite("Lending the terminal to another program", .serialized, .timeLimit(.minutes(5)))
struct LoanTests {
  /// Prints the terminal's settings, and waits for Enter.
  private static let editor = "echo mid=$(stty -g)=; read -r x; echo got=$x="

  private static func afterwards(_ output: String) -> String? {
    output.section(after: "got=", before: ProbeRun.mark("done lend"))
  }

  @Test(
    "the program gets the shell's terminal settings, and then the newest picture returns",
    .enabled(if: ProbeRun.hasShell, "dash is not installed"))
  func borrowed() async throws {
    let probe = try ProbeRun(
      script: #""$0" palette show=plain:hello lend='\#(Self.editor)' events; echo status=$?="#)
    try await probe.run.waitFor("mid=")
    probe.run.write("typed\n")
    try await probe.report("done lend")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    let before = output.section(after: "before=", before: "=")
    #expect(before != nil)
    #expect(output.section(after: "mid=", before: "=") == before)
    #expect(output.section(after: "after=", before: "=") == before)
    // Nothing is drawn meanwhile, and no key of the program's reaches the screen.
    #expect(output.section(after: "mid=", before: "got=")?.contains("\u{1B}") == false)
    #expect(output.contains("got=typed="))
    #expect(!output.contains(ProbeRun.mark("key character(\"t\")")))
    let restored = try #require(Self.afterwards(output))
    for text in ["\u{1B}[?1049h", "\u{1B}[?2004h", "hello", "drawn meanwhile"] {
      #expect(restored.contains(text), "\(text.debugDescription)")
    }
    #expect(output.contains(ProbeRun.mark("status 0")))
    #expect(output.contains("status=0="))
  }

  @Test("a window resized during the loan is reported")
  func resized() async throws {
    let probe = try ProbeRun("show=plain:hello", "lend=\(Self.editor)", "events")
    try await probe.run.waitFor("mid=")
    probe.run.resize(columns: 90, rows: 30)
    probe.run.write("\n")
    try await probe.report("resized 90x30")
    probe.run.write("q")
    let result = try await probe.run.result()
    #expect(result.status == .exited(0))
    #expect(Self.afterwards(result.outputText)?.contains("hello") == true)
  }

  @Test("Ctrl-C and Ctrl-\\ end the borrowing program and not the screen")
  func interrupts() async throws {
    for (key, number) in [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)] {
      let probe = try ProbeRun(
        "show=plain:hello", "lend=ulimit -c 0; \(Self.editor)", "events", "close")
      try await probe.run.waitFor("mid=")
      probe.run.write(key)
      try await probe.report("status \(number)")
      probe.run.write("x\u{3}q")
      let result = try await probe.run.result()
      #expect(result.status == .exited(0))
      // A key again, as before.
      #expect(result.outputText.contains(ProbeRun.mark("key interrupt")))
    }
  }

  @Test("a fatal signal restores the terminal even after a loan")
  func signalAfterwards() async throws {
    let probe = try ProbeRun("lend=:", "events")
    try await probe.report("done lend")
    try await probe.signalProbe(SIGINT)
    let result = try await probe.run.result()
    #expect(result.status == .signalled(SIGINT))
    let end = result.outputText.section(after: ProbeRun.mark("done lend"), before: "[?1049l")
    #expect(end != nil)
  }

  @Test(
    "the screen works after a program leaves the terminal in disorder",
    .enabled(if: ProbeRun.hasShell, "dash is not installed"))
  func disorder() async throws {
    let probe = try ProbeRun(
      script: #""$0" palette lend="stty raw -echo -opost" events; echo status=$?="#)
    try await probe.report("done lend")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    let before = output.section(after: "before=", before: "=")
    #expect(before != nil)
    #expect(output.section(after: "after=", before: "=") == before)
  }

  @Test(
    "Ctrl-Z stops the screen and the program, and fg continues both",
    .enabled(if: ProbeRun.hasShell, "dash is not installed"))
  func stopped() async throws {
    let probe = try ProbeRun(
      script: #""$0" palette show=plain:hello lend='\#(Self.editor)' events; echo stopped=; "#
        + "fg; echo status=$?=")
    try await probe.run.waitFor("mid=")
    probe.run.write("\u{1A}")
    try await probe.run.waitFor("stopped=")
    probe.run.write("typed\n")
    try await probe.report("done lend")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(output.section(after: "mid=", before: "got=")?.contains("\u{1B}") == false)
    #expect(Self.afterwards(output)?.contains("hello") == true)
    #expect(output.contains("status=0="))
  }
}
