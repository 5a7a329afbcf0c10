import GRDB
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("A search of the mirror")
struct MirrorSearchTests {
  typealias Item = SearchFixture.Item
  typealias Comment = SearchFixture.Comment

  @Test("a result has its issue, its matches, and whether a comment matched")
  func results() async throws {
    let fixture = try await SearchFixture(
      [
        Item(number: 1, title: "Crash in the parser", body: "It stops."),
        Item(number: 2, title: "Other", body: "Nothing here", comments: 1),
      ],
      [Comment(id: 5, number: 2, author: "bob", body: "I see the crash too, in the parser.")])
    let results = try await fixture.results("crash parser")
    #expect(results.map(\.issue.number) == [1, 2])
    #expect(results.map(\.isComment) == [false, true])
    #expect(results[0].title.filter(\.isMatch).map(\.text) == ["Crash", "parser"])
    #expect(results[0].snippet.map(\.text) == ["It stops."])
    #expect(results[1].snippet.filter(\.isMatch).map(\.text) == ["crash", "parser"])
    #expect(results[1].repository == fixture.repository)
    #expect(results[0].score > results[1].score)
    #expect(Set(results.map(\.id)).count == 2)
    var elsewhere = results[0]
    elsewhere.repository.id += 1
    #expect(elsewhere.id != results[0].id)
  }

  @Test(
    "a search covers any number of repositories, and only the requested ones")
  func manyRepositories() async throws {
    let fixture = try await SearchFixture()
    var repositories = [fixture.repository]
    for id in 100..<700 {
      repositories.append(
        try await SearchFixture.repository("a/r\(id)", id: Int64(id), in: fixture.mirror))
    }
    for (index, number) in [(0, 1), (300, 2), (600, 3)] {
      try await fixture.store(
        [
          Item(number: number, title: "crash", updatedAt: 1_700_000_000 + number),
          Item(number: number + 10, title: "crash in the parser", updatedAt: 1_600_000_000),
          Item(number: number + 20, title: "other", comments: 1, updatedAt: 1_500_000_000 + number),
        ], of: repositories[index])
    }
    try await fixture.store([Comment(id: 5, number: 21, author: "bob", body: "crash")])
    func numbers(_ text: String) async throws -> [Int] {
      try await fixture.mirror.search(SearchQuery(parsing: text), in: repositories, limit: 100)
        .map(\.issue.number)
    }
    #expect(try await numbers("crash sort:updated") == [3, 2, 1, 13, 12, 11, 21])
    #expect(try await numbers("crash -parser sort:updated") == [3, 2, 1, 21])
    #expect(try await numbers("-crash sort:updated") == [23, 22])
    #expect(try await numbers("crash in:comments sort:updated") == [21])
    #expect(try await numbers("crash -parser").sorted() == [1, 2, 3, 21])
    repositories.remove(at: 300)
    #expect(try await numbers("crash sort:updated") == [3, 1, 13, 11, 21])
    #expect(try await numbers("-crash sort:updated") == [23])
  }

