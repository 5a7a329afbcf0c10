import GRDB
import GitHubAPI
import TestSupport
import TestTraits
import Testing

@testable import IssueMirror

@Suite("A search compared with a plain scan", .tags(.heavy))
struct PlainScanTests {
  @Test(
    "the SQLite index finds the same issues as a plain scan for any search",
    arguments: (1...4).sampled(every: 2))
  func same(seed: UInt64) async throws {
    var source = FuzzSource(seed: seed)
    var (items, comments) = Self.corpus(&source)
    let fixture = try await SearchFixture(items, comments)
    // Some change, so that what they were before must not be found.
    for index in items.indices where source.once(in: 4) {
      items[index].title = Self.text(&source, 5)
      items[index].body = source.once(in: 3) ? nil : Self.text(&source, 12)
      items[index].updatedAt += 1_000_000
    }
    for index in comments.indices where source.once(in: 4) {
      comments[index].body = Self.text(&source, 12)
      comments[index].updatedAt += 1_000_000
    }
    try await fixture.store(items)
    try await fixture.store(comments)
    let scan = PlainScan(items: items, comments: comments)
    var found = 0
    for _ in 0..<80 {
      let text = Self.query(&source)
      guard let query = try? SearchQuery(parsing: text) else { continue }
      let results = try await fixture.mirror.results(
        of: query, in: [fixture.repository], limit: 1_000)
      let numbers = results.results.map(\.issue.number)
      let isByRelevance = query.sort == .relevance
      #expect((isByRelevance ? numbers.sorted() : numbers) == scan.numbers(query), "\(text)")
      #expect(results.count == numbers.count, "\(text)")
      found += numbers.count
    }
    // The queries are made so that they find something.
    #expect(found > 400)
    #expect(try await fixture.mirror.check() == [])
  }

  @Test(
    "text read directly, or by two threads, matches and ranks like the whole index",
    arguments: (1...4).sampled(every: 2))
  func read(seed: UInt64) async throws {
    var source = FuzzSource(seed: seed)
    let (items, comments) = Self.corpus(&source)
    let fixture = try await SearchFixture(items, comments)
    var byIndex = IssueSearch.Limits()
    (byIndex.ranked, byIndex.few, byIndex.small) = (8, -1, .max)
    var byReading = byIndex
    (byReading.few, byReading.scanned, byReading.sample, byReading.small) = (30, 60, 10, 0)
    var reads = (issues: 0, comments: 0)
    for _ in 0..<400 {
      let text = Self.query(&source)
      guard let query = try? SearchQuery(parsing: text) else { continue }
      let search = IssueSearch(query, in: [fixture.repository.id], limits: byIndex)
      let reading = IssueSearch(
        query, in: [fixture.repository.id], limits: byReading, pool: fixture.mirror.database)
      let (expected, found, statements) = try await fixture.mirror.database.read { db in
        let expected = try search.found(limit: 100, db)
        var statements: [String] = []
        db.trace { statements.append("\($0)") }
        let found = try reading.found(limit: 100, db)
        db.trace(options: [])
        return (expected, found, statements)
      }
      #expect(found.hits == expected.hits, "\(text)")
      #expect(found.isExhaustive == expected.isExhaustive, "\(text)")
      #expect(found.count == expected.count, "\(text)")
      func hasRead(_ table: String) -> Bool {
        statements.contains { $0.contains("body') FROM \(table) WHERE repository = ? AND ") }
      }
      if hasRead("item") { reads.issues += 1 }
      if hasRead("comment") { reads.comments += 1 }
    }
    #expect(reads.issues > 10)
    #expect(reads.comments > 10)
  }

