import TestSupport
import Testing

@Suite("Commands run by a test", .timeLimit(.minutes(5)))
struct CommandRunTests {
  @Test("a command gets its arguments, environment and input, and its streams are separate")
  func pipes() async throws {
    let result = try await CommandRun.run(
      "/bin/sh", ["-c", #"read line; echo "$1:$X:$line"; echo oops >&2; exit 7"#, "sh", "a b"],
      environment: ["X": "y"], input: "hello\n")
    #expect(result.status == .exited(7))
    #expect(result.outputText == "a b:y:hello\n")
    #expect(result.errorText == "oops\n")
  }

  @Test("a command inherits neither the environment nor open descriptors")
  func isolation() async throws {
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let connection = try await RawConnection(port: server.port)
      let result = try await CommandRun.run(
        "/bin/sh", ["-c", "env | cut -d= -f1 | sort; ls /proc/self/fd | wc -l"])
      let lines = result.outputText.split(separator: "\n")
      // The shell sets PWD and the like by itself. The fourth descriptor is that of ls.
      #expect(Set(lines.dropLast()).isSubset(of: ["PATH", "PWD", "SHLVL", "OLDPWD", "_"]))
      #expect(lines.last?.drop { $0 == " " } == "4")
      await connection.close()
    }
  }

  @Test("a command's input can stay open, and its output is read immediately")
  func conversation() async throws {
    let run = try CommandRun("/bin/cat", input: nil)
    run.write("one\n")
    try await run.waitFor("one\n")
    run.write("two\n")
    #expect(try await run.waitFor("two") == "one\ntwo\n")
    run.closeInput()
    #expect(try await run.result().status == .exited(0))
  }

  @Test("missing output is an error when the command ends")
  func endedEarly() async throws {
    let run = try CommandRun("/bin/echo", ["something"])
    await #expect(throws: CommandRun.EndedEarly.self) { try await run.waitFor("else") }
  }

  @Test("a signal ends a command and is distinguished from an exit")
  func signal() async throws {
    let run = try CommandRun("/bin/sh", ["-c", "echo ready; exec sleep 100"])
    try await run.waitFor("ready")
    run.send(signal: 15)
    #expect(try await run.result().status == .signalled(15))
  }

  @Test("canceling a wait kills its command")
  func cancelled() async throws {
    let run = try CommandRun("/bin/sh", ["-c", "echo ready; exec sleep 100"])
    try await run.waitFor("ready")
    let waiting = Task { try await run.result() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try await run.result().status == .signalled(9))
  }

  @Test("a terminal has a size, controls its command, and turns Ctrl-C into SIGINT")
  func terminal() async throws {
    let run = try CommandRun(
      "/bin/sh",
      [
        "-c",
        "trap 'echo got INT; exit 3' INT; stty size; echo ready >/dev/tty; while :; do read x; done",
      ],
      connection: .terminal(columns: 100, rows: 30))
    #expect(try await run.waitFor("ready").contains("30 100\r\n"))
    run.write("\u{3}")
    try await run.waitFor("got INT")
    let result = try await run.result()
    #expect(result.status == .exited(3))
    #expect(result.error.isEmpty)
  }

  @Test("a resized terminal notifies its command")
  func resize() async throws {
    let run = try CommandRun(
      "/bin/sh", ["-c", "trap 'stty size; exit 0' WINCH; echo ready; while :; do read x; done"],
      connection: .terminal(columns: 80, rows: 24))
    try await run.waitFor("ready")
    run.resize(columns: 61, rows: 17)
    try await run.waitFor("17 61")
  }

  @Test("a reader that closes early gives the command a broken pipe")
  func brokenPipe() async throws {
    let run = try CommandRun("/usr/bin/yes", closesOutputAfter: 100)
    let result = try await run.result()
    #expect(result.status == .signalled(13))
    #expect(result.output.count == 100)
  }

  @Test("a command runs in its working directory")
  func workingDirectory() async throws {
    let result = try await CommandRun.run("/bin/pwd", workingDirectory: "/usr/bin")
    #expect(result.outputText == "/usr/bin\n")
  }

  @Test("a command's memory excludes the tests' memory", .enabled(if: onLinux, "Linux only"))
  func memory() async throws {
    // Held and touched, so that the tests are larger than the command.
    let ballast = [UInt8](repeating: 1, count: 64 << 20)
    var peak = 0
    // On a busy machine the command can end before its memory is read.
    repeat {
      let run = try CommandRun("/bin/cat", input: nil, samplesMemory: true)
      run.write("x")
      try await run.waitFor("x")
      run.closeInput()
      peak = try await run.result().peakMemory ?? 0
    } while peak <= 100_000
    #expect(peak < 16 << 20)
    #expect(ballast.last == 1)
  }

  @Test("a product is found in the build folder, and a missing one is an error")
  func products() async throws {
    #expect(throws: (any Error).self) { try CommandRun("no-such-product") }
    let result = try await CommandRun.run("github-loopback", ["--help"])
    #expect(result.status == .exited(0))
    #expect(result.outputText.contains("EXAMPLES"))
  }

  private static var onLinux: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