  @Test(
    "a search in one repository reads only that repository's part of the index",
    arguments: [
      "crash", "crash parser", "crash sort:updated", "crash -parser", "crash is:open", "12",
      "crash in:comments", "crash in:title", "crash label:bug -parser sort:created",
    ])
  func bounded(text: String) async throws {
    let fixture = try await SearchFixture([
      Item(number: 1, title: "crash in the parser", comments: 1)
    ])
    try await fixture.store([Comment(id: 5, number: 1, author: "bob", body: "crash")])
    let key = fixture.repository.id
    let statements = try await fixture.mirror.database.read { db in
      var statements: [String] = []
      db.trace { statements.append("\($0)") }
      _ = try IssueSearch(SearchQuery(parsing: text), in: [key]).found(limit: 10, db)
      db.trace(options: [])
      return statements
    }
    let looks = statements.filter { $0.contains(" MATCH ") }
    #expect(!looks.isEmpty)
    for look in looks {
      let bounds = ["rowid BETWEEN ", "rowid = candidate.value", "comment_text.rowid = "]
      #expect(
        bounds.map { look.ranges(of: $0).count }.reduce(0, +) >= look.ranges(of: " MATCH ").count,
        "\(look)")
    }
  }

  @Test(
    "a search among few issues with a property doesn't search the index for each",
    arguments: ["author:bob cra*", "author:bob cra* parser -hang", "author:bob pars*"])
  func fewCandidates(text: String) async throws {
    let fixture = try await SearchFixture(
      [
        Item(number: 1, title: "crash in the parser", author: "bob", comments: 1),
        Item(number: 2, title: "crash", author: "bob"), Item(number: 3, title: "crash parser"),
      ])
    try await fixture.store([Comment(id: 5, number: 2, author: "bob", body: "crash: parser")])
    let key = fixture.repository.id
    let (numbers, statements) = try await fixture.mirror.database.read { db in
      var statements: [String] = []
      db.trace { statements.append($0.expandedDescription) }
      let found = try IssueSearch(SearchQuery(parsing: text), in: [key]).found(limit: 10, db)
      db.trace(options: [])
      return (found.hits.map(\.number), statements)
    }
    #expect(numbers.sorted() == [1, 2])
    #expect(statements.contains { $0.contains("author = 'bob'") })
    #expect(statements.filter { $0.contains(" MATCH ") && $0.contains("\" *") } == [])
  }

  @Test("an issue with several matching comments is found once")
  func folding() async throws {
    let fixture = try await SearchFixture(
      [Item(number: 3, title: "crash", comments: 2)],
      [
        Comment(id: 5, number: 3, author: "bob", body: "crash"),
        Comment(id: 6, number: 3, author: "bob", body: "crash crash"),
      ])
    for text in ["crash", "crash sort:updated", "crash in:comments"] {
      #expect(try await fixture.numbers(text) == [3])
    }
    #expect(try await fixture.results("crash in:comments")[0].isComment)
    #expect(try await !fixture.results("crash sort:updated")[0].isComment)
  }

  @Test("a title match ranks above a text match, and of two equal matches the newer is first")
  func ranking() async throws {
    let fixture = try await SearchFixture([
      Item(number: 1, title: "parser", body: "other"),
      Item(number: 2, title: "other", body: "parser"),
      Item(number: 3, title: "other", body: "parser"),
      Item(number: 4, title: "other", body: "parser " + String(repeating: "word ", count: 500)),
      Item(number: 5, title: "other", body: "nothing"),
    ])
    #expect(try await fixture.numbers("parser") == [1, 3, 2, 4])
    #expect(try await fixture.numbers("parser sort:relevance-asc") == [4, 2, 3, 1])
    #expect(try await fixture.numbers("parser", limit: 2) == [1, 3])
    #expect(try await fixture.numbers("parser", limit: 0) == [])
  }

  @Test("a rare word ranks higher than a frequent one")
  func rarity() async throws {
    var items = (1...60).map { Item(number: $0, title: "swift", body: "swift") }
    items[9] = Item(number: 10, title: "other", body: "swift linker")
    let fixture = try await SearchFixture(items)
    #expect(try await fixture.numbers("swift OR linker").first == 10)
  }

  @Test("a number finds its issue first, and then the issues that mention it")
  func numbers() async throws {
    let fixture = try await SearchFixture([
      Item(number: 12, title: "One"), Item(number: 13, title: "Like #12"),
      Item(number: 14, title: "x"),
    ])
    for text in ["#12", "12"] { #expect(try await fixture.numbers(text) == [12, 13]) }
    #expect(try await fixture.numbers("\"12\"") == [13])
    #expect(try await fixture.numbers("#12 sort:updated") == [13, 12])
    #expect(try await fixture.numbers("12 sort:created-asc is:open") == [12, 13])
    #expect(try await fixture.numbers("#12 is:closed") == [])
  }

  @Test("a milestone is matched by title, or by number if no title matches")
  func milestones() async throws {
    // Their numbers, which follow from their titles: 120, 48687 and 121.
    let fixture = try await SearchFixture(
      ["x", "120", "y"].enumerated().map { index, title in
        Item(number: index + 1, title: "crash", milestone: title)
      } + [Item(number: 4, title: "crash")])
    for (text, expected) in [
      ("milestone:x", [1]), ("milestone:120", [2]), ("milestone:121", [3]),
      ("milestone:48687", [2]), ("milestone:7", []), ("milestone:*", [1, 2, 3]),
      ("milestone:none", [4]),
    ] as [(String, [Int])] {
      #expect(try await fixture.numbers(text).sorted() == expected, "\(text)")
      #expect(try await fixture.numbers("\(text) crash").sorted() == expected, "\(text) crash")
      let filter = try IssueFilter(query: text)
      let listed = try await fixture.mirror.issues(of: fixture.repository, filter: filter)
      #expect(listed.map(\.number).sorted() == expected, "\(text) as a filter")
    }
  }

  @Test("labels and milestones are found in any case and any script")
  func names() async throws {
    let fixture = try await SearchFixture([
      Item(number: 1, labels: ["Größe", "bug"], milestone: "Übersicht"),
      Item(number: 2, labels: ["Bug"], milestone: "6.3 Später"), Item(number: 3),
    ])
    #expect(try await fixture.numbers("label:GRÖßE") == [1])
    #expect(try await fixture.numbers("label:größe,BUG sort:created-asc") == [1, 2])
    #expect(try await fixture.numbers("milestone:übersicht") == [1])
    #expect(try await fixture.numbers("milestone:\"6.3 SPÄTER\"") == [2])
    #expect(try await fixture.numbers("-label:größe -label:bug") == [3])
  }

  @Test("a term of punctuation finds nothing on its own, and is ignored beside words")
  func signs() async throws {
    let fixture = try await SearchFixture([
      Item(number: 1, title: "a -> b"), Item(number: 2, title: "b"),
    ])
    for text in ["->", "-> sort:updated", "\"->\" OR ++", "-> -a"] {
      #expect(try await fixture.numbers(text) == [], "\(text)")
    }
    #expect(try await fixture.numbers("-> b") == [2, 1])
    #expect(try await fixture.numbers("-\"->\"") == [2, 1])
  }

  @Test("a repository is found by its former name, unless another repository now has that name")
  func formerNames() async throws {
    let fixture = try await SearchFixture([Item(number: 1, title: "crash")])
    let json = Data(#"{"id":7,"full_name":"a/b","name":"b","owner":{"login":"a"}}"#.utf8)
    let kept = try await fixture.mirror.record(
      GitHubJSON.decode(GitHub.Repository.self, from: json), json: json, on: "github.com",
      under: RepositoryName("Old/Name"), at: Date())
    let old = try #require(RepositoryName("old/name"))
    func found() async throws -> [Int] {
      let query = try SearchQuery(parsing: "repo:old/NAME crash")
      let listing = try await fixture.mirror.listing(.search(query), of: kept)
      let names = try MirrorNames(path: fixture.mirror.path)
      let typed = await names.numbers(of: old, on: .github, prefix: "", limit: 9)
      let results = try await fixture.mirror.search(query, in: [kept], limit: 9)
      #expect(results.map(\.issue.number) == listing.numbers)
      #expect(typed.map(\.number) == listing.numbers)
      return listing.numbers
    }
    #expect(try await fixture.mirror.repository(named: old, on: .github) == kept)
    #expect(try await found() == [1])
    let other = try await SearchFixture.repository("old/name", id: 9, in: fixture.mirror)
    #expect(try await fixture.mirror.repository(named: old, on: .github) == other)
    #expect(try await found() == [])
  }

  @Test("changed text is found by its new words, and deleted text isn't found")
  func changes() async throws {
    let fixture = try await SearchFixture([Item(number: 1, title: "before", body: "old")])
    try await fixture.store([Item(number: 1, title: "after", body: "new", updatedAt: 1_800_000_000)]
    )
    #expect(try await fixture.numbers("before OR old") == [])
    #expect(try await fixture.numbers("after new") == [1])
    #expect(try await fixture.mirror.check() == [])
    try await fixture.mirror.remove(fixture.repository)
    #expect(try await fixture.numbers("after") == [])
    #expect(try await fixture.mirror.check() == [])
  }

  @Test(
    "an index that contradicts the stored text is detected",
    arguments: [
      "UPDATE item SET title = 'other'",
      "UPDATE item SET json = replace(CAST(json AS TEXT), 'old', 'new')",
      "UPDATE comment SET json = replace(CAST(json AS TEXT), 'old', 'new')", "DELETE FROM comment",
    ])
  func damage(_ sql: String) async throws {
    let fixture = try await SearchFixture(
      [Item(number: 1, title: "before", body: "old")],
      [Comment(id: 1, number: 1, author: "ada", body: "old")])
    #expect(try await fixture.mirror.check() == [])
    try await fixture.mirror.database.write { try $0.execute(sql: sql) }
    #expect(try await !fixture.mirror.check().isEmpty)
  }

  @Test("text that isn't valid Unicode is indexed, changed and removed")
  func hostileTexts() async throws {
    let fixture = try await SearchFixture()
    let texts = [
      #""a\ud800b""#, #""a\udc00\ud800""#, #""nul \u0000 after""#, #""\ud83d\ude00 \ud83d""#,
      #""""#,
      "\"\u{202E}e\u{301}\u{FEFF}\u{FFFD}\"", #""tab\t \/ \" \\ \b end""#, "null",
    ]
    for (round, time) in [1_700_000_000, 1_800_000_000].enumerated() {
      let entries = texts.indices.map { index in
        """
        {"id":\(index),"number":\(index + 1),"title":\(texts[index] == "null" ? "\"t\"" : texts[index]),
        "body":\(texts[(index + round) % texts.count]),"state":"open","comments":0,
        "created_at":"2026-01-01T00:00:00Z","updated_at":"\(SearchFixture.Item.time(time))"}
        """
      }
      try await fixture.store(json: "[\(entries.joined(separator: ","))]")
      #expect(try await fixture.mirror.check() == [])
    }
    #expect(try await fixture.numbers("end").isEmpty == false)
    #expect(try await fixture.numbers("😀").isEmpty == false)
  }

  @Test("a search covers only the requested repositories")
  func repositories() async throws {
    let fixture = try await SearchFixture([Item(number: 1, title: "crash")])
    let other = try await SearchFixture.repository("c/D", id: 8, in: fixture.mirror)
    try await fixture.store(
      [Item(number: 1, title: "crash"), Item(number: 2, title: "crash")], of: other)
    func found(_ text: String, _ repositories: [MirroredRepository]) async throws -> [String] {
      let query = try SearchQuery(parsing: text)
      return try await fixture.mirror.search(query, in: repositories, limit: 9)
        .map { "\($0.repository.fullName)#\($0.issue.number)" }.sorted()
    }
    let both = [fixture.repository, other]
    for text in ["crash", "crash sort:created", "", "-hang"] {
      #expect(try await found(text, both) == ["a/b#1", "c/D#1", "c/D#2"])
      #expect(try await found(text, [other]) == ["c/D#1", "c/D#2"])
      #expect(try await found("\(text) repo:A/B", both) == ["a/b#1"])
      #expect(try await found("\(text) repo:e/f", both) == [])
      #expect(try await found(text, []) == [])
    }
  }

  @Test("a search compares the newest of very many matches, and the newest title matches")
  func manyMatches() async throws {
    let count = IssueSearch.rankedCount + 500
    var items = (1...count).map { Item(number: $0, title: "other", body: "crash parser") }
    items[9].title = "crash parser"
    items[19].title = "crash"
    items[9].body = "macro"
    let fixture = try await SearchFixture(items)
    let query = try SearchQuery(parsing: "crash parser")
    let found = try await fixture.mirror.results(of: query, in: [fixture.repository], limit: 3)
    #expect(found.results.map(\.issue.number) == [10, count, count - 1])
    #expect(found.count == nil)
    #expect(!found.isExhaustive)
    // A limit above the compared count gives all matches, best first.
    for limit in [IssueSearch.rankedCount + 1, .max] {
      let all = try await fixture.mirror.results(of: query, in: [fixture.repository], limit: limit)
      #expect(Set(all.results.map(\.issue.number)).count == min(limit, count))
      // Its title has one word, and its text both.
      #expect(all.results.first?.issue.number == 20)
      #expect(all.isExhaustive)
      #expect(all.count == count)
    }
    // Excluded words are searched in the text too where only titles are compared.
    #expect(try await fixture.numbers("crash parser -macro").contains(10) == false)
    // Another order is exact.
    #expect(try await fixture.numbers("crash parser sort:created-asc", limit: 2) == [1, 2])
  }

  @Test("a search of many repositories compares fewer matches, and finds a rare word anywhere")
  func sharedRanking() async throws {
    let fixture = try await SearchFixture([Item(number: 1, title: "rare crash")])
    var repositories = [fixture.repository]
    for id in Int64(1)...25 {
      let other = try await SearchFixture.repository(
        "c/r\(id)", id: 100 + id, in: fixture.mirror)
      var items = (1...150).map { Item(number: $0, title: "other", body: "crash") }
      if id % 8 == 0 { items[3].body = "rare" }
      if id == 25 { items[0].title = "crash" }
      try await fixture.store(items, of: other)
      repositories.append(other)
    }
    let searched = repositories
    func found(_ text: String, limit: Int = 9) async throws -> FoundIssues {
      let query = try SearchQuery(parsing: text)
      return try await fixture.mirror.results(of: query, in: searched, limit: limit)
    }
    func names(_ found: FoundIssues) -> [String] {
      found.results.map { "\($0.repository.fullName)#\($0.issue.number)" }
    }
    let many = try await found("crash")
    #expect(!many.isExhaustive)
    #expect(many.count == nil)
    let all = try await found("crash", limit: .max)
    #expect(all.isExhaustive)
    #expect(all.count == 25 * 150 - 3 + 1)
    // Of an old one only the title is compared, which still makes it the best of its repository.
    #expect(Set(names(many)) == Set(names(all).prefix(9)))
    #expect(names(many).contains("c/r25#1"))
    // With enough issues whose titles have the word, no others can be among the best.
    for repository in repositories.dropFirst() {
      let titled = (151...240).map { Item(number: $0, title: "a crash", body: "other") }
      try await fixture.store(titled, of: repository)
    }
    let best = try await found("crash")
    // The old one is no more among the newest titles of its repository.
    let others = names(try await found("crash", limit: .max)).filter { $0 != "c/r25#1" }
    #expect(names(best) == Array(others.prefix(9)))
    #expect(best.count == nil)
    let rare = try await found("rare")
    #expect(rare.isExhaustive)
    #expect(Set(names(rare)) == ["a/b#1", "c/r8#4", "c/r16#4", "c/r24#4"])
    #expect(rare.count == 4)
    #expect(try await found("nowhere").results.isEmpty)
    // Of two words, the rare one decides; a word in a comment stands for its issue.
    let two = try await found("rare crash")
    #expect(names(two) == ["a/b#1"])
    #expect(two.isExhaustive)
    try await fixture.store([Comment(id: 7, number: 1, author: "bob", body: "elsewhere")])
    let commented = try await found("elsewhere")
    #expect(names(commented) == ["a/b#1"])
    #expect(commented.results.first?.isComment == true)
    // Conditions find few of many, which are all compared.
    #expect(try await found("crash repo:c/r25").isExhaustive)
    #expect(try await found("crash is:open").count == 25 * 240 - 3 + 1)
  }

  @Test("a search gives repositories with very many matches the shares left by others")
  func skewedRanking() async throws {
    let fixture = try await SearchFixture([Item(number: 1, title: "crash")])
    var repositories = [fixture.repository]
    for id in Int64(1)...25 {
      let other = try await SearchFixture.repository(
        "c/r\(id)", id: 100 + id, in: fixture.mirror)
      let count = id == 7 ? 400 : 1
      var items = (1...count).map { Item(number: $0, title: "other", body: "crash of things") }
      // The shorter text is better, and isn't among the newest of an equal share.
      if id == 7 { items[250].body = "crash crash" }
      try await fixture.store(items, of: other)
      repositories.append(other)
    }
    let query = try SearchQuery(parsing: "crash")
    let found = try await fixture.mirror.results(of: query, in: repositories, limit: 40)
    #expect(found.results.count == 40)
    #expect(found.results.contains { $0.issue.number == 251 })
    #expect(found.isExhaustive)
    #expect(found.count == 425)
  }

  @Test("unused shares of matches go to other repositories")
  func share() {
    #expect(IssueSearch.share(of: 100, among: [10, 20, 30]) == .max)
    #expect(IssueSearch.share(of: 100, among: [100, 10, 200]) == 45)
    #expect(IssueSearch.share(of: 100, among: [.max, .max, 0, 0]) == 50)
    #expect(IssueSearch.share(of: 2, among: [5, 5, 5]) == 1)
    #expect(IssueSearch.share(of: 5, among: []) == .max)
  }

  @Test(
    "any typed text is either searched for or refused", arguments: 1...10)
  func hostileQueries(seed: UInt64) async throws {
    var source = FuzzSource(seed: seed)
    let fixture = try await SearchFixture(
      [Item(number: 1, title: "crash parser", body: "getUserName 日本語 🎉")],
      [Comment(id: 1, number: 1, author: "ada", body: "crash")])
    for _ in 0..<60 {
      let text = source.text(upTo: 60, words: SearchQueryTests.pieces)
      guard let query = try? SearchQuery(parsing: text, isBeingTyped: source.once(in: 2)) else {
        continue
      }
      _ = try await fixture.mirror.search(query, in: [fixture.repository], limit: 5)
    }
    let many = try SearchQuery(parsing: (0..<200).map { "w\($0)" }.joined(separator: " "))
    _ = try await fixture.mirror.search(many, in: [fixture.repository], limit: 5)
  }
}
