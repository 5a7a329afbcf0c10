import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Loading the start screen and views", .timeLimit(.minutes(2)))
struct StartTests {
  private func world() throws -> BrowserWorld {
    var world = BrowserWorld(
      issues: SyntheticIssues(count: 30), others: SyntheticIssues(count: 10))
    let clone = try ViewsHandlingTests.reference("me/work")
    world.start = StartSource(clone: { clone })
    world.unsent = UnsentChanges(all: 3, needingPerson: 1)
    world.views = try ViewsHandlingTests.views()
    return world
  }

  private func rows(_ state: BrowserState) -> [StartPage.Row] {
    state.views.start?.rows ?? []
  }

  @Test(
    "the start screen lists the clone, outbox, views, recent repositories and mirrors, without a request"
  )
  func local() async throws {
    var world = try world()
    let folder = try ScratchFolder()
    let history = RepositoryHistory(folder: folder["issues"])
    for name in ["a/b", "swiftlang/swift"] {
      let name = try #require(RepositoryName(name))
      await history.record(RepositoryHistory.Entry(server: .github, name: name))
    }
    world.history = history
    world.mirror = try MirrorFixture()
    try await world.run { run, server in
      let state = try await run.state { !rows($0).isEmpty }
      let found = rows(state)
      #expect(
        found.map(\.title) == [
          "clone", "outbox", "views", "views", "views", "recent", "recent", "mirrors",
        ])
      #expect(found[1] == .outbox(waiting: 3, needingPerson: 1))
      #expect(found[5] == .recent(try ViewsHandlingTests.reference("swiftlang/swift")))
      guard case .mirror(_, let time) = found[7] else { return #expect(Bool(false)) }
      #expect(time == MirrorFixture.syncedAt)
      #expect(try await server.settledRequests.count == run.requestsBefore)
    }
  }

  @Test("without a token, the start screen says how to sign in")
  func signedOut() async throws {
    var world = try world()
    world.start = StartSource(version: "1.2.3")
    world.unsent = UnsentChanges()
    world.views = []
    try await world.run { run, _ in
      let state = try await run.state { $0.views.start?.account != nil }
      let text = BrowserScreen.canvas(of: state).text
      #expect(text.contains("issues 1.2.3 · not signed in"))
      #expect(text.contains("Not signed in: run 'gh auth login', or set GH_ENTERPRISE_TOKEN."))
    }
  }

  @Test("with a token, the start screen loads the user's issues")
  func own() async throws {
    var world = try world()
    world.hasToken = true
    try await world.run { run, _ in
      let state = try await run.state { rows($0).contains { $0.title == "yours" } }
      #expect(rows(state).map(\.title).prefix(4) == ["clone", "outbox", "yours", "yours"])
    }
  }

  @Test("a view of several repositories is one search, and Enter reads an issue in the list")
  func found() async throws {
    var world = try world()
    world.initialView = "both"
    try await world.run { run, server in
      let state = try await run.state { $0.rowCount > 0 }
      #expect(state.tab == 3)
      #expect(
        server.requests.contains(
          "/search/issues?crash is:open is:issue (repo:swiftlang/swift OR repo:a/b)"))
      await run.press(.enter)
      let reading = try await run.state { $0.reader?.isLoading == false }
      #expect(reading.reader?.issue == state.issues[0])
      #expect(reading.rowCount == state.rowCount && reading.tab == 3)
    }
  }

  @Test("a refused search is reported, and r sends it again")
  func failure() async throws {
    var world = try world()
    world.initialView = "both"
    world.github.intercept(
      times: 1, where: { $0.path == "/search/issues" },
      response: { _, _ in .json("{}", status: 500) })
    try await world.run { run, _ in
      let failed = try await run.state { !$0.list.isLoading && $0.tab == 3 }
      #expect(failed.problem?.text.contains("has an internal problem") == true)
      await run.press(.character("r"))
      _ = try await run.state { $0.rowCount > 0 }
    }
  }

  @Test("the offline start screen loads from the mirror")
  func offline() async throws {
    var world = try world()
    world.mirror = try MirrorFixture()
    world.isOffline = true
    world.views = [SavedView(name: "all", query: "is:open", place: .everywhere)]
    world.initialView = "all"
    try await world.run { run, server in
      let before = server.requests.count
      let state = try await run.state { $0.rowCount > 0 }
      #expect(state.tab == 1)
      #expect(server.requests.count == before)
    }
  }
}