  @Test(
    "a frequent prefix is read without the index, whatever share of the issues meets the conditions",
    arguments: [("is:closed cra*", 8), ("comments:>9 cra*", 0)])
  func conditions(text: String, count: Int) async throws {
    let items = (1...200).map { number in
      var item = SearchFixture.Item(number: number, title: "crash")
      if number.isMultiple(of: 10) { (item.state, item.closedAt) = ("closed", item.updatedAt) }
      return item
    }
    let comments = (1...200).map {
      SearchFixture.Comment(id: Int64($0), number: $0, author: "ada", body: "crash")
    }
    let fixture = try await SearchFixture(items, comments)
    var limits = IssueSearch.Limits()
    (limits.ranked, limits.few, limits.small) = (8, 5, 0)
    (limits.candidates, limits.tested, limits.scanned, limits.sample) = (5, 5, 30, 10)
    let search = IssueSearch(
      try SearchQuery(parsing: "\(text) in:title,comments"), in: [fixture.repository.id],
      limits: limits)
    let (found, statements) = try await fixture.mirror.database.read { db in
      var statements: [String] = []
      db.trace { statements.append("\($0)") }
      defer { db.trace(options: []) }
      return (try search.found(limit: 100, db), statements)
    }
    #expect(found.hits.count == count)
    #expect(statements.allSatisfy { !$0.contains("MATCH") })
  }

  @Test(
    "combined search words match as documented",
    arguments: [
      // The words of one text: of title and body together, or of one comment.
      ("crash parser", [1, 2, 5]), ("hang", [2, 3, 4]), ("parser blame", [4]),
      // OR binds closer than juxtaposition.
      ("crash OR hang parser", [1, 2, 3, 5]), ("parser crash OR hang", [1, 2, 3, 5]),
      ("(crash OR hang) (parser OR swift*)", [1, 2, 3, 5]),
      ("macro OR blame OR swift*", [1, 4, 5]),
      // An excluded word is searched for in title, text and comments, unless the search names the field.
      ("(crash OR hang) -macro", [2, 3, 4, 5]), ("crash -parser", []),
      ("crash -parser in:title", [2, 4]), ("-parser", []), ("-hang", [1, 5]),
      ("\"parser crash\"", [5]), ("hang in:body", [2]), ("hang in:comments", [4]),
      ("#3", [3]), ("#3 is:closed", []),
      // All conditions hold together, also two of the same qualifier.
      ("is:open is:closed author:ada", []), ("author:ada author:bob is:closed", []),
      ("involves:ada involves:bob is:closed", [2, 5]),
      ("label:bug label:\"help wanted\"", [2]), ("label:bug,\"help wanted\"", [1, 2]),
      ("-label:bug is:issue", [4, 5]), ("no:label -is:pr", [4, 5]),
      ("-author:ada -author:bob", [4]), ("commenter:bob crash", [4]), ("milestone:6.3 crash", [5]),
    ] as [(String, [Int])])
  func meaning(text: String, numbers: [Int]) async throws {
    typealias Item = SearchFixture.Item
    var items = [
      Item(number: 1, title: "crash parser", body: "macro", labels: ["bug"]),
      Item(
        number: 2, title: "crash", body: "parser hang", state: "closed", author: "bob",
        labels: ["bug", "help wanted"]),
      Item(number: 3, title: "hang parser", isPullRequest: true),
      Item(number: 4, title: "crash", author: nil, comments: 2),
      Item(
        number: 5, title: "swiftformat", body: "parser crash", state: "closed", author: "bob",
        milestone: "6.3"),
    ]
    for index in items.indices { items[index].createdAt += items[index].number }
    let fixture = try await SearchFixture(
      items,
      [
        SearchFixture.Comment(id: 5, number: 4, author: "bob", body: "the parser is to blame"),
        SearchFixture.Comment(id: 6, number: 4, author: "ada", body: "hang"),
      ])
    #expect(try await fixture.numbers("\(text) sort:created-asc") == numbers)
    #expect(try await fixture.numbers(text).sorted() == numbers)
  }

  private static let words = [
    "crash", "Crash", "parser", "getUserName", "user", "name", "getusername", "URLSession",
    "session",
    "urlsession", "日本語", "本", "語文", "café", "Cafe", "foo.bar()", "5.10.1", "10", "x86_64",
    "swift-format", "utf8String", "@ada", "@grace-h", "me@ada", "@adam", "#12", "swift",
  ]
  private static let logins = ["ada", "grace-h", "Bob"]
  private static let labels = ["bug", "help wanted", "Linux"]

