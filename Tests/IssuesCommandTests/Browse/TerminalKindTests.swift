import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("The screen on other kinds of terminals", .timeLimit(.minutes(5)))
  struct TerminalKindTests {
    private static func hasEntry(_ term: String) -> Bool {
      ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
        .contains { FileManager.default.fileExists(atPath: "\($0)/\(term.prefix(1))/\(term)") }
    }

    @Test(
      "the screen shows issues and ends with q",
      arguments: ["linux", "putty", "vt100", "screen", "tmux", "xterm-kitty"].filter(hasEntry))
    func opens(term: String) async throws {
      let run = try IssuesProgram.start(
        ["browse", "apple/swift", "--stub"], environment: ["TERM": term],
        connection: .terminal(columns: 80, rows: 24))
      try await run.waitFor("row 1 of ")
      run.write("q")
      #expect(try await run.result().status == .exited(0))
    }

    @Test(
      "a terminal without an entry gets the entry of a similar one, which a message says",
      arguments: ["xterm-ghostty", "wezterm-of-tomorrow"])
    func similar(term: String) async throws {
      let run = try IssuesProgram.start(
        ["browse", "apple/swift", "--stub"], environment: ["TERM": term],
        connection: .terminal(columns: 80, rows: 24))
      try await run.waitFor("The terminal '\(term)' is unknown here: using 'xterm-256color'")
      run.write("q")
      #expect(try await run.result().status == .exited(0))
    }

    @Test("a dumb terminal is refused with a message")
    func dumb() async throws {
      let result = try await IssuesProgram.run(
        ["browse", "apple/swift", "--stub"], environment: ["TERM": "dumb"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(result.status == .exited(64))
      #expect(result.outputText.contains("issues list"))
      #expect(!result.outputText.contains("\u{1B}"))
    }
  }

  @Suite(
    "The plain screen in a terminal",
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .timeLimit(.minutes(5)))
  struct PlainTerminalTests {
    /// The lines of the window, and the row of the cursor.
    private static func look(
      at window: TmuxSession
    ) async throws -> (lines: [Substring], cursor: Int?) {
      let screen = try await window.screen()
      let cursor = try await window.ask("display-message -p '#{cursor_y}'")
      return (screen.split(separator: "\n", omittingEmptySubsequences: false), Int(cursor))
    }

    @Test("the plain screen shows the list, an issue and the keys in reading order")
    func reading() async throws {
      let window = try await ScriptedScreenTests.window(columns: 120, rows: 24)
      window.type("clear; $issues browse apple/swift --stub --plain")
      window.press("Enter")
      try await window.see("row 1 of ")
      window.type("j")
      try await window.see("the second row selected") { screen in
        screen.split(separator: "\n").filter { $0.hasPrefix("> current, #") }.count == 1
          && screen.split(separator: "\n").dropFirst(3).first?.hasPrefix("> current, #") == true
          // The last line is drawn last.
          && screen.contains("row 2 of ")
      }
      let (list, cursor) = try await Self.look(at: window)
      #expect(list.first?.hasPrefix("Search: apple/swift") == true)
      #expect(list[2].hasPrefix("  #") && list[2].contains(" open, "))
      #expect(list.last?.contains("row 2 of ") == true)
      // Screen readers speak the row of the cursor.
      #expect(cursor == 3)

      window.press("Enter")
      try await window.see("opened about")
      let (issue, _) = try await Self.look(at: window)
      #expect(issue[1].hasPrefix("#"))
      #expect(!issue.contains { $0.hasPrefix("> current, #") })

      window.type("?")
      let keys = try await window.see("the keys alone") {
        $0.contains("Keys") && !$0.contains("opened about")
      }
      for screen in [list.joined(), issue.joined(), keys] {
        #expect(!screen.unicodeScalars.contains { (0x2500...0x259F).contains($0.value) })
      }
      window.press("C-c")
      try await window.see("the prompt") { $0.hasSuffix("$") }
    }
  }
}
