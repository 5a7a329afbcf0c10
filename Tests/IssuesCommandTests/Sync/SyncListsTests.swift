import ConcurrencyPrimitives
import IssueMirror
import IssueTracker
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("issues sync of organizations, stars and patterns", .timeLimit(.minutes(5)))
  struct SyncListsTests {
    private static let token = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]

    /// An organization with `repo-1`, `repo-2`…, and another owner's `octo/cat`.
    private static func scene(
      repositories count: Int, starred: Set<Int> = []
    ) throws -> MirrorScene {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = (1...count).map(repository)
      configuration.repositories.append(
        LoopbackRepository(
          id: 900, owner: "octo", name: "cat",
          issues: SyntheticIssues(count: 3, newest: 1_700_000_000)))
      configuration.users = ["octo"]
      configuration.starred = starred
      return try MirrorScene(LoopbackGitHub(configuration))
    }

    /// It has as many items as its number says.
    private static func repository(_ number: Int) -> LoopbackRepository {
      LoopbackRepository(
        id: number, owner: "acme", name: "repo-\(number)",
        issues: SyntheticIssues(count: number, newest: 1_700_000_000))
    }

    private static func names(_ result: CommandRun.Result, _ server: LoopbackServer) -> [String] {
      result.lines.map { String($0.prefix { $0 != "\t" }.dropFirst(server.host.count + 1)) }
    }

    @Test("the repositories of an organization are synced from all pages, each once")
    func organization() async throws {
      let scene = try Self.scene(repositories: 102)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.sync(server, ["--org", "ACME", "acme/repo-7", "octo/cat"])
        let names = Self.names(result, server)
        #expect(names.count == 103)
        #expect(Set(names).count == 103)
        #expect(names.contains("octo/cat"))
        let lists = server.log.requests.filter { $0.path.lowercased() == "/orgs/acme/repos" }
        #expect(lists.count == 2)
        try await scene.expectComplete(server, repository: "acme/repo-102")
        // A list that was read in one go is asked for from a minute before its end on, and its
        // repository is looked up.
        var before = server.log.requestCount
        try await scene.sync(server, ["--org", "acme", "octo/cat"])
        #expect(server.log.requestCount == before + 2 + 2 * 103)
        // Nothing has changed: one conditional question for each.
        before = server.log.requestCount
        try await scene.sync(server, ["--org", "acme", "octo/cat"])
        #expect(server.log.requestCount == before + 2 + 103)
      }
    }

    @Test("a pattern matches an organization's or a user's repositories, or is reported")
    func pattern() async throws {
      let scene = try Self.scene(repositories: 12)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let one = try await scene.sync(server, ["acme/REPO-1?"])
        #expect(
          Self.names(one, server).sorted() == ["acme/repo-10", "acme/repo-11", "acme/repo-12"])
        // octo is a user: its list is another.
        let user = try await scene.sync(server, ["octo/c*"])
        #expect(Self.names(user, server) == ["octo/cat"])
        let none = try await scene.run(["sync", "acme/x*", "--api-url", server.url])
        none.expectFailure(3, saying: ["no repository of acme matches 'acme/x*'"])
      }
    }

    @Test("syncing starred repositories needs a token")
    func starred() async throws {
      let scene = try Self.scene(repositories: 3, starred: [2, 900])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let without = try await scene.run(["sync", "--starred", "--api-url", server.url])
        without.expectFailure(4, saying: ["--starred needs an access token"])
        let result = try await scene.sync(server, ["--starred"], environment: Self.token)
        #expect(Self.names(result, server).sorted() == ["acme/repo-2", "octo/cat"])
      }
    }

    @Test("an unknown organization is an error, and nothing is synced")
    func missing() async throws {
      let scene = try Self.scene(repositories: 1)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run([
          "sync", "acme/repo-1", "--org", "nobody", "--api-url", server.url,
        ])
        result.expectFailure(3, saying: ["Check the name “nobody”"])
        #expect(server.log.requestCount == 1)
        #expect(result.lines.isEmpty)
      }
    }

    @Test("several repositories are synced at once, within --jobs")
    func sideBySide() async throws {
      let scene = try Self.scene(repositories: 20)
      let arrived = Watched(0)
      try await withLoopbackServer { request in
        // No response is sent before the maximum of repositories has sent its first request.
        if request.path.hasPrefix("/repos/acme/"), !request.isPageOfIssues {
          arrived.update { $0 += 1 }
          await arrived.wait { $0 >= 5 }
        }
        return await scene.github.handler(request)
      } perform: { server in
        let result = try await scene.sync(server, ["--org", "acme", "--jobs", "5"])
        #expect(result.lines.count == 20)
        #expect(server.log.peakInFlight == 5)
      }
    }

    @Test("repositories without a sync come first")
    func stalest() async throws {
      let scene = try Self.scene(repositories: 4)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for name in ["acme/repo-3", "acme/repo-1"] { try await scene.sync(server, [name]) }
        let result = try await scene.sync(server, ["--org", "acme", "--jobs", "1"])
        #expect(Self.names(result, server).prefix(2) == ["acme/repo-2", "acme/repo-4"])
      }
    }

    @Test("on a terminal, all syncs share a line of progress, and each ends with a sentence")
    func terminal() async throws {
      let scene = try Self.scene(repositories: 3)
      let isOpen = Watched(false)
      try await withLoopbackServer { request in
        if request.path == "/repos/acme/repo-2" { await isOpen.wait { $0 } }
        return await scene.github.handler(request)
      } perform: { server in
        let run = try CommandRun(
          "issues", ["sync", "--org", "acme", "--api-url", server.url],
          environment: IssuesProgram.environment
            .merging(IssuesProgram.plainTerminal) { $1 }.merging(scene.environment) { $1 },
          connection: .terminal(columns: 120, rows: 24))
        try await run.waitFor("Syncing 3 repositories [######----] 2 done, ")
        isOpen.update { $0 = true }
        let result = try await run.result()
        #expect(result.status == .exited(0))
        #expect(result.screen.contains("acme/repo-2: 2 new, 0 updated"), "\(result.screen)")
      }
    }

    @Test("--watch --json prints a line at the end of each sync")
    func watchedLines() async throws {
      let scene = try Self.scene(repositories: 1)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try CommandRun(
          "issues",
          [
            "sync", "--org", "acme", "--watch", "1h", "--jsonl", "--fields", "full_name,new",
            "--api-url", server.url,
          ],
          environment: IssuesProgram.environment.merging(scene.environment) { $1 })
        try await run.waitFor("{\"full_name\":\"acme/repo-1\",\"new\":1}\n")
        run.send(signal: 15)
        #expect(try await run.result().status == .signalled(15))
      }
    }

    @Test("--watch reports changes, survives a failure, and leaves a complete mirror")
    func watch() async throws {
      let scene = try Self.scene(repositories: 2)
      let second = Self.repository(2)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try CommandRun(
          "issues", ["sync", "--org", "acme", "--watch", "1s", "--api-url", server.url],
          environment: IssuesProgram.environment.merging(scene.environment) { $1 }
            .merging(Self.token) { $1 })
        try await run.waitFor("acme/repo-2\t2 new\t")
        try await run.waitFor("acme/repo-1\t1 new\t")
        scene.github.intercept(
          times: 1,
          where: { $0.path.contains("/repo-1") || $0.path.hasPrefix("/repositories/1/") },
          response: { _, now in GitHubError.forbidden.response(now: now) })
        scene.github.changeIssue(1, of: second) { issue in
          issue.updatedAt = Int(Date().timeIntervalSince1970)
        }
        try await run.waitFor("acme/repo-1", on: .error)
        try await run.waitFor("acme/repo-2\t0 new\t1 updated\t")
        run.send(signal: 15)
        let result = try await run.result()
        #expect(result.status == .signalled(15))
        // The second round had nothing to say of the other one.
        #expect(result.lines.count == 3, "\(result.outputText)")
        try await scene.expectComplete(server, repository: "acme/repo-2")
      }
    }
  }
}

