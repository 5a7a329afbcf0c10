import GitHubAPI
import IssueTracker
import PlatformModules
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Filtering on the server", .timeLimit(.minutes(5)))
struct FilterTests {
  private static let recipe = SyntheticIssues(count: 300)

  /// The numbers of the issues with a text in their title, in the search's order.
  private static func numbers(
    _ recipe: SyntheticIssues = recipe, where isWanted: (SyntheticIssue) -> Bool
  ) -> [Int] {
    recipe.make().reversed().filter(isWanted).map(\.number)
  }

  private static func isOpenIssue(_ issue: SyntheticIssue, _ word: String = "") -> Bool {
    issue.isOpen && !issue.isPullRequest && (word.isEmpty || issue.title.contains(word))
  }

  /// The texts of the searches.
  private static func searches(_ server: LoopbackServer) -> [String] {
    server.requests.filter { $0.hasPrefix("/search/issues?") }
      .map { String($0.dropFirst("/search/issues?".count)) }
  }

  @Test("after a pause in typing, the words are searched for on the server once")
  func words() async throws {
    try await BrowserWorld(issues: Self.recipe).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("f"))
      await run.type("linker static")
      #expect(try await server.settledRequests.allSatisfy { !$0.hasPrefix("/search") })
      let state = try await run.eventualState { $0.isSettled && $0.sheet?.search != nil }
      #expect(
        Self.searches(server) == ["linker static is:open is:issue repo:swiftlang/swift"])
      #expect(
        state.issues.map(\.number) == Self.numbers { Self.isOpenIssue($0, "Linker") })
      #expect(state.sheet?.found?.total == state.issues.count)
      // The server has answered already.
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.filter.field == nil }
      #expect(try await server.settledRequests.count { $0.hasPrefix("/search") } == 1)
    }
  }

  @Test("Enter searches at once, and a simple filter uses the issue list")
  func enter() async throws {
    try await BrowserWorld(issues: Self.recipe).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.filter("linker -label:bug")
      await run.press(.enter)
      let state = try await run.state { $0.isSettled && $0.sheet?.search != nil }
      #expect(
        state.issues.map(\.number)
          == Self.numbers { issue in
            Self.isOpenIssue(issue, "Linker") && !issue.labels.contains { $0.name == "bug" }
          })
      await run.filter("is:closed label:bug")
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.sheet?.filter.state == .closed }
      #expect(Self.searches(server).count == 1)
      #expect(run.state.sheet?.found == nil)
    }
  }

  @Test(
    "a filter supports the whole search syntax",
    arguments: [
      "no:label", "created:>=2026-05-25", "is:pr", "is:all milestone:6.3 -label:bug",
      "linker OR macro", "is:closed sort:comments-desc linker",
    ])
  func language(text: String) async throws {
    let recipe = Self.recipe
    try await BrowserWorld(issues: recipe).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.filter(text)
      await run.press(.enter)
      let state = try await run.state { $0.isSettled && $0.sheet?.search != nil }
      let asked = try #require(Self.searches(server).last)
      #expect(asked.hasSuffix(" repo:swiftlang/swift"))
      switch text {
      case "no:label":
        #expect(
          state.issues.map(\.number)
            == Self.numbers { Self.isOpenIssue($0) && $0.labels.isEmpty })
      case "created:>=2026-05-25":
        let start = Int(
          try #require(Timestamp.date(fromDayOrTime: "2026-05-25")).timeIntervalSince1970)
        #expect(
          state.issues.map(\.number)
            == Self.numbers { Self.isOpenIssue($0) && $0.createdAt >= start })
      case "is:pr":
        #expect(state.issues.map(\.number) == Self.numbers { $0.isOpen && $0.isPullRequest })
      case "is:all milestone:6.3 -label:bug":
        #expect(!asked.contains("is:all") && !asked.contains("is:open"))
        #expect(
          state.issues.map(\.number)
            == Self.numbers { issue in
              !issue.isPullRequest && issue.milestone == 2
                && !issue.labels.contains { $0.name == "bug" }
            })
      case "linker OR macro":
        #expect(asked == "(linker OR macro) is:open is:issue repo:swiftlang/swift")
      default:
        let counts = state.issues.map(\.commentsCount)
        #expect(counts == counts.sorted(by: >) && counts.count > 1)
      }
    }
  }

  @Test("half-typed terms are ignored, and the list matches the finished terms")
  func halfTyped() async throws {
    try await BrowserWorld(issues: Self.recipe).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("f"))
      await run.type("linker ")
      let finished = try await run.eventualState { $0.isSettled && $0.sheet?.search != nil }
      for text in ["labe", "l:", "bu", " \"unfin", "ished"] {
        await run.type(text)
        #expect(run.state.list.content == finished.list.content)
      }
      await run.press(.control("u"))
      await run.type("is:open linker is:o")
      try await run.eventualState { $0.isSettled }
      #expect(run.state.issues == finished.issues)
      #expect(Set(Self.searches(server)).count == 1)
    }
  }

  @Test(
    "an unknown qualifier is refused with a suggestion",
    arguments: [
      ("lable:bug crash", "did you mean 'label:'?"), ("is:opne x", "did you mean 'is:open'?"),
      ("created:tomorrow", "created:>=2026-01-31"), ("\"open", "unclosed quotation mark"),
      ("crash OR", "OR joins two words"),
    ])
  func refused(text: String, words: String) async throws {
    try await BrowserWorld(issues: Self.recipe).run("swiftlang/swift") { run, server in
      let before = try await run.state { $0.isSettled }
      await run.filter(text)
      await run.press(.enter)
      #expect(
        run.state.filter.problem?.contains(words) == true, "\(run.state.filter.problem ?? "")")
      #expect(run.state.filter.field?.text == text)
      await run.press(.escape)
      #expect(run.state.list.content == before.list.content)
      #expect(try await server.settledRequests.allSatisfy { !$0.hasPrefix("/search") })
    }
  }

  @Test(
    "reloading, paging, jumping to the end and history keep the filter, and Esc restores the list")
  func kept() async throws {
    let recipe = SyntheticIssues(count: 1_600, pullRequests: 0, closed: 0)
    try await BrowserWorld(issues: recipe).run("swiftlang/swift") { run, server in
      let before = try await run.state { $0.isSettled }
      await run.filter("linker")
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.sheet?.search != nil }
      #expect(run.state.issues.count == 100)
      await run.press(.character("G"))
      let end = try await run.state { !$0.list.goesToEnd && $0.isSettled }
      let wanted = Self.numbers(recipe) { Self.isOpenIssue($0, "Linker") }
      #expect(wanted.count > 100)
      #expect(end.issues.map(\.number) == wanted)
      #expect(end.list.cursor.selection == wanted.count - 1)
      await run.press(.home, .character("r"))
      try await run.state { $0.isSettled && $0.issues.count == 100 }
      #expect(run.state.sheet?.search?.text == "linker")
      #expect(Set(Self.searches(server)) == ["linker is:open is:issue repo:swiftlang/swift"])
      // Escape restores the list from before this typing.
      await run.press(.character("f"), .control("u"))
      await run.type("is:open ")
      try await run.eventualState { $0.isSettled && $0.sheet?.search == nil }
      #expect(run.state.issues.map(\.number) == before.issues.map(\.number))
      await run.press(.escape)
      #expect(run.state.sheet?.search?.text == "linker")
    }
  }

  @Test("a search with more than a thousand results reports that it is cut off")
  func cap() async throws {
    let recipe = SyntheticIssues(count: 1_200, pullRequests: 0, closed: 0)
    var world = BrowserWorld(issues: recipe, cutsSearchesShort: true)
    world.size.columns = 120
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.filter("-label:none-of-them")
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.sheet?.search != nil }
      await run.press(.character("G"))
      let state = try await run.state { !$0.list.goesToEnd && $0.isSettled }
      #expect(state.issues.count == 1_000)
      let text = BrowserScreen.canvas(of: state).text
      #expect(text.contains("of 1,200, but GitHub's search returns only 1,000"))
      #expect(text.contains("1,200 found"))
      #expect(text.contains("the search was cut short"))
      #expect(text.contains("found by github.com"))
      #expect(Self.searches(server).count == 10)
    }
  }

  @Test("@me is replaced with the token's user in lists and searches, with one request")
  func me() async throws {
    var world = BrowserWorld(issues: Self.recipe)
    world.token = try AccessToken("secret")
    for number in [290, 291] {
      world.github.changeIssue(number, of: .swift(issues: Self.recipe)) {
        ($0.author, $0.closedAt, $0.isPullRequest, $0.labels) = ("octocat", nil, false, [])
      }
    }
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.filter("author:@me")
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.sheet?.search != nil }
      #expect(run.state.issues.map(\.number) == [291, 290])
      #expect(server.issueRequests.last?.queryValue("creator") == "octocat")
      await run.filter("author:@me no:label")
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.sheet?.found != nil }
      #expect(run.state.issues.map(\.number) == [291, 290])
      #expect(
        Self.searches(server) == [
          "author:octocat no:label is:open is:issue repo:swiftlang/swift"
        ])
      #expect(server.requests.count { $0 == "/user" } == 1)
    }
  }

  @Test("@me without a token reports that it needs a token")
  func nobody() async throws {
    try await BrowserWorld(issues: Self.recipe).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      let requests = server.requests
      await run.filter("author:@me")
      await run.press(.enter)
      let state = try await run.state { !$0.list.isLoading && $0.sheet?.standing != .online }
      #expect(state.problem?.text.hasPrefix("@me needs an access token") == true)
      #expect(try await server.settledRequests == requests)
    }
  }

  @Test("sorting by reactions uses the search and keeps the filter")
  func reactions() async throws {
    let recipe = Self.recipe
    try await BrowserWorld(issues: recipe).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.filter("label:bug")
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.sheet?.filter.labels == ["bug"] }
      await run.sort(.mostReactions)
      let state = try await run.state { $0.isSettled && $0.sheet?.found != nil }
      let counts = Dictionary(
        uniqueKeysWithValues: recipe.make().map { ($0.number, $0.reactionCount) })
      let shown = state.issues.map { counts[$0.number] ?? 0 }
      #expect(shown == shown.sorted(by: >) && (shown.first ?? 0) > 0)
      #expect(state.issues.allSatisfy { $0.labels.contains { $0.name == "bug" } })
      #expect(
        Self.searches(server) == [
          "is:open label:bug is:issue sort:reactions-desc repo:swiftlang/swift"
        ])
      // Back to an order that the list has.
      await run.sort(.newest)
      try await run.state { $0.isSettled && $0.sheet?.filter.labels == ["bug"] }
    }
  }

  @Test("the server's labels and milestones complete a filter, and are requested once")
  func names() async throws {
    try await BrowserWorld(issues: SyntheticIssues(count: 3)).run("swiftlang/swift") {
      run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("f"))
      await run.type("label:")
      try await run.state { $0.filter.completions?.predictions.count == 10 }
      await run.type("goo")
      #expect(
        run.state.filter.completions?.predictions.map(\.text) == ["label:\"good first issue\""])
      await run.press(.tab)
      #expect(run.state.filter.field?.text == "is:open label:\"good first issue\"")
      #expect(run.state.filter.completions == nil)
      await run.type(" milestone:N")
      await run.press(.down, .enter)
      #expect(run.state.filter.field?.text.hasSuffix(" milestone:Next") == true)
      let asked = try await server.settledRequests.filter {
        $0.hasSuffix("/labels") || $0.hasSuffix("/milestones")
      }
      #expect(asked.count == 2)
    }
  }

  @Test("Esc closes the completions first, and Enter without a selection applies the filter")
  func closing() async throws {
    try await BrowserWorld(issues: Self.recipe).run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.filter("is:cl")
      #expect(run.state.filter.completions?.predictions.map(\.text) == ["is:closed"])
      await run.press(.escape)
      #expect(run.state.filter.completions == nil)
      #expect(run.state.filter.field?.text == "is:cl")
      await run.press(.escape)
      #expect(run.state.filter.field == nil)
      await run.filter("is:closed label")
      #expect(run.state.filter.completions != nil)
      await run.press(.control("w"), .enter)
      try await run.state { $0.isSettled && $0.sheet?.filter.state == .closed }
      #expect(run.state.filter.field == nil)
    }
  }
}

