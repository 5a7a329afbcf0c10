import PlatformModules
import TestSupport
import Testing

@testable import TerminalScreen

@Suite("The terminal's clipboard")
struct TerminalClipboardTests {
  private static func sequence(
    _ text: String, _ environment: [String: String] = ["TERM": "xterm-256color"]
  ) throws -> String {
    var written: [UInt8]?
    let outcome = TerminalClipboard(environment: environment).copy(text) { written = $0 }
    #expect(outcome == .sent)
    return String(decoding: try #require(written), as: UTF8.self)
  }

  /// The outcome of a text of which nothing is written.
  private static func refusal(of text: String, _ environment: [String: String]) -> CopyOutcome {
    TerminalClipboard(environment: environment).copy(text) { _ in Issue.record("written") }
  }

  @Test("text is sent to the terminal in base64")
  func direct() throws {
    #expect(try Self.sequence("#42") == "\u{1B}]52;c;IzQy\u{7}")
    #expect(try Self.sequence("Grüße\n") == "\u{1B}]52;c;R3LDvMOfZQo=\u{7}")
  }

  @Test("control characters, which a paste would turn into keys, are removed")
  func controls() throws {
    let copied = try Self.sequence("a\u{1B}[201~\rb\u{3}\t\u{9B}c\n\u{7F}")
    #expect(copied == "\u{1B}]52;c;\(Data("a[201~b\tc\n".utf8).base64EncodedString())\u{7}")
  }

  @Test("tmux gets both of its sequences, and screen gets pieces of limited length")
  func multiplexers() throws {
    let direct = try Self.sequence("#42")
    let tmux = [
      "TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0", "VTE_VERSION": "7200",
    ]
    #expect(try Self.sequence("#42", tmux) == "\(direct)\u{1B}Ptmux;\u{1B}\(direct)\u{1B}\\")
    let refusing = TerminalClipboard(environment: tmux, tmuxRefuses: true)
    #expect(refusing.copy("#42") { _ in Issue.record("written") } == .refusedByTmux)
    let text = String(repeating: "text ", count: 500)
    let screen = try Self.sequence(text, ["TERM": "screen", "STY": "1.pts-0.host"])
    let pieces = screen.split(separator: "\u{1B}\\", omittingEmptySubsequences: false)
    #expect(pieces.last == "")
    for piece in pieces.dropLast() {
      #expect(piece.hasPrefix("\u{1B}P"))
      #expect(piece.utf8.count < 256)
    }
    let joined = pieces.dropLast().map { $0.dropFirst(2) }.joined()
    #expect(try joined == Self.sequence(text))
  }

  @Test(
    "terminals known to ignore the clipboard sequence don't get it",
    arguments: [
      ["TERM": "linux"], ["TERM": "vt220"], ["TERM": "cygwin"],
      ["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"],
      ["TERM": "xterm-256color", "VTE_VERSION": "7600"],
    ])
  func unsupported(environment: [String: String]) {
    #expect(Self.refusal(of: "x", environment) == .unsupported)
  }

  @Test("an xterm started from a terminal without a clipboard gets the sequence")
  func inherited() throws {
    let environment = ["TERM": "xterm", "VTE_VERSION": "7600", "XTERM_VERSION": "XTerm(379)"]
    #expect(try Self.sequence("x", environment) == Self.sequence("x"))
  }

  @Test("text above the maximum length is refused")
  func length() throws {
    let longest = String(repeating: "x", count: CopyOutcome.limit)
    #expect(try Self.sequence(longest).utf8.count < 100_000)
    #expect(Self.refusal(of: longest + "x", ["TERM": "xterm"]) == .tooLong)
  }

  @Test("an open screen writes the clipboard between frames", .timeLimit(.minutes(5)))
  func screen() async throws {
    let run = try CommandRun(
      "screen-probe", ["palette", "show=plain:hello", "copy=#42", "again", "close"],
      environment: ProbeRun.environment, connection: .terminal(columns: 80, rows: 24))
    let output = try await run.result().outputText
    #expect(
      output.section(after: ProbeRun.mark("done show"), before: ProbeRun.mark("done copy"))
        == "\u{1B}]52;c;IzQy\u{7}" + ProbeRun.mark("copied sent"))
    #expect(
      ProbeRun.written(in: output, between: "done copy", and: "done again") == "")
  }
}
