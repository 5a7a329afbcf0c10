import GRDB
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("The search index after a change of an issue", .timeLimit(.minutes(5)))
struct ReindexingTests {
  private static func content(_ test: TestMirror) async throws -> [Row] {
    try test.mirror.database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT id, block FROM item_text_data UNION ALL SELECT id, block FROM comment_text_data
          """)
    }
  }

  @Test("the search index isn't rewritten if title and text are unchanged")
  func sameText() async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1, "Crash")
    issue.body = "See @octocat\u{301}"
    try await test.store([issue])
    let before = try await Self.content(test)
    issue.state = .closed
    issue.updatedAt = issue.updatedAt?.addingTimeInterval(60)
    #expect(try await test.store([issue]).updated == 1)
    #expect(try await Self.content(test) == before)
    issue.body = "See @hubot"
    issue.updatedAt = issue.updatedAt?.addingTimeInterval(60)
    #expect(try await test.store([issue]).updated == 1)
    #expect(try await Self.content(test) != before)
    #expect(try await test.mirror.check() == [])
    let mentioned = try await test.mirror.database.read { db in
      try String.fetchAll(db, sql: "SELECT login FROM mention")
    }
    #expect(mentioned == ["hubot"])
  }
}
