import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Sorting and filtering the list", .timeLimit(.minutes(5)))
struct ChoosingTests {
  private static let recipe = SyntheticIssues(count: 150, pullRequests: 0, closed: 0.5)

  @Test("s offers the sort orders, and the list follows the choice")
  func sort() async throws {
    try await BrowserWorld(issues: Self.recipe).run("apple/swift") { run, server in
      try await run.state { $0.isSettled }
      let orders: [(ListOrder, String, String)] = [
        (.oldest, "created", "asc"), (.recentlyUpdated, "updated", "desc"),
        (.leastRecentlyUpdated, "updated", "asc"), (.mostComments, "comments", "desc"),
        (.fewestComments, "comments", "asc"), (.newest, "created", "desc"),
      ]
      for (order, sort, direction) in orders {
        await run.press(.end)
        await run.sort(order)
        let state = try await run.state {
          $0.isSettled && $0.sheet?.filter.sort.rawValue == sort
            && $0.sheet?.filter.direction.rawValue == direction
        }
        #expect((state.list.cursor.selection, state.list.cursor.top) == (0, 0))
        #expect(server.issueRequests.last?.queryValue("sort") ?? "created" == sort)
        #expect(server.issueRequests.last?.queryValue("direction") ?? "desc" == direction)
      }
      // The repository is known by then, and isn't looked up again.
      #expect(server.requests.count { $0 == "/repos/apple/swift" } == 1)
    }
  }

  @Test("after quick choices, only the last sort order is shown")
  func sortQuickly() async throws {
    let gate = Gate()
    try await BrowserWorld(issues: Self.recipe).run(
      "apple/swift", holding: BrowserWorld.holding(gate) { $0.queryValue("direction") == "asc" }
    ) { run, server in
      try await run.state { $0.isSettled }
      await run.sort(.oldest)
      await run.sort(.recentlyUpdated)
      let state = try await run.state { $0.isSettled && $0.sheet?.filter.sort == .updated }
      #expect(state.sheet?.filter.direction == .descending)
      gate.open()
      _ = try await server.settledRequests
      #expect(run.state.sheet?.filter.sort == .updated)
    }
  }