@Suite("The order of syncs")
struct SyncOrderTests {
  @Test(
    "repositories without a sync come first, then the least recently synced ones")
  func stalest() throws {
    let names = ["a/new", "a/young", "a/old", "a/unfinished", "a/other-server"]
    let places = try names.map {
      try Place(RepositoryReference(parsing: $0), environment: [:])
    }
    func mirrored(_ name: String, host: String = "github.com", _ time: Double?)
      -> MirroredRepository
    {
      MirroredRepository(
        id: 1, host: host, serverID: 1, fullName: name,
        checkedAt: time.map(Date.init(timeIntervalSince1970:)))
    }
    let sorted = SyncSelection.stalestFirst(
      places,
      among: [
        mirrored("A/Young", 200), mirrored("a/old", 100), mirrored("a/unfinished", nil),
        mirrored("a/other-server", host: "ghe.example.com", 5),
      ])
    #expect(
      sorted.map { "\($0.name)" } == [
        "a/new", "a/unfinished", "a/other-server", "a/old", "a/young",
      ])
  }
}

@Suite("The schedule of a watched repository")
struct AskingScheduleTests {
  private static func place(_ name: String) throws -> Place {
    try Place(RepositoryReference(parsing: name), environment: [:])
  }

  @Test("the pause grows up to half an hour without changes, and shrinks with changes")
  func pauses() throws {
    let place = try Self.place("a/b")
    var schedule = AskingSchedule<Place>(shortest: .seconds(60))
    schedule.replace(with: [place], at: .zero)
    #expect(schedule.due(at: .zero) == [place])
    var pauses: [Duration] = []
    var now = Duration.zero
    for _ in 0..<10 {
      schedule.note(place, foundNews: false, at: now)
      let next = try #require(schedule.next)
      pauses.append(next - now)
      now = next
    }
    #expect(pauses.prefix(3) == [.seconds(90), .seconds(135), .seconds(202.5)])
    #expect(pauses.last == .seconds(1800))
    schedule.note(place, foundNews: true, at: now)
    #expect(schedule.next == now + .seconds(60))
  }

