import GRDB
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Syncing timelines", .timeLimit(.minutes(5)))
struct TimelineSyncTests {
  @Test(
    "a sync of timelines stores each one as the server has it, without duplicating comment text")
  func everything() async throws {
    try await withSyncWorld(items: 60) { world in
      let issue = try #require(world.issues.first { $0.comments > 1 })
      world.github.block(issue.number, by: world.issues[0].number, of: world.repository)
      world.github.changeIssue(issue.number, of: world.repository) {
        $0.events.append(SyntheticEvent("moved_to_mars", by: nil, at: $0.createdAt))
      }
      let report = try await world.sync(comments: true, timelines: true)
      #expect(report.timelines == world.issues.count)
      let repository = report.repository
      #expect(repository.timelinesCheckedAt != nil)
      for issue in world.issues {
        let kept = try #require(
          try await world.mirror.sentTimeline(of: issue.number, in: repository))
        #expect(try await kept.events.map(\.json) == world.servedTimeline(of: issue.number))
        #expect(!kept.lacksTexts)
      }
      let events = try await world.mirror.timeline(of: issue.number, in: repository)
      #expect(Set(events.map(\.kind)).isSuperset(of: [.blockedByAdded, .commented]))
      #expect(events.contains { $0.kind.rawValue == "moved_to_mars" })
      let texts = try await world.mirror.database.read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT json FROM events WHERE kind = 'commented' AND json NOT LIKE '%"body":null%'
            """)
      }
      #expect(texts.isEmpty)
      #expect(try await world.mirror.check() == [])
    }
  }

  @Test("a sync of timelines without comments stores their authors, and notes the missing text")
  func withoutComments() async throws {
    try await withSyncWorld(items: 30) { world in
      let issue = try #require(world.issues.first { $0.comments > 0 })
      let repository = try await world.sync(timelines: true).repository
      let kept = try #require(try await world.mirror.sentTimeline(of: issue.number, in: repository))
      #expect(kept.lacksTexts)
      let comments = kept.events.map(\.entity).filter { $0.kind == .commented }
      #expect(comments.count == issue.comments)
      #expect(comments.allSatisfy { $0.actor != nil && $0.createdAt != nil && $0.body == nil })
    }
  }

  @Test("a sync of timelines requests only timelines that changed since, and then none")
  func changes() async throws {
    try await withSyncWorld(items: 60) { world in
      try await world.sync(timelines: true)
      world.ticks.pass(120)
      let number = world.issues[3].number
      world.github.block(
        number, by: world.issues[4].number, of: world.repository, at: world.ticks.seconds)
      var asked = try await world.timelinesAsked { try await world.sync() }
      #expect(Set(asked) == [number, world.issues[4].number])
      // It may have been told of too early: once more, and no more than that.
      world.ticks.pass(120)
      asked = try await world.timelinesAsked {
        let report = try await world.sync()
        #expect(report.timelines == 0)
      }
      #expect(Set(asked) == [number, world.issues[4].number])
      world.ticks.pass(120)
      #expect(try await world.timelinesAsked { try await world.sync(timelines: true) } == [])
      let repository = try #require(try await world.mirrored())
      let kinds = try await world.mirror.timeline(of: number, in: repository).map(\.kind)
      #expect(kinds.contains(.blockedByAdded))
      // A verification asks for all of them where they are wanted by name.
      asked = try await world.timelinesAsked { try await world.sync(verifies: true) }
      #expect(asked == [])
      asked = try await world.timelinesAsked {
        try await world.sync(timelines: true, verifies: true)
      }
      #expect(asked.count == world.issues.count)
    }
  }

  @Test(
    "an interrupted sync of timelines continues, starting with the most recently changed issues")
  func cutOff() async throws {
    try await withSyncWorld(items: 60) { world in
      let order = world.issues.sorted {
        ($0.updatedAt, $0.number) > ($1.updatedAt, $1.number)
      }.map(\.number)
      world.github.fail(
        "/repos/\(world.repository.fullName)/issues/\(order[10])/timeline", with: .serverError)
      let first = try await world.timelinesAsked {
        await #expect(throws: NetworkError.self) {
          try await world.sync(jobs: 1, timelines: true)
        }
      }
      #expect(first == Array(order[...10]))
      #expect(try await world.mirrored()?.timelinesCheckedAt == nil)
      world.github.stopIntercepting()
      let second = try await world.timelinesAsked {
        let report = try await world.sync(jobs: 1, timelines: true)
        #expect(report.timelines == order.count - 10)
      }
      #expect(second == Array(order[10...]))
      #expect(try await world.mirrored()?.timelinesCheckedAt != nil)
    }
  }

  @Test("a sync of timelines asks an unsupported server once, and again after a month")
  func lacking() async throws {
    let configure = { (configuration: inout LoopbackGitHub.Configuration) in
      configuration.hasRelations = false
    }
    try await withSyncWorld(items: 60, configure: configure) { world in
      var asked = try await world.timelinesAsked {
        let report = try await world.sync(timelines: true)
        #expect(report.lacksTimelines && report.timelines == 0)
        #expect(report.repository.lacksTimelinesSince != nil)
        #expect(report.repository.timelinesCheckedAt == nil)
      }
      #expect(asked.count == 1)
      asked = try await world.timelinesAsked {
        let (wanted, other) = (try await world.sync(timelines: true), try await world.sync())
        #expect(wanted.lacksTimelines && !other.lacksTimelines)
      }
      #expect(asked == [])
      world.ticks.pass(31 * 86_400)
      asked = try await world.timelinesAsked { try await world.sync(timelines: true) }
      #expect(asked.count == 1)
    }
  }

  @Test("a missing issue doesn't make a sync assume that the server has no timelines")
  func gone() async throws {
    try await withSyncWorld(items: 30) { world in
      let newest = try #require(
        world.issues.max { ($0.updatedAt, $0.number) < ($1.updatedAt, $1.number) })
      let path = "/repos/\(world.repository.fullName)/issues/\(newest.number)"
      world.github.intercept(times: 1, where: { $0.path == "\(path)/timeline" }) { request, _ in
        world.github.deleteIssue(newest.number, of: world.repository)
        return world.github.respond(to: request)
      }
      let report = try await world.sync(timelines: true)
      #expect(!report.lacksTimelines)
      #expect(report.timelines == world.issues.count)
      // And what is buried later takes its timeline with it.
      let other = try #require(world.issues.last).number
      world.github.deleteIssue(other, of: world.repository)
      let repository = try await world.sync(verifies: true).repository
      #expect(try await world.mirror.sentTimeline(of: other, in: repository) == nil)
      let count = try await world.mirror.database.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM event WHERE number = ?", arguments: [other])
      }
      #expect(count == 0)
    }
  }

  @Test(
    "a sync of timelines reads a long timeline page by page, with smaller pages if necessary"
  )
  func pages() async throws {
    try await withSyncWorld(items: 10) { world in
      let number = world.issues[0].number
      world.github.changeIssue(number, of: world.repository) { issue in
        issue.events = (0..<250).map {
          SyntheticEvent("kind-\($0)", by: "ada", at: issue.createdAt + $0)
        }
      }
      let path = "/repositories/\(world.repository.id)/issues/\(number)/timeline"
      world.github.intercept(
        where: {
          $0.path == path && $0.queryValue("per_page") == "100" && $0.queryValue("page") == "3"
        }, response: { _, _ in .json("{}", status: 502) })
      let report = try await world.sync(timelines: true)
      let kept = try await world.mirror.timeline(of: number, in: report.repository)
      #expect(kept.filter { $0.kind.rawValue.hasPrefix("kind-") }.count == 250)
      #expect(!report.hasUnreadTimelines)
    }
  }

  @Test("a sync of timelines skips a timeline that the server can't send, and requests it again")
  func heavy() async throws {
    try await withSyncWorld(items: 30) { world in
      let number = world.issues[3].number
      world.github.fail(
        "/repos/\(world.repository.fullName)/issues/\(number)/timeline", with: .badGateway)
      let report = try await world.sync(timelines: true)
      #expect(report.hasUnreadTimelines)
      #expect(report.timelines == world.issues.count - 1)
      #expect(report.repository.timelinesCheckedAt == nil)
      world.github.stopIntercepting()
      world.ticks.pass(120)
      let asked = try await world.timelinesAsked { try await world.sync(timelines: true) }
      #expect(asked.contains(number))
      #expect(try await world.mirrored()?.timelinesCheckedAt != nil)
    }
  }

  @Test("a sync of timelines omits meaningless entries, and refuses a response that isn't a list")
  func hostile() async throws {
    try await withSyncWorld(items: 10) { world in
      let number = world.issues[0].number
      let path = "/repos/\(world.repository.fullName)/issues/\(number)/timeline"
      world.github.intercept(
        where: { $0.path == path },
        response: { _, _ in
          .json(
            #"[null,1,{},{"event":7},{"event":"kept","actor":3,"body":"x"},{"event":"commented"}]"#)
        })
      let report = try await world.sync(timelines: true)
      let kept = try await world.mirror.timeline(of: number, in: report.repository)
      #expect(kept.map(\.kind.rawValue) == ["kept", "commented"])
      world.github.stopIntercepting()
      world.github.intercept(where: { $0.path == path }, response: { _, _ in .json("{}") })
      await #expect(throws: NetworkError.self) {
        try await world.sync(timelines: true, verifies: true)
      }
      #expect(try await world.mirror.timeline(of: number, in: report.repository).count == 2)
    }
  }
}

extension SyncWorld {
  /// The issues without pull requests, by number.
  var issues: [SyntheticIssue] { github.issues(of: repository).filter { !$0.isPullRequest } }

  /// The server's entries of a timeline.
  func servedTimeline(of number: Int) async throws -> [Data] {
    let provider = try provider()
    var target = GitHub.timeline(
      repositoryFullName: repository.fullName, number: number, pageSize: 100)
    var events: [Data] = []
    while true {
      let response = try await provider.request(target)
      events += try #require(FeedPage.elements(of: response.body))
      guard let next = try PageLink.next(in: response.headers, of: response.request.url) else {
        return events
      }
      target = .page(next)
    }
  }

  /// The numbers of the issues whose timelines were asked for while something ran, in order.
  func timelinesAsked(_ body: () async throws -> Void) async throws -> [Int] {
    try await requests(during: body).filter { $0.path.hasSuffix("/timeline") }
      .compactMap { Int($0.path.split(separator: "/").dropLast().last ?? "") }
  }
}
