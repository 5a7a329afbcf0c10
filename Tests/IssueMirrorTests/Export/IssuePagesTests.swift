import GRDB
import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport
import Testing

@Suite("Exports of the mirror")
struct IssuePagesTests {
  private static func issue(_ number: Int, title: String = "An issue") -> GitHub.Issue {
    GitHub.Issue(
      id: Int64(number), number: number, title: title,
      body: number == 7 ? "ask @octocat" : number == 8 ? "ask @octocats" : nil,
      state: number.isMultiple(of: 2) ? .open : .closed, user: GitHub.User(login: "ada"),
      labels: [GitHub.Label(name: "bug", color: "d73a4a", description: "wrong")],
      assignees: [GitHub.User(login: "mia"), GitHub.User(login: "zoe")],
      milestone: GitHub.Milestone(number: 1, title: "6.3"),
      createdAt: Date(timeIntervalSince1970: Double(1_700_000_000 + number)),
      updatedAt: Date(timeIntervalSince1970: Double(1_700_000_000 + number)),
      htmlURL: "https://github.com/a/b/issues/\(number)",
      pullRequest: number == 9 ? PullRequestLink(url: "https://api.github.com/pulls/9") : nil)
  }

  private func mirror() async throws -> TestMirror {
    let test = try await TestMirror()
    try await test.store((1...450).map { Self.issue($0) })
    return test
  }

  private func numbers(_ export: IssuePages<ExportedIssue>) async throws -> [Int] {
    var numbers: [Int] = []
    for try await page in export { numbers += page.map(\.number) }
    return numbers
  }

  @Test(
    "an export has the same issues and order as a list, over several pages",
    arguments: [
      IssueFilter(), IssueFilter(state: .all, direction: .ascending), IssueFilter(state: .closed),
      IssueFilter(state: .all, mentioned: Username("octocat")),
      IssueFilter(state: .all, labels: ["BUG"], sort: .updated),
      IssueFilter(state: .all, labels: ["nosuch"]),
    ])
  func same(filter: IssueFilter) async throws {
    let test = try await mirror()
    let listed = try await test.mirror.issues(of: test.repository, filter: filter)
    let exported = try await numbers(test.mirror.export(of: test.repository, filter: filter))
    #expect(exported == listed.map(\.number))
  }

  @Test("an export reflects one moment, even if others write")
  func moment() async throws {
    let test = try await mirror()
    var pages = test.mirror.export(
      of: test.repository, filter: IssueFilter(state: .all, direction: .ascending)
    ).makeAsyncIterator()
    let first = try #require(try await pages.next(isolation: nil))
    let other = try test.another()
    var changed = Self.issue(449, title: "Another title")
    changed.updatedAt = Date(timeIntervalSince1970: 1_800_000_000)
    _ = try await other.store(
      TestMirror.page([changed, Self.issue(451)]), of: test.repository, sweep: nil,
      at: TestMirror.now)
    var entries = first
    while let page = try await pages.next(isolation: nil) { entries += page }
    #expect(entries.count == 449)
    #expect(try entries.last { $0.number == 449 }?.issue().title == "An issue")
  }

  @Test("an export has no empty pages, and no pages after an error")
  func pages() async throws {
    let test = try await mirror()
    try await test.store(
      (1_000...1_250).map { number in
        var issue = Self.issue(number)
        issue.body = "ask @octocats"
        return issue
      })
    let mentioning = IssueFilter(state: .all, mentioned: Username("octocat"))
    var counts: [Int] = []
    for try await page in test.mirror.export(of: test.repository, filter: mentioning) {
      counts.append(page.count)
    }
    #expect(counts == [1])

    try await test.mirror.database.write {
      try $0.execute(sql: "UPDATE item SET json = 5")
    }
    var pages = test.mirror.export(of: test.repository, filter: mentioning).makeAsyncIterator()
    let failure = await #expect(throws: MirrorFailure.self) { try await pages.next(isolation: nil) }
    #expect(failure?.code == .damaged)
    #expect(try await pages.next(isolation: nil) == nil)
  }

