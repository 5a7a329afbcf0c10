import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Typing a filter for the mirror", .timeLimit(.minutes(5)))
struct TypedFilterTests {
  private static let recipe = SyntheticIssues(count: 700)

  private static func world(isOffline: Bool = true) throws -> BrowserWorld {
    var world = BrowserWorld(issues: recipe)
    world.mirror = try MirrorFixture()
    world.isOffline = isOffline
    world.isAway = !isOffline
    return world
  }

  /// The numbers of the issues with a text in their title.
  private static func numbers(titled text: String, open listed: Set<Bool> = [true]) -> Set<Int> {
    Set(
      recipe.make().filter {
        !$0.isPullRequest && listed.contains($0.isOpen) && $0.title.contains(text)
      }
      .map(\.number))
  }

  @Test("each typed letter narrows the list, and Esc restores the list")
  func narrowing() async throws {
    try await Self.world().run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.end)
      try await run.state { $0.sheet?.hasMore == false && !$0.list.isLoading }
      await run.press(.up)
      let before = run.state
      await run.press(.character("f"))
      #expect(run.state.filter.field?.text == "is:open ")
      await run.type("linke")
      let typed = try await run.state {
        $0.sheet?.search?.text == "is:open linke" && !$0.list.isLoading
      }
      #expect(Set(typed.issues.map(\.number)) == Self.numbers(titled: "Linker"))
      #expect(!typed.issues.isEmpty)
      #expect(typed.list.cursor.selection == 0)
      #expect(typed.filter.field?.text == "is:open linke")
      await run.type("r interoperabil")
      let longer = try await run.state {
        $0.sheet?.search?.text == "is:open linker interoperabil" && !$0.list.isLoading
      }
      #expect(longer.issues.map(\.number).sorted() == typed.issues.map(\.number).sorted())
      await run.press(.escape)
      #expect(run.state.filter.field == nil)
      #expect(run.state.list.content == before.list.content)
      #expect(run.state.list.cursor.selection == before.list.cursor.selection)
      try await run.state { !$0.list.isLoading }
      #expect(run.state.list.content == before.list.content)
      #expect(try await server.settledRequests.count == run.requestsBefore)
    }
  }

  @Test("an invalid filter doesn't change the list, and Enter reports the problem")
  func unreadable() async throws {
    try await Self.world().run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("f"))
      await run.type("linker ")
      try await run.state { $0.sheet?.search?.text == "is:open linker " && !$0.list.isLoading }
      let before = run.state
      await run.type("\"")
      #expect(run.state.list.query == before.list.query)
      await run.type("C++")
      #expect(run.state.list.content == before.list.content)
      #expect(run.state.filter.problem == nil)
      await run.press(.enter)
      #expect(run.state.filter.problem?.contains("quotation mark") == true)
      #expect(run.state.list.content == before.list.content)
    }
  }

  @Test("Enter keeps the filtered list, and f edits its filter")
  func kept() async throws {
    try await Self.world().run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("f"))
      await run.type("linker")
      try await run.state { $0.sheet?.search != nil && !$0.list.isLoading }
      await run.press(.enter)
      let state = try await run.state { !$0.list.isLoading }
      #expect(state.filter.field == nil)
      #expect(Set(state.issues.map(\.number)) == Self.numbers(titled: "Linker"))
      await run.sort(.oldest)
      let sorted = try await run.state { $0.isSettled }
      #expect(sorted.issues.map(\.number) == Self.numbers(titled: "Linker").sorted())
      await run.sort(.bestMatch)
      try await run.state { $0.isSettled && $0.sheet?.search?.text == "is:open linker" }
      await run.press(.character("r"))
      try await run.state { !$0.list.isLoading }
      #expect(Set(run.state.issues.map(\.number)) == Self.numbers(titled: "Linker"))
      await run.press(.character("f"))
      #expect(run.state.filter.field?.text == "is:open linker ")
      await run.press(.escape)
      #expect(Set(run.state.issues.map(\.number)) == Self.numbers(titled: "Linker"))
    }
  }

  @Test(
    "a filter finds open issues unless it specifies another state",
    arguments: [
      ("linker", [true]), ("is:all linker", [true, false]), ("linker STATE:all", [true, false]),
      ("is:closed linker", [false]), ("is:open is:closed linker", []),
    ] as [(String, Set<Bool>)])
  func states(text: String, listed: Set<Bool>) async throws {
    try await Self.world().run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("f"), .control("u"))
      await run.input(.paste(text))
      let state = try await run.state { $0.sheet?.search?.text == text && !$0.list.isLoading }
      #expect(
        Set(state.issues.map(\.number)) == Self.numbers(titled: "Linker", open: listed))
    }
  }

  @Test("a filter in the mirror lists the same issues as the server")
  func filter() async throws {
    let everything = Self.recipe.make()
    try await Self.world().run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("f"), .control("u"))
      await run.input(.paste("is:all no:assignee milestone:2 sort:created-asc"))
      let state = try await run.state {
        $0.sheet?.filter.milestone == .title("2") && !$0.list.isLoading
      }
      #expect(state.sheet?.search == nil)
      #expect(
        state.issues.map(\.number)
          == everything.filter { !$0.isPullRequest && $0.assignees.isEmpty && $0.milestone == 2 }
          .map(\.number))
      await run.press(.enter)
      let sheet = try #require(state.sheet)
      #expect(run.state.list.query == .issues(try #require(sheet.reference), sheet.filter))
    }
  }

  @Test(
    "while the mirror stands in, typing doesn't send requests, and Esc waits for the server again")
  func standIn() async throws {
    let world = try Self.world(isOffline: false)
    try await world.run("swiftlang/swift") { run, server in
      try await world.reachability.watchers(1)
      // The look-up and the list are sent side by side: one may still be under way.
      let requests = try await server.settledRequests.count
      let before = run.state
      await run.press(.character("f"))
      await run.type("linker")
      try await run.state { $0.sheet?.search?.text == "is:open linker" && !$0.list.isLoading }
      #expect(try await server.settledRequests.count == requests)
      await run.press(.escape)
      try await world.reachability.watchers(1)
      #expect(run.state.list.content == before.list.content)
      #expect(run.state.sheet?.isStandIn == true)
      world.github.stopIntercepting()
      world.reachability.set(true)
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
    }
  }
}