  static func text(_ source: inout FuzzSource, _ most: Int) -> String {
    (0..<source.length(upTo: most)).map { _ in source.pick(words) }.joined(separator: " ")
  }

  static func corpus(
    _ source: inout FuzzSource
  ) -> ([SearchFixture.Item], [SearchFixture.Comment]) {
    let items = (1...100).map { number in
      var item = SearchFixture.Item(number: number, title: text(&source, 6))
      item.body = source.once(in: 6) ? nil : text(&source, 16)
      item.isPullRequest = source.once(in: 3)
      item.mergedAt = item.isPullRequest && source.once(in: 2) ? 1_700_000_000 : nil
      item.isDraft = source.once(in: 5)
      item.isLocked = source.once(in: 5)
      item.author = source.once(in: 9) ? nil : source.pick(logins)
      item.labels = labels.filter { _ in source.once(in: 3) }
      item.assignees = logins.filter { _ in source.once(in: 4) }
      item.milestone = source.once(in: 3) ? source.pick(["6.2", "Next one"]) : nil
      item.comments = source.below(6)
      item.reactions = source.once(in: 3) ? source.below(5) : 0
      item.createdAt = 1_767_225_600 + source.below(40) * 43_200
      item.updatedAt = item.createdAt + source.below(40) * 43_200
      if source.once(in: 2) { (item.state, item.closedAt) = ("closed", item.updatedAt) }
      return item
    }
    let comments = (1...80).map { id in
      SearchFixture.Comment(
        id: Int64(id) * 7, number: source.number(in: 1...100), author: source.pick(logins),
        body: text(&source, 16))
    }
    return (items, comments)
  }

  static func query(_ source: inout FuzzSource) -> String {
    var parts: [String] = []
    for _ in 0..<source.below(3) {
      var word = source.pick(words)
      if source.once(in: 4) { word = "\"\(word) \(source.pick(words))\"" }
      if source.once(in: 5) { word = String(word.prefix(3)) + "*" }
      if source.once(in: 5) { word = "-\(word)" }
      if source.once(in: 5) { word += " OR \(source.pick(words))" }
      parts.append(word)
    }
    for _ in 0..<source.below(parts.isEmpty ? 4 : 2) {
      parts.append((source.once(in: 4) ? "-" : "") + qualifier(&source))
    }
    if source.once(in: 5) {
      parts.append(source.pick(["in:title", "in:body", "in:comments", "in:title,body"]))
    }
    if source.once(in: 3) {
      parts.append(
        source.pick([
          "sort:created-asc", "sort:updated", "sort:comments", "sort:comments-asc",
          "sort:reactions", "sort:reactions-asc",
        ]))
    }
    return parts.joined(separator: " ")
  }

  private static func qualifier(_ source: inout FuzzSource) -> String {
    let day = "2026-01-\(String(10 + source.below(20)))"
    let span = source.pick([
      ">\(day)", ">=\(day)", "<\(day)", "<=\(day)", day, "2026-01-05..\(day)", "*..\(day)",
    ])
    let role = source.pick(["author", "assignee", "mentions", "commenter", "involves"])
    return source.pick([
      "is:open", "is:closed", "is:issue", "is:pr", "is:merged", "is:unmerged", "is:draft",
      "is:locked",
      "is:unlocked", "state:open", "type:pr", "label:bug", "label:\"Help Wanted\",linux",
      "no:label",
      "no:assignee", "no:milestone", "assignee:*", "\(role):\(source.pick(logins))",
      "milestone:6.2", "milestone:*", "milestone:none", "assignee:none",
      "milestone:\"next ONE\"", "created:\(span)", "updated:\(span)", "closed:\(span)",
      "comments:>2",
      "comments:1..3", "comments:0",
    ])
  }
}
