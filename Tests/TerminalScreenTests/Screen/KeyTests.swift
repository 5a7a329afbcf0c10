import TestSupport
import Testing

@Suite("Keys, pastes and the mouse on a terminal", .serialized, .timeLimit(.minutes(5)))
struct KeyTests {
  /// Types on the probe's terminal, and returns its reports.
  private static func events(
    typing text: String, term: String = "xterm-256color"
  ) async throws -> [String] {
    let probe = try ProbeRun("events", "close", environment: ["TERM": term])
    try await probe.report("resized 80x24")
    probe.run.write(text + "q")
    let result = try await probe.run.result()
    #expect(result.status == .exited(0))
    let reports = result.outputText.split(separator: "\u{1E}").compactMap { part in
      part.contains("\u{1F}") ? String(part.prefix { $0 != "\u{1F}" }) : nil
    }
    let first = try #require(reports.firstIndex(of: "resized 80x24"))
    let last = try #require(reports.lastIndex(of: #"key character("q")"#))
    return Array(reports[(first + 1)..<last])
  }

  @Test(
    "named keys are recognized",
    arguments: ["xterm-256color", "tmux-256color", "screen-256color", "rxvt-unicode-256color"])
  func named(term: String) async throws {
    // In xterm's application mode, which the screen requests, and outside it.
    let events = try await Self.events(
      typing: "\u{1B}OA\u{1B}[B\u{1B}[C\u{1B}OD\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[F\u{1B}[3~"
        + "\u{1B}[Z\t\r\u{7F}" + (term.hasPrefix("rxvt") ? "\u{1B}[11~" : "\u{1B}OP"), term: term)
    #expect(
      events
        == [
          "up", "down", "right", "left", "pageUp", "pageDown", "home", "end", "delete", "backTab",
          "tab", "enter", "backspace", "help",
        ].map { "key \($0)" })
  }

  @Test("other function keys and unknown sequences are dropped")
  func unknown() async throws {
    let events = try await Self.events(
      typing: "\u{1B}OQ\u{1B}[15~\u{1B}[24~\u{1B}[1;5A\u{1B}[57399ux")
    #expect(events == [#"key character("x")"#])
  }

  @Test("typing arrives as single characters, including Ctrl-C and Ctrl-D")
  func characters() async throws {
    let events = try await Self.events(typing: "aé漢🦊\u{04}\u{03}\u{13}\u{1C}")
    #expect(
      events == [
        #"key character("a")"#, #"key character("é")"#, #"key character("漢")"#,
        #"key character("🦊")"#, #"key control("d")"#, "key interrupt", #"key control("s")"#,
      ])
  }

  @Test("Esc is a key alone, and Alt with a letter has no effect")
  func escape() async throws {
    let probe = try ProbeRun("events", "close")
    try await probe.report("resized 80x24")
    probe.run.write("\u{1B}")
    try await probe.report("key escape")
    probe.run.write("\u{1B}x")
    probe.run.write("q")
    let output = try await probe.run.result().outputText
    #expect(
      output.split(
        separator: ProbeRun.mark("key escape"), omittingEmptySubsequences: false
      ).count == 2)
    #expect(!output.contains(ProbeRun.mark(#"key character("x")"#)))
  }

  @Test("a paste is one event with its line breaks and escape sequences")
  func paste() async throws {
    let events = try await Self.events(
      typing: "\u{1B}[200~two\rlines, \u{1B}[A, \u{1B}[<0;1;1M and \u{03}\u{1B}[201~\u{1B}OA")
    #expect(
      events == [
        #"paste 31 "two\nlines, \u{1B}[A, \u{1B}[<0;1;1M and \u{03}""#, "key up",
      ])
  }

  @Test("an endless paste is delivered after a timeout, and later keys work")
  func unfinishedPaste() async throws {
    let probe = try ProbeRun("events", "close")
    try await probe.report("resized 80x24")
    probe.run.write("\u{1B}[200~half")
    try await probe.report(#"paste 4 "half""#)
    probe.run.write("\u{1B}OA")
    try await probe.report("key up")
    probe.run.write("\u{03}q")
    try await probe.report("key interrupt")
    #expect(try await probe.run.result().status == .exited(0))
  }

  @Test("Alt with letters and Backspace edits words")
  func words() async throws {
    let events = try await Self.events(typing: "\u{1B}b\u{1B}f\u{1B}d\u{1B}\u{7F}")
    #expect(
      events
        == ["wordLeft", "wordRight", "deleteWordForward", "deleteWordBackward"].map { "key \($0)" })
  }

  @Test("a large paste is truncated to 64 KiB, and later keys work")
  func largePaste() async throws {
    let text = String(repeating: "0123456789abcdef", count: 6_000)
    let events = try await Self.events(typing: "\u{1B}[200~\(text)\u{1B}[201~x")
    #expect(events.count == 2)
    #expect(events.first?.hasPrefix("paste 65536 ") == true)
    #expect(events.last == #"key character("x")"#)
  }

  @Test("clicks, double clicks and the wheel are recognized in xterm and X10 encoding")
  func mouse() async throws {
    let click = "\u{1B}[<0;300;6M\u{1B}[<0;300;6m"
    let legacy = "\u{1B}[M\u{20}\u{25}\u{26}\u{1B}[M\u{23}\u{25}\u{26}"
    let events = try await Self.events(
      typing: click + click + "\u{1B}[<64;1;2M\u{1B}[<65;1;2M" + legacy + "\u{1B}[<2;1;1M")
    #expect(
      events == [
        "mouse click 299,5", "mouse doubleClick 299,5", "mouse wheelUp 0,1", "mouse wheelDown 0,1",
        "mouse click 4,5",
      ])
  }

  @Test("a held mouse button doesn't block the program")
  func heldButton() async throws {
    let probe = try ProbeRun("events", "close")
    try await probe.report("resized 80x24")
    probe.run.write("\u{1B}[<0;5;6M")
    probe.run.resize(columns: 90, rows: 30)
    // A signal, not the next key, shows that the program isn't waiting for the release.
    try await probe.report("resized 90x30")
    probe.run.write("\u{1B}[<0;5;6mq")
    try await probe.report("mouse click 4,5")
    #expect(try await probe.run.result().status == .exited(0))
  }

  @Test("a flood of keys is read without loss")
  func flood() async throws {
    let events = try await Self.events(typing: String(repeating: "x", count: 20_000))
    #expect(events == Array(repeating: #"key character("x")"#, count: 20_000))
  }

  @Test("events end when the terminal is disconnected")
  func hangUp() async throws {
    let program = try BuiltProducts.path(of: "screen-probe")
    // The first bytes of output are read, and then the other end is closed.
    let run = try CommandRun(
      "/bin/sh", ["-c", #"trap "" HUP; exec "$0" palette events exit"#, program],
      environment: ProbeRun.environment, connection: .terminal(columns: 80, rows: 24), input: nil,
      closesOutputAfter: 16)
    // The exit status of the step after the events.
    #expect(try await run.result().status == .exited(7))
  }
}
