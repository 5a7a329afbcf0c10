import TestSupport
import Testing

/// The screen inside a real tmux, which has this test as its terminal.
@Suite(
  "The screen inside tmux", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: ProbeRun.hasTmux, "tmux is not installed"))
struct TmuxTests {
  /// Runs the probe in a server of its own, after commands of tmux's.
  private static func output(
    of steps: [String], after commands: [String] = [], name: String,
    whileRunning body: (CommandRun) async throws -> Void = { _ in }
  ) async throws -> String {
    let command = (["exec", try BuiltProducts.path(of: "screen-probe"), "palette"] + steps)
      .joined(separator: " ")
    let run = try CommandRun(
      ProbeRun.tmux,
      ["-L", "screen-\(name)-\(UInt32.random(in: 0...UInt32.max))", "-f", "/dev/null"] + commands
        + ["new-session", command],
      environment: ProbeRun.environment.merging(["TERM": "xterm-256color"]) { $1 },
      connection: .terminal(columns: 80, rows: 24), input: nil)
    try await body(run)
    return try await run.result().outputText
  }

  @Test("tmux's responses never count as typing")
  func answers() async throws {
    let output = try await Self.output(
      of: ["show=plain:hello", "events", "close"], name: "answers"
    ) { run in
      try await run.waitFor("resized 80x")
      run.write("x")
      try await run.waitFor("key character(\"x\")")
      run.write("q")
    }
    #expect(output.split(separator: "key ").count == 3, "\(output.debugDescription)")
  }

  @Test(
    "copied text reaches the outer terminal by each method tmux allows",
    arguments: [
      ["set-option", "-s", "set-clipboard", "on", ";"],
      ["set-option", "-g", "allow-passthrough", "on", ";"],
    ])
  func copying(options: [String]) async throws {
    // "#42 in base64" in base64.
    let sequence = "]52;c;IzQyIGluIGJhc2U2NA=="
    let output = try await Self.output(
      of: ["events", "'copy=#42 in base64'", "again", "close"], after: options, name: "copy"
    ) { run in
      // Before that, tmux may have no terminal yet.
      try await run.waitFor("resized 80x")
      run.write("q")
    }
    #expect(output.contains(sequence) || output.contains("]52;;IzQyIGluIGJhc2U2NA=="))
  }
}
