import ConcurrencyPrimitives
import GRDB
import GitHubAPI
import HTTPTargets
import IssueMirror
import PlatformModules
import TestSupport
import Testing

@Suite("Completeness of syncs", .timeLimit(.minutes(5)))
struct CompletenessTests {
  @Test("a sync doesn't remove issues in bulk if the server's own count contradicts it")
  func contradiction() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let kept = try await world.kept()
      world.github.intercept(where: { $0.path.hasSuffix("/issues") }) { _, _ in .json("[]") }
      world.github.intercept(where: { $0.path.contains("/issues/") }) {
        GitHubError.notFound.response(now: $1)
      }
      let error = await #expect(throws: NetworkError.self) { try await world.sync(verifies: true) }
      #expect(error?.message.contains("the server counts") == true)
      #expect(try await world.kept() == kept)
      world.github.stopIntercepting()
      #expect(try await world.sync(verifies: true).removed == 0)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test("a sync fails if the server has a newest number but an empty list")
  func nothing() async throws {
    try await withSyncWorld { world in
      world.github.intercept(where: { $0.queryValue("sort") == "updated" }) { _, _ in .json("[]") }
      let error = await #expect(throws: NetworkError.self) { try await world.sync() }
      #expect(error?.message.contains("has the number 250") == true)
      #expect(try await world.mirrored()?.isComplete == false)
      world.github.stopIntercepting()
      try await world.sync()
      #expect(try await world.kept() == world.served())
    }
  }

  @Test(
    "a first sync stops if its name now belongs to another repository",
    arguments: [1, 4, 8])
  func replaced(jobs: Int) async throws {
    try await withSyncWorld(items: 900) { world in
      let served = try await world.served()
      var configuration = LoopbackGitHub.Configuration()
      configuration.now = { [ticks = world.ticks] in ticks.now() }
      var other = world.repository
      (other.id, other.issues) = (2, SyntheticIssues(count: 1_300, newest: other.issues.newest))
      configuration.repositories = [other]
      let successor = LoopbackGitHub(configuration)
      let count = Locked(0)
      world.github.intercept(where: { _ in
        count.withLock { count in
          count += 1
          return count > 6
        }
      }) { request, _ in successor.respond(to: request) }
      await #expect(throws: NetworkError.self) { try await world.sync(jobs: jobs) }
      for (number, json) in try await world.kept() { #expect(served[number] == json) }
      #expect(try await world.mirrored()?.isComplete == false)
    }
  }

  @Test(
    "a sync stores nothing from a page with an issue or comment of another repository",
    arguments: [false, true])
  func foreignEntry(isComment: Bool) async throws {
    try await withSyncWorld(items: 90) { world in
      var configuration = LoopbackGitHub.Configuration()
      configuration.now = { [ticks = world.ticks] in ticks.now() }
      configuration.repositories = [world.repository]
      let twin = LoopbackGitHub(configuration)
      let path = isComment ? "/issues/comments" : "/issues"
      world.github.intercept(where: { $0.path.hasSuffix(path) && $0.queryValue("sort") != nil }) {
        request, _ in
        var response = twin.respond(to: request)
        let text = String(decoding: response.body, as: UTF8.self)
        let name = isComment ? "issue_url" : "repository_url"
        // One of them only.
        let changed = text.replacing(
          "\"\(name)\":\"\(request.origin)/repos/swiftlang/swift",
          with: "\"\(name)\":\"http://h/repos/a/b", maxReplacements: 1)
        response.body = Data(changed.utf8)
        return response
      }
      let error = await #expect(throws: NetworkError.self) {
        try await world.sync(comments: true)
      }
      #expect(error?.message.contains("another repository") == true)
      if isComment {
        #expect(try await world.keptComments().isEmpty)
      } else {
        #expect(try await world.kept().isEmpty)
      }
      world.github.stopIntercepting()
      try await world.sync(comments: true)
      #expect(try await world.kept() == world.served())
      #expect(try await world.keptComments() == world.servedComments())
    }
  }

