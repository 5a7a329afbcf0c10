import Testing

/// The helper with which other tests look at the screen.
extension CommandTests {
  @Suite("A tmux window", .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct TmuxSessionTests {
    @Test(
      "typed text is shown and wraps at the requested width", .timeLimit(.minutes(5)))
    func typing() async throws {
      let window = try await TmuxSession(
        columns: 20, rows: 5, environment: ["PATH": "/usr/bin:/bin"])
      window.type("echo it\\'s 'quite' $((2*3)) wide")
      window.press("Enter")
      let screen = try await window.see("it's quite 6 wide")
      #expect(screen.hasPrefix("$ echo it\\'s 'quite'\n"))
    }

    @Test("a resized window reports its size to its shell", .timeLimit(.minutes(5)))
    func resizing() async throws {
      let window = try await TmuxSession(
        columns: 80, rows: 24, environment: ["PATH": "/usr/bin:/bin"])
      window.resize(columns: 40, rows: 10)
      window.type("stty size")
      window.press("Enter")
      try await window.see("10 40")
    }
  }
}