@Suite("The search quota", .timeLimit(.minutes(5)))
struct SearchQuotaTests {
  private static func searches(_ server: LoopbackServer) async throws -> Int {
    try await server.settledRequests.count { $0.hasPrefix("/search/issues") }
  }

  @Test("an exhausted quota is reported with its reset time, and the search continues afterwards")
  func limited() async throws {
    var world = BrowserWorld(issues: SyntheticIssues(count: 300), searchRateLimit: 3)
    world.size.columns = 120
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      for word in ["linker", "macro", "async"] {
        await run.filter(word)
        await run.press(.enter)
        try await run.state { $0.isSettled && $0.sheet?.search?.text == word }
        #expect(run.state.sheet?.standing == .online)
      }
      await run.filter("sendable")
      await run.press(.enter)
      let state = try await run.state { $0.sheet?.search?.text == "sendable" && !$0.list.isLoading }
      guard case .limited? = state.sheet?.standing else {
        Issue.record("not limited: \(String(describing: state.sheet?.standing))")
        return
      }
      #expect(state.problem?.text.hasPrefix("Searches are limited until ") == true)
      #expect(state.problem?.text.contains(", retrying in ") == true)
      #expect(try await Self.searches(server) == 3)
      let back = try await run.eventualState {
        $0.isSettled && $0.sheet?.standing == .online && $0.sheet?.search?.text == "sendable"
      }
      #expect(!back.issues.isEmpty)
      #expect(try await Self.searches(server) == 4)
    }
  }

  @Test("superseded searches are canceled, and count toward the quota")
  func superseded() async throws {
    let gate = Gate()
    let world = BrowserWorld(issues: SyntheticIssues(count: 300), searchRateLimit: 3)
    try await world.run(
      "swiftlang/swift",
      holding: BrowserWorld.holding(gate) { request in
        request.queryValue("q").map { $0.hasPrefix("held") } ?? false
      }
    ) { run, server in
      try await run.state { $0.isSettled }
      await run.filter("linker")
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.sheet?.search != nil }
      for word in ["held one", "held two"] {
        await run.filter(word)
        await run.press(.enter)
        try await server.log.waitForRequest { $0.queryValue("q")?.hasPrefix(word) == true }
      }
      await run.filter("macro")
      await run.press(.enter)
      let state = try await run.state { $0.sheet?.search?.text == "macro" && !$0.list.isLoading }
      guard case .limited? = state.sheet?.standing else {
        Issue.record("not limited: \(String(describing: state.sheet?.standing))")
        return
      }
      try await server.log.waitForCancellation { $0.queryValue("q")?.hasPrefix("held two") == true }
      gate.open()
      #expect(try await Self.searches(server) == 3)
    }
  }
}
