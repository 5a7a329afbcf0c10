import GRDB
import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport
import Testing

/// Renaming, recoloring or deleting a label or a milestone changes no issue: no list shows it.
@Suite("Changed labels and milestones", .timeLimit(.minutes(5)))
struct PropertySyncTests {
  @Test("a changed label has its new name, color and description in lists, searches and exports")
  func renamedLabel() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let before = try await world.numbers(label: "compiler")
      #expect(!before.isEmpty)
      world.github.changeLabel("compiler", of: world.repository) { label in
        label?.name = "the compiler, \"renamed\""
        label?.color = "000000"
        label?.description = nil
      }
      world.ticks.pass(60)
      let report = try await world.sync()
      #expect(report.updated == 0)
      #expect(try await world.kept() == world.served())
      #expect(try await world.numbers(label: "The Compiler, \"renamed\"") == before)
      #expect(try await world.numbers(label: "compiler").isEmpty)
      let query = try SearchQuery(parsing: #"label:"the compiler, \"renamed\"""#)
      let found = try await world.mirror.search(query, in: [report.repository], limit: 500)
      #expect(found.map(\.issue.number).sorted() == before)
      for try await page in world.mirror.export(
        of: report.repository, filter: IssueFilter(state: .all))
      {
        let names = try page.flatMap { try $0.issue().labels.map(\.name) }
        #expect(!names.contains("compiler"))
      }
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test("labels are updated after deletion, re-creation and swapped names")
  func otherLabels() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let linux = try await world.numbers(label: "Linux")
      let bugs = try await world.numbers(label: "bug")
      world.github.changeLabel("wontfix", of: world.repository) { $0 = nil }
      world.github.changeLabel("performance", of: world.repository) { $0 = nil }
      // It has another id now, and one issue.
      world.github.changeIssue(3, of: world.repository) { issue in
        issue.labels = [.init("performance", color: "000000", id: 77)]
        issue.updatedAt = world.ticks.seconds
      }
      world.github.changeLabel("bug", of: world.repository) { $0?.name = "a third" }
      world.github.changeLabel("Linux", of: world.repository) { $0?.name = "bug" }
      world.github.changeLabel("a third", of: world.repository) { $0?.name = "Linux" }
      world.ticks.pass(60)
      try await world.sync()
      #expect(try await world.kept() == world.served())
      #expect(try await world.numbers(label: "wontfix").isEmpty)
      #expect(try await world.numbers(label: "performance") == [3])
      #expect(try await world.numbers(label: "bug") == linux.filter { $0 != 3 })
      #expect(try await world.numbers(label: "Linux") == bugs.filter { $0 != 3 })
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test("a changed milestone has its new title and date, and a deleted milestone is removed")
  func milestones() async throws {
    try await withSyncWorld { world in
      var report = try await world.sync()
      let before = try await world.numbers(milestone: "6.2")
      world.github.changeMilestone(1, of: world.repository) { milestone in
        milestone?.title = "Later"
        milestone?.dueOn = 1_800_000_000
        milestone?.description = "What isn't ready"
      }
      world.github.changeMilestone(2, of: world.repository) { $0 = nil }
      world.ticks.pass(60)
      report = try await world.sync()
      #expect(try await world.kept() == world.served())
      #expect(try await world.numbers(milestone: "Later") == before)
      #expect(try await world.numbers(milestone: "6.2").isEmpty)
      #expect(try await world.numbers(milestone: "6.3").isEmpty)
      let known = try await world.mirror.milestones(of: report.repository)
      #expect(known.map(\.title) == ["Later", "Next"])
    }
  }

  @Test("a milestone isn't changed by a different count of issues")
  func counts() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let before = try await world.kept()
      world.github.changeMilestone(1, of: world.repository) { $0?.openIssues += 1 }
      world.ticks.pass(60)
      try await world.sync()
      #expect(try await world.kept() == before)
    }
  }

  @Test(
    "unchanged labels and milestones are requested again after a minute, with their entity tags")
  func unchanged() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      #expect(try await world.sync().requests == 1)
      world.ticks.pass(60)
      let requests = try await world.requests { try await world.sync() }
      #expect(requests.count == 3)
      #expect(requests.allSatisfy { $0.headers["If-None-Match"] != nil })
      #expect(
        Set(requests.map { $0.path.split(separator: "/").last }) == [
          "issues", "labels", "milestones",
        ])
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test("a renamed label on a later page is updated, and no other label is removed")
  func pages() async throws {
    try await withSyncWorld { world in
      for number in 1...240 {
        world.github.changeIssue(number, of: world.repository) { issue in
          issue.labels = [.init("label \(1_000 + number)", color: "000000")]
        }
      }
      try await world.sync()
      // It moves from the third page to the first one, so that others move too.
      world.github.changeLabel("label 1230", of: world.repository) { $0?.name = "another" }
      world.github.changeLabel("label 1231", of: world.repository) { $0?.color = "ffffff" }
      // And one is on no page, as where another was added while they were read.
      world.github.intercept(
        where: { $0.path.hasSuffix("/labels") && $0.queryValue("page") == "2" },
        response: { request, _ in
          let labels = (96..<195).map { index in
            """
            {"id":\(SyntheticIssue.Label("label \(1_004 + index)", color: "").id),\
            "name":"label \(1_004 + index)","color":"000000","description":null}
            """
          }
          let next = "\(world.server.url)\(request.path)?per_page=100&page=3"
          return .json(
            "[\(labels.joined(separator: ","))]", headers: ["Link": "<\(next)>; rel=\"next\""])
        })
      world.ticks.pass(60)
      try await world.sync()
      world.github.stopIntercepting()
      #expect(try await world.numbers(label: "another") == [230])
      #expect(try await world.numbers(label: "label 1230").isEmpty)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test(
    "a repository without readable lists of labels and milestones is synced anyway",
    arguments: [
      (404, #"{"message":"Not Found"}"#), (410, #"{"message":"Gone"}"#),
      (403, #"{"message":"Resource not accessible"}"#), (200, "{}"), (200, "[{}]"), (200, "[1,"),
      (200, ""), (200, "[null]"),
    ])
  func without(status: Int, body: String) async throws {
    try await withSyncWorld { world in
      world.github.intercept(
        where: { $0.path.hasSuffix("/labels") || $0.path.hasSuffix("/milestones") },
        response: { _, _ in .json(body, status: status) })
      let before = try await world.sync().repository
      #expect(before.isComplete)
      world.ticks.pass(60)
      try await world.sync()
      #expect(try await world.kept() == world.served())
      // They aren't asked for at every sync for that.
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test("an endless list of labels is ignored")
  func circle() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      world.github.intercept(
        where: { $0.path.hasSuffix("/labels") },
        response: { request, _ in
          let next = "\(world.server.url)\(request.path)?page=2"
          return .json(
            #"[{"id":1,"name":"one","color":"000000"}]"#,
            headers: ["Link": "<\(next)>; rel=\"next\""])
        })
      world.ticks.pass(60)
      #expect(try await world.sync().requests == 4)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test(
    "an impossible label doesn't change any issues",
    arguments: [
      String(repeating: "[", count: 254) + String(repeating: "]", count: 254),
      "\"\(String(repeating: "long ", count: 10_000))\"",
    ])
  func impossible(member: String) async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let before = try await world.kept()
      let id = SyntheticIssue.Label("bug", color: "").id
      world.github.intercept(where: { $0.path.hasSuffix("/labels") }) { _, _ in
        .json(#"[{"id":\#(id),"name":"defect","color":"000000","x":\#(member)}]"#)
      }
      world.ticks.pass(60)
      let repository = try await world.sync().repository
      #expect(try await world.kept() == before)
      let issues = try await world.mirror.issues(
        of: repository, filter: IssueFilter(state: .all), includesPullRequests: true)
      #expect(issues.count == 250)
    }
  }

  @Test("an empty list of labels or milestones doesn't remove those that issues still have")
  func empty() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      world.github.intercept(
        where: { $0.path.hasSuffix("/labels") || $0.path.hasSuffix("/milestones") },
        response: { _, _ in .json("[]") })
      world.ticks.pass(60)
      try await world.sync()
      #expect(try await world.kept() == world.served())
      #expect(!(try await world.numbers(label: "bug")).isEmpty)
    }
  }

  @Test("a sync that was interrupted while renaming labels is completed by the next one")
  func cutOff() async throws {
    try await withSyncWorld(items: 1_500) { world in
      try await world.sync()
      let bugs = try await world.numbers(label: "bug")
      world.github.changeLabel("bug", of: world.repository) { $0?.name = "defect" }
      world.github.changeLabel("Linux", of: world.repository) { $0?.name = "bug" }
      let last = try #require(bugs.last)
      try await world.mirror.database.write { db in
        try db.execute(
          sql: """
            CREATE TEMP TRIGGER full BEFORE UPDATE OF json ON main.item WHEN new.number = \(last)
            BEGIN SELECT RAISE(ABORT, 'no more'); END
            """)
      }
      world.ticks.pass(60)
      await #expect(throws: MirrorFailure.self) { try await world.sync() }
      let kept = try await world.kept()
      #expect(try await kept != world.served())
      try await world.mirror.database.write { db in try db.execute(sql: "DROP TRIGGER temp.full") }
      try await world.sync()
      #expect(try await world.kept() == world.served())
      #expect(try await world.numbers(label: "defect") == bugs)
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test("an issue that arrives with a label's new name doesn't prevent updating the others")
  func comesFirst() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let bugs = try await world.numbers(label: "bug")
      world.github.changeLabel("bug", of: world.repository) { $0?.name = "defect" }
      world.github.changeIssue(bugs[0], of: world.repository) {
        $0.updatedAt = world.ticks.seconds
      }
      // Within the minute.
      try await world.sync()
      #expect(try await world.numbers(label: "defect") == [bugs[0]])
      world.ticks.pass(60)
      try await world.sync()
      #expect(try await world.numbers(label: "defect") == bugs)
      #expect(try await world.kept() == world.served())
    }
  }
}

extension SyncWorld {
  /// The numbers of everything that has a label, in order.
  func numbers(label: String) async throws -> [Int] {
    try await numbers(IssueFilter(state: .all, labels: [label]))
  }

  /// The numbers of everything that has a milestone, in order.
  func numbers(milestone: String) async throws -> [Int] {
    try await numbers(IssueFilter(state: .all, milestone: .title(milestone)))
  }

  private func numbers(_ filter: IssueFilter) async throws -> [Int] {
    guard let repository = try await mirrored() else { return [] }
    return try await mirror.issues(of: repository, filter: filter, includesPullRequests: true)
      .map(\.number).sorted()
  }
}