  @Test("a sync stops requesting numbers if the server's newest one doesn't exist")
  func absurdNewest() async throws {
    try await withSyncWorld(items: 60) { world in
      world.github.intercept(
        where: { $0.path.hasSuffix("/issues") && $0.queryValue("per_page") == "1" },
        response: { _, _ in .json(#"[{"id":1,"number":900000000,"title":"x","state":"open"}]"#) })
      let report = try await world.sync()
      #expect(report.hasUnexplainedNumbers)
      #expect(report.requests < 600)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test(
    "a sync requests numbers missing from every list, together or one by one",
    arguments: [true, false])
  func unlisted(hasGraphQL: Bool) async throws {
    let configure = { @Sendable (configuration: inout LoopbackGitHub.Configuration) in
      configuration.unlisted = [7, 120]
    }
    try await withSyncWorld(configure: configure) { world in
      if !hasGraphQL {
        world.github.intercept(where: { $0.path == "/graphql" }) {
          GitHubError.notFound.response(now: $1)
        }
      }
      world.github.deleteIssue(5, of: world.repository)
      let report = try await world.sync()
      let numbers: [Int] = (1...250).filter { $0 != 5 }
      #expect(try await world.kept().keys.sorted() == numbers)
      #expect(!report.hasUnexplainedNumbers)
      let requests = try await world.requests { try await world.sync(verifies: true) }
      // Numbers known to be gone aren't requested again, unlisted ones are.
      let asked = requests.filter { $0.path.contains("/issues/") }.map(\.path)
      #expect(
        Set(asked.compactMap { $0.split(separator: "/").last.map(String.init) }) == ["7", "120"])
      #expect(!requests.contains { $0.path == "/graphql" })
      #expect(try await world.kept().count == 249)
    }
  }

  @Test(
    "a sync limits its requests for single numbers, and the next sync continues",
    arguments: [(404, 500), (401, 20)])
  func budget(status: Int, most: Int) async throws {
    let count = most + 20
    try await withSyncWorld(items: count + 40) { world in
      for number in 1...count { world.github.deleteIssue(number, of: world.repository) }
      world.github.intercept(where: { $0.path == "/graphql" }) { _, _ in
        .json(#"{"message":"no"}"#, status: status)
      }
      var asked: [Int] = []
      for (round, rest) in [most, 20, 0].enumerated() {
        let requests = try await world.requests {
          let report = try await world.sync()
          #expect(report.hasUnexplainedNumbers == (round == 0))
        }
        let single = requests.compactMap { request in
          request.path.contains("/issues/")
            ? request.path.split(separator: "/").last.flatMap { Int($0) } : nil
        }
        #expect(single.count == rest)
        // A sync finds out once that it can't send GraphQL queries.
        #expect(requests.count { $0.path == "/graphql" } == (rest == 0 ? 0 : 1))
        asked += single
      }
      #expect(asked.sorted() == Array(1...count))
      #expect(try await world.kept() == world.served())
    }
  }

  @Test(
    "a response that doesn't cover each requested number proves no number missing",
    arguments: [
      "", "[]", #"{"data":null,"errors":[{"type":"RATE_LIMITED","message":"API rate limit"}]}"#,
      #"{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","path":["repository"]}]}"#,
      #"{"data":{"repository":{"databaseId":44838949,"n5":null,"n7":null,"n120":null}}}"#,
      """
      {"data":{"repository":{"databaseId":44838949,"n5":null,"n7":null,"n120":null}},"errors":[
        {"type":"NOT_FOUND","path":["repository","n5"]},
        {"type":"FORBIDDEN","path":["repository","n7"]},
        {"type":"NOT_FOUND","path":["repository","n120",1]}]}
      """,
    ])
  func unknownPresence(body: String) async throws {
    let configure = { @Sendable (configuration: inout LoopbackGitHub.Configuration) in
      configuration.unlisted = [7, 120]
    }
    try await withSyncWorld(configure: configure) { world in
      world.github.deleteIssue(5, of: world.repository)
      world.github.intercept(where: { $0.path == "/graphql" }) { _, _ in .json(body) }
      let report = try await world.sync()
      #expect(try await world.kept().keys.sorted() == (1...250).filter { $0 != 5 })
      #expect(!report.hasUnexplainedNumbers)
    }
  }

  @Test("a number that GitHub reports as missing in its documented form isn't requested again")
  func documentedAbsence() async throws {
    try await withSyncWorld { world in
      world.github.deleteIssue(5, of: world.repository)
      world.github.intercept(where: { $0.path == "/graphql" }) { _, _ in
        .json(
          """
          {"data":{"repository":{"databaseId":44838949,"n5":null}},"errors":[{"type":"NOT_FOUND",\
          "path":["repository","n5"],"locations":[{"line":1,"column":96}],"message":"Could not \
          resolve to an issue or pull request with the number of 5."}]}
          """)
      }
      let requests = try await world.requests { try await world.sync() }
      #expect(!requests.contains { $0.path.hasSuffix("/issues/5") })
      #expect(try await world.requests { try await world.sync() }.count == 1)
    }
  }

  @Test(
    "a sync limits its requested numbers, whatever the server's newest number, and continues later"
  )
  func newest() async throws {
    try await withSyncWorld { world in
      world.github.intercept(where: {
        $0.path.hasSuffix("/issues") && $0.queryValue("per_page") == "1"
      }) { _, _ in .json(#"[{"id":1,"number":60000,"title":"t","state":"open"}]"#) }
      var hasUnexplained: [Bool] = []
      var counts: [Int] = []
      for _ in 0..<3 {
        let requests = try await world.requests {
          hasUnexplained.append(try await world.sync().hasUnexplainedNumbers)
        }
        counts.append(requests.count { $0.path == "/graphql" })
      }
      // A hundred each, of the 59,750 that no list shows.
      #expect(counts == [500, 98, 0])
      #expect(hasUnexplained == [true, false, false])
    }
  }

  @Test("a verification replaces a version with the server's restored older version")
  func restored() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let before = try #require(
        world.github.issues(of: world.repository).first { $0.number == 9 })
      world.ticks.pass(100)
      let now = world.ticks.seconds
      world.github.changeIssue(9, of: world.repository) { issue in
        issue.title = "Undone"
        issue.updatedAt = now
      }
      #expect(try await world.sync().updated == 1)
      world.github.changeIssue(9, of: world.repository) { $0 = before }
      world.ticks.pass(100)
      try await world.sync(verifies: true)
      #expect(try await world.kept() == world.served())
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test("a sync accepts a lagging count of issues only if the count persists")
  func laggingCount() async throws {
    try await withSyncWorld(items: 1_200) { world in
      try await world.sync()
      let path = "/repos/\(world.repository.fullName)"
      let open = world.github.issues(of: world.repository).count(where: \.isOpen)
      world.github.intercept(where: { $0.path == path }) { _, _ in
        .json(
          #"{"id":\#(world.repository.id),"full_name":"swiftlang/swift","has_issues":true,"open_issues_count":\#(open)}"#
        )
      }
      for _ in 0..<3 {
        let now = world.ticks.seconds
        world.github.addIssue(to: world.repository) { issue in
          (issue.createdAt, issue.updatedAt) = (now, now)
        }
        world.ticks.pass(3)
        let report = try await world.sync()
        #expect(!report.isVerified)
        #expect(report.requests < 10)
      }
      world.github.stopIntercepting()
      world.ticks.pass(100)
      #expect(try await !world.sync().isVerified)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test(
    "a sync keeps the version requested later, and ignores late pages of a deleted issue"
  )
  func askedLater() async throws {
    let test = try await TestMirror()
    let tickets = try await test.mirror.tickets(7, of: test.repository)
    func store(_ title: String, asked: Int) async throws {
      var page = try TestMirror.page([.numbered(1, title)])
      page.note(FeedPage.Asked(ticket: tickets[asked]))
      try await test.mirror.store(page, of: test.repository, sweep: nil, at: TestMirror.now)
    }
    func bury(asked: Int) async throws -> Bool {
      try await test.mirror.bury(
        1, .deleted, of: test.repository, at: TestMirror.now, asked: tickets[asked])
    }
    try await store("Later", asked: 1)
    try await store("Earlier", asked: 0)
    #expect(try await test.mirror.issue(1, of: test.repository)?.title == "Later")
    try await store("Latest", asked: 3)
    #expect(try await test.mirror.issue(1, of: test.repository)?.title == "Latest")

    // A request sent before the last write doesn't know the current state.
    #expect(try await !bury(asked: 2))
    #expect(try await bury(asked: 5))
    try await store("Late", asked: 4)
    #expect(try await test.mirror.issue(1, of: test.repository) == nil)
    try await store("Back", asked: 6)
    #expect(try await test.mirror.issue(1, of: test.repository)?.title == "Back")
  }

  @Test("a sync sets an unreadable entry aside, and stores it once it is readable")
  func setAside() async throws {
    try await withSyncWorld { world in
      let path = "/issues"
      let isBroken = Locked(true)
      world.github.changeIssue(42, of: world.repository) {
        $0.labels = [SyntheticIssue.Label("broken", color: "ff0000")]
      }
      var configuration = LoopbackGitHub.Configuration()
      configuration.now = { [ticks = world.ticks] in ticks.now() }
      configuration.repositories = [world.repository]
      let twin = LoopbackGitHub(configuration)
      twin.changeIssue(42, of: world.repository) {
        $0.labels = [SyntheticIssue.Label("broken", color: "ff0000")]
      }
      world.github.intercept(where: { request in
        isBroken.withLock { $0 } && request.path.contains(path)
      }) { request, _ in
        var response = twin.respond(to: request)
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Data(text.replacing(#""name":"broken","#, with: "").utf8)
        return response
      }
      let report = try await world.sync()
      #expect(report.inserted == 249)
      let found = try await world.mirror.setAside(of: report.repository)
      #expect(found.map(\.number) == [42])
      #expect(found.first?.reason.contains("name") == true)
      try await world.sync(verifies: true)
      #expect(try await world.mirror.setAside(of: report.repository).count == 1)
      isBroken.withLock { $0 = false }
      #expect(try await world.sync(verifies: true).inserted == 1)
      #expect(try await world.mirror.setAside(of: report.repository).isEmpty)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test("a sync rebuilds a search index that contradicts the stored text")
  func index() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      try await world.mirror.database.write { db in
        try db.execute(sql: "INSERT INTO item_text(item_text) VALUES ('delete-all')")
      }
      #expect(try await !world.mirror.check().isEmpty)
      #expect(try await world.sync(verifies: true).isIndexRebuilt)
      #expect(try await world.mirror.check().isEmpty)
    }
  }
}
