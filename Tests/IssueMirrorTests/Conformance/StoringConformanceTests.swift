import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Every store keeps the newest version", .timeLimit(.minutes(5)))
struct StoringConformanceTests {
  @Test(
    "a store keeps the newest version, whatever the order of arrival",
    arguments: StoreEngine.withPooler)
  func order(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    let versions = ["Oldest": 100, "Middle": 200, "Newest": 300]
    for (number, names) in [
      ["Oldest", "Middle", "Newest"], ["Newest", "Middle", "Oldest"],
      ["Middle", "Newest", "Oldest"],
    ].enumerated() {
      for name in names {
        try await test.keep(
          [.numbered(number + 1, name, updated: versions[name] ?? 0)], of: repository)
      }
    }
    // Of two in one page, too.
    try await test.keep(
      [
        .numbered(4, "Newest", updated: 300), .numbered(4, "Oldest", updated: 100),
        .numbered(5, "Oldest", updated: 100), .numbered(5, "Newest", updated: 300),
      ], of: repository)
    let titles = try await test.titles(of: repository)
    #expect(titles == [1: "Newest", 2: "Newest", 3: "Newest", 4: "Newest", 5: "Newest"])
    #expect(try await test.found("newest", in: repository).sorted() == [1, 2, 3, 4, 5])
    #expect(try await test.found("oldest OR middle", in: repository) == [])
  }

  @Test("a store counts inserted, updated and unchanged items", arguments: StoreEngine.withPooler)
  func counts(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    try await test.keep([.numbered(1, updated: 100), .numbered(2, updated: 100)], of: repository)
    let counts = try await test.keep(
      [
        .numbered(1, updated: 100), .numbered(2, "Changed", updated: 200),
        .numbered(3, updated: 100),
      ], of: repository)
    #expect((counts.inserted, counts.updated, counts.unchanged) == (1, 1, 1))
  }

  @Test(
    "of two versions within one second, a store keeps the one requested later",
    arguments: StoreEngine.withPooler)
  func sameSecond(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    let tickets = try await test.store.tickets(5, of: repository)
    func keep(_ title: String, asked: Int, hoursAhead: Double = 0) async throws {
      try await test.keep(
        [.numbered(1, title, updated: 100)], of: repository,
        asked: FeedPage.Asked(ticket: tickets[asked]),
        at: StoreUnderTest.now.addingTimeInterval(hoursAhead * 3_600))
    }
    try await keep("Second", asked: 1)
    try await keep("First", asked: 0)
    #expect(try await test.titles(of: repository) == [1: "Second"])
    try await keep("Third", asked: 2)
    #expect(try await test.titles(of: repository) == [1: "Third"])
    // Whatever the clocks of those who ask say.
    try await keep("Ahead", asked: 3, hoursAhead: 1)
    try await keep("Right", asked: 4)
    try await keep("Late", asked: 3, hoursAhead: 2)
    #expect(try await test.titles(of: repository) == [1: "Right"])
  }

