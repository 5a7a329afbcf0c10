import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "Properties in the search index",
  .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"), .timeLimit(.minutes(5)))
struct PropertyWordTests {
  private static func mirror() async throws -> PostgresMirror {
    try await PostgresMirror(
      connecting: try await PostgresServer.running().address, schema: PostgresServer.newSchema())
  }

  private static let long = String(repeating: "long label ", count: 200)
  private static let labels = [
    "bug", "it's", #"back\slash"#, "a:b & c|d !(e)", "ÄÖ ü", "'", "\"quoted\"", "nul\u{0}", "=t",
    long + "1", long + "2",
  ]

  /// An issue for each label, every third of which is closed, and a pull request without one.
  private static func issues() -> [GitHub.Issue] {
    labels.enumerated().map { index, label in
      var issue = GitHub.Issue.numbered(index + 1, "Crash \(index + 1)")
      issue.labels = [GitHub.Label(name: label)]
      issue.user = GitHub.User(login: index.isMultiple(of: 2) ? "Ada" : "Mia")
      issue.assignees = [GitHub.User(login: index.isMultiple(of: 2) ? "Mia" : "Kim")]
      if index.isMultiple(of: 3) { issue.state = .closed }
      return issue
    }
  }

  /// Whether texts have the words, or items alone are asked.
  @Test(
    "a search of indexed properties finds the same issues as the rows of items",
    arguments: [true, false])
  func names(haveWords: Bool) async throws {
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    let repository = try await test.record()
    let issues = Self.issues()
    try await test.keep(issues, of: repository)
    if !haveWords {
      // As a version wrote them that knew no such words.
      try await mirror.writing { db in
        try db.run(
          """
          UPDATE item_text SET tsv = ts_filter(tsv, '{a,b,c,d}')
            || array_to_tsvector('{=t,=tcrash,=1}') || array_to_tsvector(ARRAY['=' || repository]);
          UPDATE mirror SET search_index = 'earlier', version = 5
          """)
      }
    }
    for (index, label) in Self.labels.enumerated() {
      for isNegated in [false, true] {
        var query = try SearchQuery(parsing: "crash")
        query.conditions = [.init(isNegated: isNegated, property: .label([label]))]
        let listing = try await mirror.find(query, in: [repository], limit: 100)
        let numbers = Set(listing.hits.map(\.number))
        let own: Set = [index + 1]
        #expect(
          numbers == (isNegated ? Set(issues.map(\.number)).subtracting(own) : own),
          "\(label.prefix(20))")
      }
    }
    for (text, condition) in [
      ("is:open", { $0.state == .open }), ("-is:open", { $0.state == .closed }),
      ("author:ada", { $0.user?.login == "Ada" }), ("-author:ADA", { $0.user?.login == "Mia" }),
      ("assignee:kim", { $0.assignees.first?.login == "Kim" }),
      ("is:issue label:bug,\"it's\"", { ["bug", "it's"].contains($0.labels[0].name) }),
      ("author:ada author:mia is:closed", { _ in false }), ("is:pr", { _ in false }),
      ("is:open no:milestone author:ada", { $0.state == .open && $0.user?.login == "Ada" }),
    ] as [(String, (GitHub.Issue) -> Bool)] {
      let numbers = issues.filter(condition).map(\.number)
      for order in ["", " sort:created"] {
        let found = try await test.found("crash \(text)\(order)", in: repository)
        #expect(found.sorted() == numbers, "\(text)\(order)")
      }
      // No item has this word.
      #expect(try await test.found("hang \(text)", in: repository) == [], "\(text)")
    }
    // No search for a word finds a property.
    #expect(try await test.found("=sopen", in: repository) == [])
    if !haveWords {
      #expect(try await mirror.repairSearchIndex())
      #expect(try await test.found("crash label:bug", in: repository) == [1])
    }
    let words: [String] = try await mirror.reading { db in
      try db.column(
        """
        SELECT lexeme FROM item_text, unnest(tsv)
        WHERE number = 2 AND starts_with(lexeme, '=') ORDER BY 1
        """)
    }
    #expect(
      words == [
        "=\(repository.id)", "=amia", "=gkim", "=kissue", "=lit's", "=sopen", "=t2", "=tcrash",
      ])
  }

  @Test("the indexed properties follow changes to an item and to its label names")
  func changes() async throws {
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    let repository = try await test.record()
    var issue = GitHub.Issue.numbered(1, "Crash")
    issue.labels = [GitHub.Label(serverID: 1, name: "bug"), GitHub.Label(serverID: 2, name: "old")]
    try await test.keep([issue], of: repository)
    let json = #"{"id":1,"name":"It's"}"#
    let listed = ListedLabel(
      label: FeedPage.Label(id: 1, name: "It's", color: nil), json: Data(json.utf8))
    try await mirror.settle(
      labels: ListedPages([listed], entityTags: []), milestones: nil, gone: [.label(2)],
      of: repository, at: StoreUnderTest.now)
    for (text, numbers) in [
      ("label:it's", [1]), ("label:bug", []), ("label:old", []), ("is:open", [1]),
    ] {
      #expect(try await test.found("crash \(text)", in: repository) == numbers, "\(text)")
    }
    issue.state = .closed
    issue.labels = []
    issue.updatedAt = Date(timeIntervalSince1970: 1_700_000_010)
    try await test.keep([issue], of: repository)
    for (text, numbers) in [("label:it's", []), ("is:open", []), ("is:closed", [1])] {
      #expect(try await test.found("crash \(text)", in: repository) == numbers, "\(text)")
    }
  }
}
