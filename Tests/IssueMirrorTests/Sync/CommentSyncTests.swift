import GRDB
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Syncing comments", .timeLimit(.minutes(5)))
struct CommentSyncTests {
  @Test("a sync of comments stores each comment as the server sent it, and later the changes")
  func comments() async throws {
    try await withSyncWorld(items: 120) { world in
      let first = try await world.sync(comments: true)
      #expect(try await world.keptComments() == world.servedComments())
      #expect(first.comments.inserted > 300)
      #expect(first.repository.commentsSyncedTo != nil)

      let unchanged = try await world.sync(comments: true)
      #expect(unchanged.isUnchanged)
      #expect(unchanged.requests == 2)

      world.ticks.pass(100)
      let now = world.ticks.seconds
      let talkative = try #require(
        world.github.issues(of: world.repository).first { $0.comments > 2 }?.number)
      world.github.addComment(on: 5, of: world.repository, at: now) { $0.body = "One more" }
      world.github.changeComment(1, on: talkative, of: world.repository) {
        $0.body = "Another text"
        $0.updatedAt = now
      }
      world.ticks.pass(10)
      let changed = try await world.sync(comments: true)
      #expect(changed.comments.inserted == 1)
      #expect(changed.comments.updated == 1)
      #expect(changed.updated == 1)
      #expect(try await world.keptComments() == world.servedComments())
    }
  }

  @Test(
    "a sync of comments removes deleted ones if their issue changed, and a verification removes all"
  )
  func deleted() async throws {
    try await withSyncWorld(items: 60) { world in
      try await world.sync(comments: true)
      let numbers = world.github.issues(of: world.repository).filter { $0.comments > 1 }
        .prefix(2).map(\.number)
      for number in numbers { world.github.deleteComment(0, on: number, of: world.repository) }
      // The server's count shows with the issue only, and that hasn't changed.
      world.ticks.pass(100)
      let now = world.ticks.seconds
      world.github.changeIssue(numbers[0], of: world.repository) { $0.updatedAt = now }
      world.ticks.pass(10)
      let changed = try await world.sync(comments: true)
      #expect(changed.comments.removed == 1)

      let verified = try await world.sync(comments: true, verifies: true)
      #expect(verified.comments.removed == 1)
      #expect(try await world.keptComments() == world.servedComments())
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test(
    "every sync updates mirrored comments, and an interrupted check for deletions is repeated"
  )
  func cutOff() async throws {
    try await withSyncWorld(items: 60) { world in
      let first = try await world.sync(comments: true)
      let number = try #require(
        world.github.issues(of: world.repository).last { $0.comments > 1 }?.number)
      world.ticks.pass(100)
      let now = world.ticks.seconds
      world.github.deleteComment(0, on: number, of: world.repository)
      world.github.changeIssue(number, of: world.repository) { $0.updatedAt = now }
      let path = "/repos/\(world.repository.fullName)/issues/\(number)/comments"
      world.github.intercept(where: { $0.path == path }) {
        GitHubError.serverError.response(now: $1)
      }
      world.ticks.pass(10)
      await #expect(throws: NetworkError.self) { try await world.sync() }
      let between = try await world.mirrored()
      #expect(between?.commentsCheckedAt == first.repository.commentsCheckedAt)
      world.github.stopIntercepting()
      world.ticks.pass(10)
      let report = try await world.sync()
      #expect(report.comments.removed == 1)
      #expect(report.requests == 3)
      #expect(try await world.keptComments() == world.servedComments())
      let checked = try #require(report.repository.commentsCheckedAt)
      #expect(try checked > #require(first.repository.commentsCheckedAt))
    }
  }

  @Test(
    "a sync of comments starts over if its saved position is damaged",
    arguments: ["'none'", "x'FF'", "7", "'{}'"])
  func damagedSweep(json: String) async throws {
    try await withSyncWorld(items: 60) { world in
      try await world.sync(comments: true)
      try await world.mirror.database.write { db in
        for feed in ["items", "comments"] {
          try db.execute(
            sql: "INSERT INTO sweep (repository, timeline, began_at, json) VALUES (1, ?, 0, 'x')",
            arguments: [feed])
        }
        try db.execute(sql: "UPDATE sweep SET json = \(json)")
      }
      world.ticks.pass(100)
      let now = world.ticks.seconds
      world.github.addComment(on: 5, of: world.repository, at: now) { $0.body = "Late" }
      world.ticks.pass(10)
      let report = try await world.sync(comments: true)
      #expect(report.comments.inserted == 1)
      #expect(try await world.kept() == world.served())
      #expect(try await world.keptComments() == world.servedComments())
      #expect(try await world.mirror.sweep(.comments, of: report.repository) == nil)
    }
  }

  @Test(
    "a sync of comments reports a server without a list of comments, and mirrors the rest",
    arguments: [false, true])
  func lacking(isKnown: Bool) async throws {
    try await withSyncWorld(items: 60) { world in
      if isKnown { try await world.sync(comments: true) }
      let path = "/repos/\(world.repository.fullName)/issues/comments"
      world.github.intercept(where: { $0.path == path }) {
        GitHubError.notFound.response(now: $1)
      }
      let now = world.ticks.seconds
      world.github.addIssue(to: world.repository) { $0.updatedAt = now }
      world.ticks.pass(100)
      let report = try await world.sync(comments: true)
      #expect(report.lacksComments && report.inserted == (isKnown ? 1 : 61))
      #expect(try await world.kept() == world.served())
      #expect((report.repository.commentsSyncedTo != nil) == isKnown)
      world.github.stopIntercepting()
      #expect(try await !world.sync(comments: true).lacksComments)
      #expect(try await world.keptComments() == world.servedComments())
    }
  }

  @Test("a sync of comments adds them to a repository whose issues are already mirrored")
  func later() async throws {
    try await withSyncWorld(items: 60) { world in
      try await world.sync()
      #expect(try await world.keptComments().isEmpty)
      let report = try await world.sync(comments: true)
      #expect(report.inserted == 0)
      #expect(try await world.keptComments() == world.servedComments())
    }
  }

  @Test(
    "a sync of comments keeps an unreadable comment, and removes it when it is deleted")
  func unreadable() async throws {
    try await withSyncWorld(items: 60) { world in
      try await world.sync(comments: true)
      let number = try #require(
        world.github.issues(of: world.repository).last { $0.comments > 2 }?.number)
      let before = try await world.keptComments()
      let own = before.filter { _, json in
        String(decoding: json, as: UTF8.self).contains("/issues/\(number)\"")
      }
      let ids = own.keys.sorted()
      // The first is deleted, and the second can't be read.
      var texts = ids.dropFirst().compactMap { own[$0] }.map { String(decoding: $0, as: UTF8.self) }
      texts[0].replace(#""login":""#, with: #""login":1,"name":""#)
      let body = "[\(texts.joined(separator: ","))]"
      let path = "/repos/\(world.repository.fullName)/issues/\(number)/comments"
      world.github.intercept(where: { $0.path == path }) { _, _ in .json(body) }
      world.github.deleteComment(0, on: number, of: world.repository)
      let report = try await world.sync(comments: true, verifies: true)
      #expect(report.comments.removed == 1)
      #expect(try await world.keptComments() == before.filter { $0.key != ids[0] })
      let found = try await world.mirror.setAside(of: report.repository)
      #expect(found.map(\.commentID) == [ids[1]])

      world.github.stopIntercepting()
      world.github.deleteComment(1, on: number, of: world.repository)
      #expect(try await world.sync(comments: true, verifies: true).comments.removed == 1)
      #expect(try await world.keptComments() == world.servedComments())
      #expect(try await world.mirror.setAside(of: report.repository).isEmpty)
    }
  }

  @Test(
    "a sync of comments retries an issue until its set-aside comments are readable or deleted")
  func setAside() async throws {
    let test = try await TestMirror()
    let (mirror, repository) = (test.mirror, test.repository)
    try await test.store([.numbered(1), .numbered(2)])
    let page = FeedPage(
      [],
      unreadable: [
        FeedPage.Unreadable(number: 1, id: 7, reason: "no login"),
        FeedPage.Unreadable(number: 2, id: 8, reason: "no login"),
      ], of: .comments)
    try await mirror.store(page, of: repository, sweep: nil, at: TestMirror.now)
    #expect(try await mirror.miscountedNumbers(of: repository, storedSince: nil) == [1, 2])
    #expect(try await mirror.removeComments(on: 1, of: repository, except: [7]) == 0)
    #expect(try await mirror.setAside(of: repository).map(\.commentID) == [7, 8])
    #expect(try await mirror.removeComments(on: 1, of: repository, except: []) == 0)
    #expect(try await mirror.setAside(of: repository).map(\.commentID) == [8])
    #expect(try await mirror.miscountedNumbers(of: repository, storedSince: nil) == [2])
    try await mirror.bury(2, .deleted, of: repository, at: TestMirror.now)
    #expect(try await mirror.setAside(of: repository).isEmpty)
  }

  @Test("a sync of comments skips comments of an issue that now belongs to another repository")
  func transferred() async throws {
    let elsewhere = LoopbackRepository(
      id: 77, owner: "swiftlang", name: "elsewhere", issues: SyntheticIssues(count: 3))
    let configure = { (configuration: inout LoopbackGitHub.Configuration) in
      configuration.repositories.append(elsewhere)
    }
    try await withSyncWorld(items: 60, configure: configure) { world in
      try await world.sync(comments: true)
      let number = try #require(
        world.github.issues(of: world.repository).last { $0.comments > 1 }?.number)
      let now = world.ticks.seconds
      world.github.deleteComment(0, on: number, of: world.repository)
      world.github.changeIssue(number, of: world.repository) { $0.updatedAt = now }
      // It is transferred between the list and the question for its comments.
      let path = "/repos/\(world.repository.fullName)/issues/\(number)/comments"
      world.github.intercept(times: 1, where: { $0.path == path }) { request, _ in
        world.github.transferIssue(number, of: world.repository, to: elsewhere)
        return LoopbackResponse(
          status: 301, headers: ["Location": "/repositories/77/issues/4/comments"])
      }
      world.ticks.pass(10)
      let report = try await world.sync(comments: true)
      #expect(report.updated == 1)
      #expect(report.comments.isEmpty)
      try await world.sync(comments: true, verifies: true)
      #expect(try await world.keptComments() == world.servedComments())
    }
  }
}