  @Test("tickets are issued in order to concurrent requesters", arguments: StoreEngine.withPooler)
  func tickets(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    let tickets = try await withThrowingTaskGroup(of: [StoreTicket].self) { group in
      for _ in 1...4 {
        let store = try await test.another()
        group.addTask { try await store.tickets(25, of: repository) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(tickets.joined()).count == 100)
    #expect(tickets.allSatisfy { $0 == $0.sorted() })
    let last = try #require(tickets.joined().max())
    // A later write counts as stored after the tickets.
    try await test.keep([.numbered(1)], of: repository)
    try await test.keep([(1, IssueComment(id: 1, body: "Here"))], of: repository)
    #expect(try await test.store.miscountedNumbers(of: repository, storedSince: last) == [1])
    #expect(try await test.store.ticket(of: repository) > last)
  }

  @Test(
    "an older version replaces a newer one if it is the server's current version",
    arguments: StoreEngine.withPooler)
  func presentWord(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    let tickets = try await test.store.tickets(3, of: repository)
    func keep(_ title: String, updated: Int, asked: Int, before second: Int?) async throws {
      try await test.keep(
        [.numbered(1, title, updated: updated)], of: repository,
        asked: FeedPage.Asked(ticket: tickets[asked], isPresentBefore: second))
    }
    try await keep("Newer", updated: 200, asked: 1, before: nil)
    // A change at that second or later may be newer than the response.
    try await keep("Older", updated: 100, asked: 2, before: 200)
    #expect(try await test.titles(of: repository) == [1: "Newer"])
    // The answer was asked for earlier.
    try await keep("Older", updated: 100, asked: 0, before: 201)
    #expect(try await test.titles(of: repository) == [1: "Newer"])
    try await keep("Older", updated: 100, asked: 2, before: 201)
    #expect(try await test.titles(of: repository) == [1: "Older"])
    #expect(try await test.found("newer", in: repository) == [])
  }

  @Test(
    "a store keeps the newest version during concurrent writes",
    arguments: StoreEngine.withPooler)
  func writers(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    // Each writer brings every version of every issue, in an order of its own.
    let (numbers, versions) = (1...40, 1...5)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 1...4 {
        let store = try await test.another()
        group.addTask {
          var source = FuzzSource(seed: UInt64(writer))
          var issues = numbers.flatMap { number in
            versions.map { version in
              var issue = GitHub.Issue.numbered(
                number, "Version \(version)", updated: 1_000 + version)
              issue.labels = [GitHub.Label(serverID: Int64(version), name: "label\(version)")]
              return issue
            }
          }
          while !issues.isEmpty {
            let page = (0..<min(25, issues.count)).map { _ in
              issues.remove(at: source.below(issues.count))
            }
            _ = try await store.store(
              TestMirror.page(page), of: repository, sweep: nil, at: StoreUnderTest.now)
          }
        }
      }
      try await group.waitForAll()
    }
    let titles = try await test.titles(of: repository)
    #expect(titles == Dictionary(uniqueKeysWithValues: numbers.map { ($0, "Version 5") }))
    #expect(try await test.found("label:label5", in: repository).count == numbers.count)
    #expect(try await test.found("label:label1", in: repository) == [])
    #expect(try await test.found("version 5", in: repository).count == numbers.count)
    #expect(try await !test.store.repairSearchIndex())
  }

  @Test("a store keeps the exact bytes from the server", arguments: StoreEngine.withPooler)
  func bytes(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    // A lone surrogate can't be decoded without a repair, which is nothing that is kept.
    let documents = [#"\u0000 é"#, #"\ud800"#].enumerated().map { index, title in
      #"{ "number":\#(index + 1),"id":2 ,"title":"\#(title)","state":"open","extra":[1e2,null]}"#
    }
    _ = try await test.store.store(
      FeedPage(Data("[\(documents.joined(separator: " , "))]".utf8), of: .items), of: repository,
      sweep: nil, at: StoreUnderTest.now)
    #expect(try await test.store.sentIssue(1, of: repository)?.json == Data(documents[0].utf8))
    let list = MirrorList(
      repository: repository, filter: IssueFilter(direction: .ascending),
      includesPullRequests: false)
    var kept: [Data] = []
    for try await page in test.store.documents(of: list, pageSize: 10) { kept += page }
    #expect(kept == documents.map { Data($0.utf8) })
  }

  @Test("a store finds words after U+0000", arguments: StoreEngine.withPooler)
  func nul(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    var issue = GitHub.Issue.numbered(1, "a\0 title")
    issue.body = "a\0 text @ada"
    issue.labels = [GitHub.Label(name: "a\0b")]
    try await test.keep([issue, .numbered(2, #"\u0000"#)], of: repository)
    try await test.keep([(1, IssueComment(id: 7, body: "a\0 comment"))], of: repository)
    for words in ["title", "text", "comment", "mentions:ada"] {
      #expect(try await test.found(words, in: repository) == [1], "\(words)")
    }
    #expect(try await test.store.sentIssue(1, of: repository)?.entity.title == issue.title)
    #expect(try await !test.store.repairSearchIndex())
    issue.body = nil
    issue.updatedAt = issue.updatedAt?.addingTimeInterval(60)
    try await test.keep([issue], of: repository)
    #expect(try await test.found("text", in: repository) == [])
    #expect(try await !test.store.repairSearchIndex())
  }

  @Test("a store keeps the newest version of a comment", arguments: StoreEngine.withPooler)
  func comments(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    func comment(_ id: Int64, _ body: String, created: Int, updated: Int) -> IssueComment {
      IssueComment(
        id: id, body: body, user: GitHub.User(login: "ada"),
        createdAt: Date(timeIntervalSince1970: Double(created)),
        updatedAt: Date(timeIntervalSince1970: Double(updated)))
    }
    func bodies() async throws -> [String?] {
      try await test.store.sentComments(on: 5, of: repository).map(\.entity.body)
    }
    var issue = GitHub.Issue.numbered(5)
    issue.commentsCount = 2
    try await test.keep([issue], of: repository)
    let late = comment(10, "late", created: 20, updated: 40)
    try await test.keep(
      [(5, late), (5, comment(11, "early", created: 10, updated: 30))], of: repository)
    try await test.keep([(5, comment(10, "stale", created: 20, updated: 20))], of: repository)
    #expect(try await bodies() == ["early", "late"])
    #expect(try await test.found("late in:comments", in: repository) == [5])
    #expect(try await test.found("stale", in: repository) == [])
    #expect(try await test.store.count(.countedComments, of: repository) == 2)
    #expect(try await test.store.miscountedNumbers(of: repository, storedSince: nil) == [])

    try await test.keep([(5, comment(12, "gone", created: 30, updated: 30))], of: repository)
    #expect(try await test.store.miscountedNumbers(of: repository, storedSince: nil) == [5])
    let later = try await test.store.ticket(of: repository)
    #expect(try await test.store.miscountedNumbers(of: repository, storedSince: later) == [])
    #expect(try await test.store.removeComments(on: 5, of: repository, except: [10, 11]) == 1)
    #expect(try await bodies() == ["early", "late"])
    #expect(try await test.found("gone", in: repository) == [])
  }

  @Test("a store keeps the labels and milestones of its items", arguments: StoreEngine.withPooler)
  func properties(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    var issue = GitHub.Issue.numbered(1)
    issue.labels = [
      GitHub.Label(serverID: 1, name: "bug", color: "ff0000"),
      GitHub.Label(serverID: 2, name: "old"),
    ]
    issue.assignees = [GitHub.User(login: "mia")]
    issue.milestone = GitHub.Milestone(number: 4, title: "6.3", state: .open)
    try await test.keep([issue, .numbered(2)], of: repository)
    #expect(try await test.store.entityTags(of: .labels, of: repository) == [])

    let label = #"{"id":1,"name":"defect","color":"00ff00"}"#
    let listed = ListedLabel(
      label: FeedPage.Label(id: 1, name: "defect", color: "00ff00"), json: Data(label.utf8))
    let milestone = FeedPage.Milestone(
      number: 4, title: "6.4", state: "open",
      json: Data(#"{"number":4,"title":"6.4","state":"open"}"#.utf8))
    #expect(
      try await test.store.unlisted(labels: [listed], milestones: [milestone], of: repository)
        == [.label(2, name: "old")])
    #expect(
      try await test.store.unlisted(labels: nil, milestones: [], of: repository) == [.milestone(4)])
    try await test.store.settle(
      labels: ListedPages([listed], entityTags: ["\"a\"", "\"b\""]),
      milestones: ListedPages([milestone], entityTags: ["\"c\""]), gone: [.label(2)],
      of: repository, at: StoreUnderTest.now)

    let kept = try #require(try await test.store.sentIssue(1, of: repository)).entity
    #expect(kept.labels.map(\.name) == ["defect"])
    #expect(kept.milestone?.title == "6.4")
    #expect(kept.assignees.map(\.login) == ["mia"])
    for (text, numbers) in [
      ("label:defect", [1]), ("label:bug", []), ("label:old", []), ("milestone:6.4", [1]),
      ("milestone:6.3", []), ("assignee:MIA", [1]),
    ] {
      #expect(try await test.found(text, in: repository) == numbers, "\(text)")
    }
    #expect(try await test.store.entityTags(of: .labels, of: repository) == ["\"a\"", "\"b\""])
    #expect(try await test.store.entityTags(of: .milestones, of: repository) == ["\"c\""])
    #expect(try await test.store.milestones(of: repository).map(\.title) == ["6.4"])
    let names = try await test.store.names(of: repository)
    #expect(names.labels.first == "defect" && names.milestones == ["6.4"])
    #expect(names.assignees == ["mia"])
    #expect(
      try await test.store.state(of: repository)?.propertiesCheckedAt == StoreUnderTest.now)

    // An item that comes with another version of a label makes the list worth reading again.
    var other = GitHub.Issue.numbered(2, updated: 1_800_000_000)
    other.labels = [GitHub.Label(serverID: 1, name: "defect", color: "0000ff")]
    try await test.keep([other], of: repository)
    #expect(try await test.store.entityTags(of: .labels, of: repository) == [])
  }
}
