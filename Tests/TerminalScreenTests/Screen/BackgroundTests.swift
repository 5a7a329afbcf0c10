import TestSupport
import Testing

@Suite("The terminal's background", .serialized, .timeLimit(.minutes(5)))
struct BackgroundTests {
  private static let question = "\u{1B}]11;?\u{7}"

  @Test("the background is requested at the start, and the response is an event among the keys")
  func answered() async throws {
    let probe = try ProbeRun("show=plain:hello", "events", "close")
    try await probe.run.waitFor(Self.question)
    probe.run.write("a\u{1B}]11;rgb:1e1e/2a2a/3c3c\u{1B}\\\u{1B}[?62;22cb")
    try await probe.report("key character(\"b\")")
    probe.run.write("q")
    let result = try await probe.run.result()
    #expect(result.status == .exited(0))
    let reports = result.outputText.split(separator: "\u{1E}").dropFirst().map {
      String($0.prefix { $0 != "\u{1F}" })
    }
    #expect(
      reports.filter { $0.hasPrefix("key") || $0.hasPrefix("background") } == [
        "key character(\"a\")", "background 30,42,60", "key character(\"b\")",
        "key character(\"q\")",
      ])
  }

  @Test("the first picture doesn't wait for a response")
  func unanswered() async throws {
    let probe = try ProbeRun("show=plain:hello", "events", "close")
    try await probe.report("resized 80x24")
    probe.run.write("xq")
    let result = try await probe.run.result()
    #expect(result.status == .exited(0))
    #expect(result.outputText.contains("hello"))
    #expect(!result.outputText.contains("background"))
  }

  @Test(
    "terminals without colors or that would show the request aren't asked",
    arguments: [
      ("linux", "basic"), ("vt100", "basic"), ("ansi", "basic"), ("cygwin", "basic"),
      ("hurd", "basic"),
    ].filter { ProbeRun.hasEntry($0.0) })
  func unasked(term: String, color: String) async throws {
    let probe = try ProbeRun(
      "show=plain:hello", "close", color: color, environment: ["TERM": term])
    let result = try await probe.run.result()
    #expect(result.status == .exited(0))
    for question in ["]11;", "\u{1B}[c", "2027"] {
      #expect(!result.outputText.contains(question))
    }
  }

  @Test("the background isn't requested without colors")
  func noColor() async throws {
    let probe = try ProbeRun("show=plain:hello", "close", color: "none")
    let result = try await probe.run.result()
    #expect(result.status == .exited(0))
    #expect(!result.outputText.contains("]11;"))
  }

  @Test(
    "a response that arrives during closing doesn't reach the shell",
    .enabled(if: ProbeRun.hasShell, "dash is not installed"))
  func closing() async throws {
    let probe = try ProbeRun(script: #""$0" palette events close; read -r x; echo got=$x="#)
    try await probe.run.waitFor(Self.question)
    // Half of it before the end, half of it after.
    probe.run.write("q\u{1B}]11;rgb:1e")
    try await probe.report("done events")
    probe.run.write("1e/2a2a/3c3c\u{7}\u{1B}[?62;22c")
    try await probe.report("done close")
    probe.run.write("typed\n")
    let output = try await probe.run.result().outputText
    #expect(output.contains("got=typed="), "\(output.debugDescription)")
  }

  @Test("the background is requested again after a loan because the theme may have changed")
  func again() async throws {
    let probe = try ProbeRun("lend=:", "events", "close")
    try await probe.report("done lend")
    probe.run.write("\u{1B}]11;#ffffff\u{7}\u{1B}[?62c")
    try await probe.report("background 255,255,255")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(output.section(after: "done lend", before: "resized") != nil)
    #expect(output.split(separator: Self.question, omittingEmptySubsequences: false).count == 3)
  }
}
