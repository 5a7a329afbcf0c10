import GitHubAPI
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("The assignees to choose from", .timeLimit(.minutes(5)))
struct AssigneesTests {
  private static func world() throws -> BrowserWorld {
    var world = BrowserWorld(issues: SyntheticIssues(count: 30, pullRequests: 0, closed: 0))
    world.outbox = try OutboxFixture()
    return world
  }

  private static func isAssignees(_ request: LoopbackRequest) -> Bool {
    request.path.hasSuffix("/assignees")
  }

  private static func picker(_ state: BrowserState) -> Picker? {
    if case .picker(let picker)? = state.acting.dialog { picker } else { nil }
  }

  private static func loadedPicker(_ run: BrowserRun) async throws -> Picker {
    let state = try await run.state { Self.picker($0).map { !$0.isLoading } == true }
    return try #require(picker(state))
  }

  @Test("the assignee picker loads the assignable users when it opens, and offers no other users")
  func offered() async throws {
    try await Self.world().run("swiftlang/swift") { run, server in
      let listed = try await run.state { $0.isSettled }
      #expect(!server.log.requests.contains(where: Self.isAssignees))
      // The last author of the list can't be assigned. The picked issue's own assignees stay.
      await run.press(.character("a"))
      let picker = try await Self.loadedPicker(run)
      let own = listed.issues[0].assignees.map(\.login)
      #expect(Set(picker.items.map(\.id)) == Set(SyntheticIssues.logins + ["octocat"] + own))
      #expect(picker.problem == nil)
      let asked = server.log.requests.filter(Self.isAssignees)
      #expect(asked.map { $0.queryValue("per_page") } == ["100"])
    }
  }

  @Test("if the server refuses the assignees, the picker offers the users in the list and says so")
  func refused() async throws {
    let world = try Self.world()
    world.github.intercept(
      where: Self.isAssignees,
      response: { _, _ in .json(#"{"message":"Must have push access"}"#, status: 403) })
    try await world.run("swiftlang/swift") { run, _ in
      let listed = try await run.state { $0.isSettled }
      await run.press(.character("a"))
      let picker = try await Self.loadedPicker(run)
      #expect(Set(picker.items.map(\.id)).isSuperset(of: listed.issues.compactMap(\.user?.login)))
      #expect(BrowserScreen.canvas(of: run.state).text.contains("The list is incomplete: "))
    }
  }

  @Test("an endless list of assignees is cut, and the users in the list are offered as well")
  func endless() async throws {
    let world = try Self.world()
    world.github.intercept(
      where: Self.isAssignees,
      response: { request, _ in
        let page = request.queryValue("page").flatMap { Int($0) } ?? 1
        let next = "<http://\(request.headers["Host"] ?? "")\(request.path)?page=\(page + 1)>"
        return .json(
          #"[{"login":"person-\#(page)","id":\#(page)}]"#,
          headers: ["Link": "\(next); rel=\"next\""])
      })
    try await world.run("swiftlang/swift") { run, server in
      let listed = try await run.state { $0.isSettled }
      await run.press(.character("a"))
      let picker = try await Self.loadedPicker(run)
      let people = Set(picker.items.map(\.id))
      #expect(people.isSuperset(of: (1...10).map { "person-\($0)" }))
      #expect(people.isSuperset(of: listed.issues.compactMap(\.user?.login)))
      #expect(!people.contains("person-12"))
    }
  }
}
