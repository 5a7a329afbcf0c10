import GitHubAPI
import IssueTracker
import StyledText
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Hostile text in the browser's state", .timeLimit(.minutes(5)))
struct HostileInputTests {
  @Test("a repository with an invalid name can't be entered or opened")
  func repositoryName() {
    var state = SampleStates.repositories()
    state.list.cursor.selection = 2  // 日本/語
    #expect(state.selectedPage == nil)
    state.handle(.input(.key(.enter)))
    #expect(state.message != nil)
    #expect(state.list.query == .nothing)
    #expect(state.revisions.list == 0)
  }

  @Test("pasted control characters are removed, and the rest becomes text or nothing")
  func paste() {
    var state = SampleStates.empty()
    state.handle(.input(.paste("\u{1B}[2J\u{1B}]0;owned\u{7}\nswift\r\n")))
    #expect(state.search.text == "[2J]0;owned swift")
    #expect(state.list.query == .repositories("[2J]0;owned swift"))
    state.handle(.input(.key(.control("u"))))
    state.handle(.input(.paste("https://user:token@github.com/a/b")))
    #expect(state.list.query == .incomplete)
    state.handle(.input(.key(.enter)))
    #expect(state.message?.contains("token@") == false)
  }

  @Test("hostile issues are listed, read and filtered like any others")
  func issues() async throws {
    let recipe = SyntheticIssues(count: 40, pullRequests: 0, closed: 0, isHostile: true)
    try await BrowserWorld(issues: recipe).run("apple/swift") { run, _ in
      try await run.state { $0.isSettled }
      for _ in 1...20 {
        await run.press(.enter)
        let state = try await run.state { $0.reader?.lines.isEmpty == false }
        for line in state.reader?.lines ?? [] {
          #expect(!line.plain.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B })
        }
        await run.press(.escape, .down)
      }
      await run.press(.character("f"))
      await run.type(" label:")
      await run.press(.tab)
      let filter = try #require(run.state.filter.field?.text)
      #expect(!filter.unicodeScalars.contains { $0.value < 0x20 })
    }
  }
}
