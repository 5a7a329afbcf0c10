import TestSupport
import Testing

extension CommandTests {
  @Suite(
    "Searching and following links in a terminal",
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct HandsScreenTests {
    @Test("the screen opens a linked issue from the preview and goes back", .timeLimit(.minutes(5)))
    func visit() async throws {
      var configuration = LoopbackGitHub.Configuration()
      let recipe = SyntheticIssues(count: 60, pullRequests: 0, closed: 0)
      configuration.repositories = [.swift(issues: recipe)]
      let github = LoopbackGitHub(configuration)
      github.changeIssue(60, of: .swift(issues: recipe)) {
        $0.body = "A needle, as in #7.\n\n```\nlet needle = 1\n```"
        $0.comments = 0
      }
      try await withLoopbackServer(answering: github.handler) { server in
        let window = try await ScriptedScreenTests.window(rows: 30)
        try await ScriptedScreenTests.browse(window, server)
        window.type("apple/swift")
        window.press("Enter")
        try await window.see("row 1 of 60 ")

        window.press("p")
        try await window.see("the list above the issue") {
          $0.contains("▌● #60 ") && $0.contains("\n● #60 Open") && $0.contains("A needle, as in #7")
        }
        window.press("Enter")
        try await window.see("the issue alone") {
          $0.contains("\n● #60 Open") && !$0.contains("#59")
        }
        window.press("/")
        window.type("needle")
        try await window.see("1 of 2")
        window.press("Enter", "n")
        try await window.see("“needle”: 2 of 2")
        // A letter right after Esc would be one with Alt.
        window.press("Escape")
        try await window.see("no search") { !$0.contains("of 2") }
        window.press("f", "1")
        try await window.see("\n● #7 Open")
        window.press("[")
        try await window.see("\n● #60 Open")
        window.press("q", "C-p")
        window.type("choose order")
        try await window.see("the action alone") {
          $0.contains("choose the order") && !$0.contains("reload")
        }
        window.press("Enter")
        try await window.see("Enter sort")
        window.press("Down", "Enter")
        try await window.see("· oldest first")
        window.press("?")
        window.type("preview")
        try await window.see("the key alone") {
          $0.contains("preview of the selected issue") && !$0.contains("PgUp")
        }
        window.press("Escape")
        try await window.see("type to search")
        window.press("Escape")
        try await window.see("no help") { !$0.contains("─ Keys") }
        window.press("q")
        try await window.see("the shell") { $0.hasSuffix("\n$") }
      }
    }
  }
}