  @Test("a database is only created in an empty file")
  func otherDatabase() async throws {
    let test = try await TestMirror()
    let path = test.folder["other.db"]
    try await DatabaseQueue(path: path).write {
      try $0.execute(sql: "CREATE TABLE flower (name TEXT)")
    }
    let contents = test.folder.contents("other.db")
    let failure = #expect(throws: MirrorFailure.self) {
      try IssueDatabase(at: path, of: test.repository)
    }
    #expect(failure?.code == .cannotOpen)
    #expect(test.folder.contents("other.db") == contents)
  }

  @Test(
    "a database has a label's version from the most recently changed issue",
    arguments: [IssueFilter.Direction.ascending, .descending])
  func labels(direction: IssueFilter.Direction) async throws {
    let test = try await TestMirror()
    try await test.store(
      (1...3).map { number in
        var issue = Self.issue(number)
        issue.labels = [GitHub.Label(name: "bug", color: "00000\(number)", description: nil)]
        return issue
      })
    let path = test.folder["export.db"]
    let export = test.mirror.export(
      of: test.repository, filter: IssueFilter(state: .all, direction: direction))
    let database = try IssueDatabase(at: path, of: test.repository)
    for try await page in export { try await database.write(page) }
    try await database.finish()
    let colors = try await DatabaseQueue(path: path).read { db in
      try String.fetchAll(db, sql: "SELECT color FROM labels")
    }
    #expect(colors == ["000003"])
  }

  @Test("comments follow their issue, oldest first, when they are included")
  func comments() async throws {
    let test = try await mirror()
    func comment(_ id: Int64, at second: Double) -> IssueComment {
      let time = Date(timeIntervalSince1970: second)
      return IssueComment(id: id, body: "c\(id)", createdAt: time, updatedAt: time)
    }
    try await test.store([
      (2, comment(5, at: 20)), (2, comment(6, at: 10)), (400, comment(7, at: 5)),
    ])
    var found: [Int: [Int64]] = [:]
    for try await page in test.mirror.export(of: test.repository, includesComments: true) {
      for entry in page { found[entry.number] = try entry.decodedComments().map(\.id) }
    }
    #expect(found[2] == [6, 5])
    #expect(found[400] == [7])
    #expect(found[4] == [])
    for try await page in test.mirror.export(of: test.repository) {
      #expect(page.allSatisfy { $0.comments == nil })
    }
  }

  @Test("a database has complete texts, even after a NUL")
  func nul() async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1, "a\u{0}b")
    issue.body = "c\u{0}d"
    try await test.store([issue])
    try await test.store([(1, IssueComment(id: 5, body: "e\u{0}f"))])
    let path = test.folder["export.db"]
    let database = try IssueDatabase(at: path, of: test.repository)
    for try await page in test.mirror.export(of: test.repository, includesComments: true) {
      try await database.write(page)
    }
    try await database.finish()
    let texts = try await DatabaseQueue(path: path).read { db in
      try Data.fetchAll(
        db,
        sql: """
          SELECT CAST(title AS BLOB) FROM issues WHERE typeof(title) = 'text'
          UNION ALL SELECT CAST(body AS BLOB) FROM issues
          UNION ALL SELECT CAST(body AS BLOB) FROM comments
          """)
    }
    #expect(texts == ["a\u{0}b", "c\u{0}d", "e\u{0}f"].map { Data($0.utf8) })
  }

  @Test("a database has plain tables that can be joined")
  func database() async throws {
    let test = try await mirror()
    let time = Date(timeIntervalSince1970: 1_700_000_500)
    try await test.store([
      (
        2,
        IssueComment(
          id: 5, body: "hi", user: GitHub.User(login: "zoe"), createdAt: time, updatedAt: time)
      )
    ])
    let path = test.folder["export.db"]
    let export = test.mirror.export(
      of: test.repository, filter: IssueFilter(state: .all), includesPullRequests: true,
      includesComments: true)
    let database = try IssueDatabase(at: path, of: test.repository)
    for try await page in export { try await database.write(page) }
    try await database.finish()
    let names = test.folder.names.filter { $0.hasPrefix("export") }
    #expect(names == ["export.db"])

    let queue = try DatabaseQueue(path: path)
    let rows = try await queue.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT i.kind || '|' || i.state || '|' || i.title || '|' || i.author || '|' || i.milestone
            || '|' || i.created_at || '|' || l.label || '|' || (SELECT color FROM labels WHERE name = l.label)
            || '|' || a.login || '|' || c.body || '|' || c.author
          FROM issues i JOIN issue_labels l USING (number) JOIN issue_assignees a USING (number)
            JOIN comments c USING (number) ORDER BY a.login
          """)
    }
    let start = "issue|open|An issue|ada|6.3|2023-11-14T22:13:22Z|bug|d73a4a"
    #expect(rows == ["\(start)|mia|hi|zoe", "\(start)|zoe|hi|zoe"])
    let counts = try await queue.read { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT count(*) FROM issues UNION ALL SELECT count(*) FROM issues WHERE kind = 'pull_request'
          UNION ALL SELECT count(*) FROM issue_assignees
          """)
    }
    #expect(counts == [450, 1, 900])
  }

  @Test("any SQLite can search issues and comments in an indexed database")
  func fullText() async throws {
    let test = try await TestMirror()
    var crash = GitHub.Issue.numbered(3, "Crashing in the parser")
    crash.body = "Ça plante: naïve"
    try await test.store([crash, .numbered(4, "A slow build"), .numbered(5, "No body")])
    try await test.store([(4, IssueComment(id: 70, body: "The linker crashed"))])
    let path = test.folder["export.db"]
    let database = try IssueDatabase(at: path, of: test.repository, isSearchable: true)
    for try await page in test.mirror.export(of: test.repository, includesComments: true) {
      try await database.write(page)
    }
    try await database.finish()
    // Nothing of this package is registered here.
    let rows = try await DatabaseQueue(path: path).read { db in
      func rowids(_ table: String, _ words: String) throws -> [Int] {
        try Int.fetchAll(
          db, sql: "SELECT rowid FROM \(table) WHERE \(table) MATCH ? ORDER BY rank",
          arguments: [words])
      }
      let joined = try String.fetchAll(
        db,
        sql: """
          SELECT issues.title || '|' || snippet(issues_fts, 1, '[', ']', '…', 5)
          FROM issues_fts JOIN issues ON number = issues_fts.rowid WHERE issues_fts MATCH 'naive'
          """)
      return (
        try rowids("issues_fts", "crash"), try rowids("comments_fts", "crash"),
        try rowids("issues_fts", "title: build"), joined
      )
    }
    #expect(rows.0 == [3])
    #expect(rows.1 == [70])
    #expect(rows.2 == [4])
    #expect(rows.3 == ["Crashing in the parser|Ça plante: [naïve]"])
    try await DatabaseQueue(path: path).write { db in
      try db.execute(sql: "INSERT INTO issues_fts(issues_fts, rank) VALUES ('integrity-check', 1)")
    }
  }
}
