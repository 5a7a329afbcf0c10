import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

/// Each of these servers holds its answers for the owner `slow` for ever: what isn't cancelled hangs.
@Suite("Superseded names", .timeLimit(.minutes(5)))
struct SupersededNamesTests {
  /// The step of a name that is held.
  enum Step: String, CaseIterable, CustomTestStringConvertible {
    case lookup, issues

    var testDescription: String { rawValue }

    func path(of name: String) -> String {
      self == .lookup ? "/repos/\(name)" : "/repos/\(name)/issues"
    }

    /// A GitHub that never answers this step for `slow/…`.
    var handler: LoopbackServer.Handler {
      let github = LoopbackGitHub.everywhere()
      let closed = Gate()
      return { request in
        let isHeld = request.path.hasPrefix("/repos/slow/")
        if isHeld, request.path.hasSuffix("/issues") == (self == .issues) { await closed.wait() }
        return await github.handler(request)
      }
    }
  }

  @Test(
    "a newer name ends the older name's request, and only the newer name's issues appear",
    arguments: Step.allCases)
  func supersedes(step: Step) async throws {
    try await withLoopbackServer(answering: step.handler) { server in
      let (names, input) = AsyncStream.makeStream(of: String.self)
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: names)
      async let outcomes = model.outcomes().reduce(into: []) { $0.append($1) }

      for name in ["slow/one", "slow/two", "slow/one"] {
        let before = server.log.requestCount
        input.yield(name)
        try await server.log.requests(count: before + (step == .lookup ? 1 : 2))
      }
      input.yield("swiftlang/swift")
      input.finish()

      let all = await outcomes
      #expect(all.map(\.name) == ["swiftlang/swift"])
      #expect(all.first?.issues.map(\.number) == Array(LoopbackGitHub.openIssues().prefix(100)))
      for name in ["slow/one", "slow/two"] {
        try await server.log.waitForCancellation { $0.path == step.path(of: name) }
      }
      try await server.log.openConnections(atMost: 2)
      // Nothing is asked on behalf of a name that was superseded while it was looked up.
      let later = server.log.requests.count { $0.path.hasSuffix("/issues") }
      // The last one's second page makes up for the pull requests among its first.
      #expect(later == (step == .lookup ? 2 : 5))
    }
  }

  @Test("only the last of thirty quickly typed names is loaded", arguments: Step.allCases)
  func typedFast(step: Step) async throws {
    try await withLoopbackServer(answering: step.handler) { server in
      let (names, input) = AsyncStream.makeStream(of: String.self)
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: names)
      for index in 1..<30 { input.yield("slow/name-\(index)") }
      input.yield("fast/name-30")
      input.finish()
      var lists: [[GitHub.Issue]] = []
      for await issues in model.trackIssues() { lists.append(issues) }
      #expect(lists.map(\.count) == [5])
    }
  }

  @Test("a late response to an older name doesn't appear after the newer name's issues")
  func answerInFlight() async throws {
    let github = LoopbackGitHub.everywhere()
    let gate = Gate()
    try await withLoopbackServer { request in
      let answer = await github.handler(request)
      return request.path == "/repos/slow/one/issues" ? answer.bodyHeld(by: gate) : answer
    } perform: { server in
      let (names, input) = AsyncStream.makeStream(of: String.self)
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: names)
      var outcomes = model.outcomes().makeAsyncIterator()
      input.yield("slow/one")
      async let first = outcomes.next(isolation: nil)
      try await server.log.waitForRequest { $0.path == "/repos/slow/one/issues" }
      input.yield("a/b")
      input.finish()
      #expect(await first?.name == "a/b")
      gate.open()
      #expect(await outcomes.next(isolation: nil) == nil)
    }
  }

  @Test("canceling the consumer ends the request", arguments: Step.allCases)
  func cancelled(step: Step) async throws {
    try await withLoopbackServer(answering: step.handler) { server in
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: Names(names: ["slow/one"]))
      let consumer = Task { await model.trackIssues().reduce(into: []) { $0.append($1) } }
      try await server.log.waitForRequest { $0.path == step.path(of: "slow/one") }
      consumer.cancel()
      #expect(await consumer.value.isEmpty)
      try await server.log.waitForCancellation { $0.path == step.path(of: "slow/one") }
    }
  }

  @Test("leaving the loop ends the request", arguments: Step.allCases)
  func left(step: Step) async throws {
    try await withLoopbackServer(answering: step.handler) { server in
      let (names, input) = AsyncStream.makeStream(of: String.self)
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: names)
      input.yield("a/b")
      for await issues in model.trackIssues() {
        #expect(issues.count == 5)
        input.yield("slow/one")
        try await server.log.waitForRequest { $0.path == step.path(of: "slow/one") }
        break
      }
      try await server.log.waitForCancellation { $0.path == step.path(of: "slow/one") }
    }
  }
}
