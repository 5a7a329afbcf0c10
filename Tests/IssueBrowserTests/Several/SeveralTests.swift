import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("A list of several repositories, and the inbox", .timeLimit(.minutes(5)))
struct SeveralTests {
  private static func world(
    notifications: [SyntheticNotification] = []
  ) throws -> BrowserWorld {
    var world = BrowserWorld(
      issues: SyntheticIssues(count: 60, pullRequests: 0, closed: 0),
      others: SyntheticIssues(count: 70, pullRequests: 0, closed: 0),
      notifications: notifications)
    world.views = [
      SavedView(
        name: "both", query: "is:open", sort: "created-desc",
        place: .repositories([
          try RepositoryReference(parsing: "swiftlang/swift"),
          try RepositoryReference(parsing: "a/b"),
        ]))
    ]
    world.initialView = "both"
    return world
  }

  @Test("all pages are loaded, and comments come from the issue's repository")
  func pages() async throws {
    try await Self.world().run { run, server in
      let first = try await run.state { $0.rowCount == 100 && !$0.list.isLoading }
      #expect(first.sheet?.total == 130)
      await run.press(.character("G"))
      let all = try await run.state { $0.rowCount == 130 && !$0.list.isLoading }
      let issue = try #require(all.selectedIssue)
      let name = try #require(issue.repositoryName)
      await run.press(.enter)
      try await run.state { $0.reader?.isLoading == false }
      if issue.commentsCount > 0 {
        #expect(
          server.requests.contains {
            $0.contains("/repos/\(name)/issues/\(issue.number)/comments")
          })
      }
    }
  }

  @Test("offline, the mirrored repositories are listed, and the others are named")
  func offline() async throws {
    var world = try Self.world()
    world.mirror = try MirrorFixture()
    world.isOffline = true
    try await world.run { run, _ in
      let state = try await run.state { $0.rowCount > 0 }
      #expect(state.sheet?.issues.allSatisfy { $0.repositoryName?.name == "swift" } == true)
      #expect(BrowserScreen.canvas(of: state).text.contains("without a/b, not mirrored"))
      #expect(state.tab == 1)
    }
  }

  @Test("changes of two repositories are sent to both")
  func changes() async throws {
    let (world, _) = try Self.world().withOutbox()
    try await world.run { run, server in
      let list = try await run.state { $0.rowCount == 100 && !$0.list.isLoading }
      // The first rows of each repository.
      let issues = list.issues
      let other = try #require(issues.firstIndex { $0.repositoryName != issues[0].repositoryName })
      await run.press(.character(" "))
      for _ in 1..<other { await run.press(.character("j")) }
      await run.press(.character(" "), .character("x"), .enter)
      let asked = try await run.state { $0.acting.dialog != nil }
      guard case .preview(let preview)? = asked.acting.dialog else {
        Issue.record("\(String(describing: asked.acting.dialog))")
        return
      }
      #expect(Set(preview.issues.map(\.repository)).count == 2)
      await run.press(.enter)
      let waiting = try await run.state { $0.sheet?.pending.count == 2 }
      #expect(waiting.issues[0].state == .closed && waiting.issues[other].state == .closed)
      let sent = try await run.eventualState {
        $0.acting.batches.isEmpty && $0.sheet?.pending.isEmpty == true
      }
      #expect(sent.message?.hasPrefix("Done: close 2 issues as completed") == true)
      for row in [0, other] {
        let name = try #require(issues[row].repositoryName)
        #expect(
          server.requests.contains {
            $0.contains("/repos/\(name)/issues/\(issues[row].number)")
          })
      }
    }
  }

  @Test("the inbox lists unread notifications, reads an issue, and going back leads to its row")
  func inbox() async throws {
    var world = try Self.world(notifications: [
      SyntheticNotification(id: 1, number: 12, title: "It crashes", updatedAt: 1_700_000_300),
      SyntheticNotification(
        id: 2, repository: "a/b", number: 7, title: "It hangs", reason: "review_requested",
        updatedAt: 1_700_000_200),
      SyntheticNotification(id: 4, number: 9, title: "Read", isRead: true),
    ])
    world.initialView = nil
    world.token = try AccessToken("classic")
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("i"))
      let inbox = try await run.state { $0.rowCount == 2 && !$0.list.isLoading }
      let text = BrowserScreen.canvas(of: inbox).text
      #expect(text.contains("Unread notifications") && text.contains("review requested"))
      await run.press(.character("j"), .enter)
      let reading = try await run.state { $0.reader?.isLoading == false }
      #expect(reading.reader?.issue.number == 7)
      #expect(reading.sheet?.reference?.description == "a/b")
      await run.press(.character("q"), .character("q"))
      let back = try await run.state { $0.list.query == .inbox && $0.rowCount == 2 }
      #expect(back.list.cursor.selection == 1)
    }
  }

  @Test("ten notifications are done on the server, after the list has shown them as gone")
  func emptyInbox() async throws {
    var world = try Self.world(
      notifications: (1...10).map { SyntheticNotification(id: 500 + $0, number: $0) })
    world.initialView = nil
    world.token = try AccessToken("classic")
    let (acting, outbox) = try world.withOutbox()
    try await acting.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("i"))
      try await run.state { $0.rowCount == 10 && !$0.list.isLoading }
      await run.press(.character("*"), .character("d"), .enter)
      try await run.state { $0.rowCount == 0 && !$0.acting.batches.isEmpty }
      try await run.eventualState { $0.acting.batches.isEmpty }
      #expect(try await outbox.states == Array(repeating: .sent, count: 10))
      await run.press(.character("r"))
      try await run.state { $0.list.query == .inbox && !$0.list.isLoading && $0.rowCount == 0 }
    }
  }

  @Test("a refused inbox says which tokens may read notifications")
  func refusedInbox() async throws {
    var world = try Self.world()
    world.initialView = nil
    world.token = try AccessToken("github_pat_fine")
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("i"))
      let failed = try await run.state { $0.list.query == .inbox && !$0.list.isLoading }
      #expect(failed.problem?.text.contains("Only classic tokens") == true)
    }
  }
}