  @Test("a milestone's title is looked up, and an unknown title is reported")
  func milestone() async throws {
    let recipe = SyntheticIssues(count: 150, pullRequests: 0)
    try await BrowserWorld(issues: recipe).run("apple/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("f"), .control("u"))
      await run.input(.paste("is:all milestone:next"))
      await run.press(.enter)
      let state = try await run.state { $0.isSettled && $0.sheet?.filter.milestone != nil }
      #expect(
        Set(state.issues.map(\.number))
          == Set(recipe.make().filter { $0.milestone == 3 }.map(\.number)))
      #expect(server.issueRequests.last?.queryValue("milestone") == "3")
      #expect(state.sheet?.filter.query == "is:all milestone:next")
      await run.press(.character("f"), .control("u"))
      await run.input(.paste("milestone:nosuch"))
      await run.press(.enter)
      let failed = try await run.state { state in
        if case .failed = state.sheet?.standing { true } else { false }
      }
      guard case .failed(let reason)? = failed.sheet?.standing else { return }
      #expect(reason == "swiftlang/swift has no milestone “nosuch”")
    }
  }

  @Test("f shows the current filter, ready for another term, and Enter applies it")
  func filter() async throws {
    try await BrowserWorld(issues: Self.recipe).run("apple/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("f"))
      #expect(run.state.filter.field == TextField("is:open "))
      await run.press(.control("u"))
      await run.type("is:closed label:bug")
      await run.press(.enter)
      #expect(run.state.filter.field == nil)
      let state = try await run.state { $0.isSettled && $0.sheet?.filter.state == .closed }
      let wanted = Self.recipe.make().reversed().filter { issue in
        !issue.isOpen && issue.labels.contains { $0.name == "bug" }
      }
      #expect(state.issues.map(\.number) == wanted.map(\.number))
      // The names for the completion of the label are asked for beside the list.
      try await run.state { $0.filter.known.values.contains { $0 != FilterNames() } }
      // Esc changes nothing.
      let requests = try await server.settledRequests
      await run.press(.character("f"), .control("u"), .escape)
      #expect(run.state.filter.field == nil)
      #expect(try await server.settledRequests == requests)
    }
  }

  @Test("an invalid filter is reported and isn't sent")
  func badFilter() async throws {
    try await BrowserWorld(issues: Self.recipe).run("apple/swift") { run, server in
      try await run.state { $0.isSettled }
      let requests = server.requests
      await run.press(.character("f"))
      await run.type(" colour:red")
      await run.press(.enter)
      #expect(run.state.filter.field != nil)
      #expect(run.state.filter.problem?.isEmpty == false)
      await run.press(.backspace)
      #expect(run.state.filter.problem == nil)
      #expect(try await server.settledRequests == requests)
    }
  }

  @Test(
    "a filter doesn't carry over to another repository, and returns when typing is undone")
  func filterBelongsToRepository() async throws {
    let world = BrowserWorld(issues: Self.recipe, others: SyntheticIssues(count: 5))
    try await world.run("apple/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.sort(.oldest)
      try await run.state { $0.isSettled && $0.sheet?.filter.direction == .ascending }
      await run.press(.character("/"), .end, .character("x"), .backspace)
      try await run.eventualState { !$0.list.isLoading }
      #expect(run.state.sheet?.filter.direction == .ascending)
      await run.press(.character("x"), .enter)
      try await run.state { $0.isSettled && $0.sheet?.reference?.name.name == "swiftx" }
      #expect(run.state.sheet?.filter == IssueFilter())
    }
  }

  @Test("r reloads from the first page and keeps the selected issue")
  func refresh() async throws {
    let recipe = SyntheticIssues(count: 90, pullRequests: 0, closed: 0)
    let world = BrowserWorld(issues: recipe)
    try await world.run("apple/swift") { run, server in
      try await run.state { $0.isSettled }
      for _ in 1...40 { await run.press(.down) }
      let selected = try #require(run.state.selectedIssue?.number)
      for _ in 1...3 { world.github.addIssue(to: .swift(issues: recipe)) }
      await run.press(.character("r"))
      let state = try await run.state { $0.isSettled && $0.issues.count == 93 }
      #expect(state.selectedIssue?.number == selected)
      #expect(state.list.cursor.selection == 43)
      #expect(
        (state.list.cursor.top..<state.list.cursor.top + 21).contains(state.list.cursor.selection))
      // The first list under the typed name, the target of its redirect, and the reloaded list.
      #expect(server.issueRequests.count == 3)
    }
  }

  @Test(
    "Enter applies the shown completion of a value, and otherwise the typed text",
    arguments: [
      ("label:bu", "label:bug"), ("label:bug", "label:bug"), ("author:oct", "author:oct"),
      ("author:", "author:@me"), ("is:cl", "is:closed"), ("crash in", "crash in"),
    ])
  func entered(typed: String, applied: String) throws {
    var state = SampleStates.empty()
    var sheet = IssueSheet(reference: try RepositoryReference(parsing: "apple/swift"))
    sheet.issues = [
      GitHub.Issue(
        id: 1, number: 1, title: "One", user: GitHub.User(login: "octocat"),
        labels: [GitHub.Label(name: "bug"), GitHub.Label(name: "bug-report")])
    ]
    state.list.content = .issues(sheet)
    state.pane = .list
    for key in [InputEvent.Key.character("f"), .control("u")] { state.handle(.input(.key(key))) }
    for character in typed { state.handle(.input(.key(.character(character)))) }
    state.handle(.input(.key(.enter)))
    #expect(state.filter.field == nil)
    #expect(state.list.query == (try ListQuery.filtered(applied, in: sheet.scope)))
  }

  @Test(
    "Tab completes a qualifier or its value",
    arguments: [
      ("label:b|", "label:bug"), ("is:open label:goo|", "is:open label:\"good first issue\""),
      ("label:\"good f|", "label:\"good first issue\""), ("author:OCT|", "author:octocat"),
      ("assignee:ad|", "assignee:ada"), ("label:zzz|", "label:zzz"), ("is:o|", "is:open"),
      ("bug|", "bug"), ("label:\"bug\"|", "label:\"bug\""),
      ("label:b| sort:created", "label:bug sort:created"), ("label:back|", "label:back"),
      ("la|", "label:"), ("-la|", "-label:"), ("-label:B|", "-label:bug"), ("is:|", "is:open"),
      ("sort:reac|", "sort:reactions-desc"), ("no:|", "no:label"), ("author:@|", "author:@me"),
      ("\"la|", "\"la"), ("crash |", "crash "), ("colour:r|", "colour:r"),
    ])
  func completion(before: String, after: String) throws {
    let issues = [
      GitHub.Issue(
        id: 1, number: 1, title: "One", user: GitHub.User(login: "octocat"),
        labels: [
          GitHub.Label(name: "bu\u{1B}g"), GitHub.Label(name: "bug"),
          GitHub.Label(name: "good \"x"),
          GitHub.Label(name: "good first issue"), GitHub.Label(name: "back \\slash"),
        ], assignees: [GitHub.User(login: "ada")])
    ]
    let parts = before.split(separator: "|", omittingEmptySubsequences: false)
    var field = TextField(String(parts[0].dropLast()) + String(parts[1]))
    for _ in 0..<parts[1].count { field.edit(.moveLeft) }
    var state = SampleStates.empty()
    var sheet = IssueSheet(reference: try RepositoryReference(parsing: "apple/swift"))
    sheet.issues = issues
    state.list.content = .issues(sheet)
    state.openFilter()
    state.filter.field = field
    state.editFilter(.insert(String(parts[0].suffix(1))))
    #expect(state.filter.field?.text == parts.joined())
    state.handle(.input(.key(.tab)))
    #expect(state.filter.field?.text == after)
  }
}