  @Test("an interval of more than half an hour stays unchanged")
  func long() throws {
    let place = try Self.place("a/b")
    var schedule = AskingSchedule<Place>(shortest: .seconds(7200))
    schedule.replace(with: [place], at: .zero)
    schedule.note(place, foundNews: false, at: .zero)
    #expect(schedule.next == .seconds(7200))
  }

  @Test("added repositories are due at once, and removed ones never again")
  func lists() throws {
    let (a, b, c) = (try Self.place("a/a"), try Self.place("a/b"), try Self.place("a/c"))
    var schedule = AskingSchedule<Place>(shortest: .seconds(60))
    schedule.replace(with: [a, b], at: .zero)
    schedule.note(a, foundNews: true, at: .seconds(1))
    schedule.note(b, foundNews: true, at: .seconds(2))
    #expect(schedule.due(at: .seconds(10)).isEmpty)
    schedule.replace(with: [b, c], at: .seconds(20))
    #expect(schedule.count == 2)
    #expect(schedule.due(at: .seconds(20)) == [c])
    #expect(schedule.due(at: .seconds(100)) == [c, b])
    schedule.note(a, foundNews: true, at: .seconds(100))
    #expect(schedule.count == 2)
  }
}

@Suite("Repository patterns")
struct RepositoryPatternTests {
  @Test(
    "a pattern matches names as a shell does, in any case, for one owner only",
    arguments: [
      ("acme/repo-*", "acme/repo-1", true), ("acme/*", "ACME/x", true),
      ("acme/repo-[12]", "acme/Repo-2", true), ("acme/repo-?", "acme/repo-10", false),
      ("acme/*", "other/x", false), ("h.example/acme/a*", "acme/abc", true),
    ])
  func matches(pattern: String, name: String, expected: Bool) throws {
    let name = try #require(RepositoryName(name))
    #expect(try RepositoryPattern(pattern).matches(name) == expected)
  }

  @Test(
    "a pattern without an owner, or with a wildcard in it, is refused",
    arguments: ["*", "*/x", "a*/b", "/*"])
  func refused(text: String) {
    #expect(throws: CommandFailure.self) { try RepositoryPattern(text) }
  }
}
