import GitHubAPI
import IssueMirror
import PlatformModules
import Testing

@Suite("A store's timelines")
struct TimelineConformanceTests {
  private static func timeline(
    of number: Int, covering time: Int, asked: StoreTicket, _ events: String...
  ) throws -> IssueTimeline {
    var timeline = IssueTimeline(of: number, asked: asked)
    timeline.covers = time
    try timeline.add(Data("[\(events.joined(separator: ","))]".utf8))
    return timeline
  }

  @Test(
    "a store's timelines are outdated until they cover the last change",
    arguments: StoreEngine.all)
  func outdated(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let (store, repository) = (test.store, try await test.record())
    var pull = GitHub.Issue.numbered(4, updated: 400)
    pull.pullRequest = PullRequestLink(url: "https://api.github.com/x")
    try await test.keep(
      [.numbered(1, updated: 100), .numbered(2, updated: 300), .numbered(3, updated: 200), pull],
      of: repository)
    func outdated(all: Bool = false) async throws -> [Int] {
      try await store.outdatedTimelines(of: repository, includingCurrent: all).map(\.number)
    }
    #expect(try await outdated() == [2, 3, 1])
    #expect(try await store.count(.timelines, of: repository) == 0)
    for (number, time) in [(1, 100), (2, 299), (3, 200)] {
      let timeline = try await Self.timeline(
        of: number, covering: time, asked: store.ticket(of: repository))
      #expect(try await store.store(timeline, of: repository))
    }
    #expect(try await outdated() == [2])
    #expect(try await outdated(all: true) == [2, 3, 1])
    #expect(try await store.count(.timelines, of: repository) == 3)
    try await test.keep([.numbered(1, updated: 101)], of: repository)
    #expect(try await outdated() == [2, 1])
    let kept = try await store.sentTimeline(of: 1, in: repository)
    #expect(kept?.isCurrent == false && kept?.events.isEmpty == true)
    #expect(try await store.sentTimeline(of: 3, in: repository)?.isCurrent == true)
    #expect(try await store.sentTimeline(of: 4, in: repository) == nil)
  }

  @Test(
    "a store's timelines are replaced as a whole, and the one requested later stays",
    arguments: StoreEngine.all)
  func replacing(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let (store, repository) = (test.store, try await test.record())
    try await test.keep([.numbered(1), .numbered(2)], of: repository)
    let tickets = try await store.tickets(3, of: repository)
    func keep(_ place: Int, _ events: String...) async throws -> Bool {
      var timeline = IssueTimeline(of: 1, asked: tickets[place])
      try timeline.add(Data("[\(events.joined(separator: ","))]".utf8))
      return try await store.store(timeline, of: repository)
    }
    func events() async throws -> [String] {
      try await store.sentTimeline(of: 1, in: repository)?.events.map {
        String(decoding: $0.json, as: UTF8.self)
      } ?? []
    }
    let (first, second) = (#"{"event":"one", "id":1}"#, #"{"event":"two"}"#)
    #expect(try await keep(1, first, second))
    #expect(try await !keep(1, first, second))
    #expect(try await keep(2, second))
    #expect(try await !keep(0, first))
    #expect(try await events() == [second])
    // Nothing of an issue that isn't here is kept.
    var other = IssueTimeline(of: 9, asked: tickets[2])
    try other.add(Data("[\(first)]".utf8))
    #expect(try await !store.store(other, of: repository))
    #expect(try await store.sentTimeline(of: 9, in: repository) == nil)
    try await store.bury(1, .deleted, of: repository, at: StoreUnderTest.now)
    #expect(try await store.sentTimeline(of: 1, in: repository) == nil)
    try await store.remove(repository)
    await #expect(throws: MirrorFailure.self) { _ = try await keep(2, first) }
  }

  @Test(
    "a store's timelines share the text of comments with the stored comments",
    arguments: StoreEngine.all)
  func texts(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let (store, repository) = (test.store, try await test.record())
    try await test.keep([.numbered(1)], of: repository)
    let timeline = try await Self.timeline(
      of: 1, covering: 0, asked: store.ticket(of: repository),
      #"{"event":"commented","id":7,"body":"a \"text\" {","user":{"login":"ada"},"x":{"body":1}}"#,
      #"{"event":"commented","id":8,"user":{"login":"bot[bot]"}}"#, #"{"event":"seven","id":7}"#)
    #expect(try await store.store(timeline, of: repository))
    #expect(timeline.events.map(\.isByBot) == [false, true, false])
    var kept = try #require(try await store.sentTimeline(of: 1, in: repository))
    #expect(kept.lacksTexts)
    #expect(kept.events.map(\.entity.actor?.login) == ["ada", "bot[bot]", nil])
    #expect(kept.events.map(\.entity.body) == [nil, nil, nil])
    try await test.keep(
      [(1, IssueComment(id: 7, body: "a \"text\" {")), (1, IssueComment(id: 8, body: "more"))],
      of: repository)
    kept = try #require(try await store.sentTimeline(of: 1, in: repository))
    #expect(!kept.lacksTexts)
    #expect(kept.events[0].entity.body == "a \"text\" {")
    let text = String(decoding: kept.events[0].json, as: UTF8.self)
    #expect(text.hasSuffix(#","user":{"login":"ada"},"x":{"body":1}}"#))
  }

  @Test(
    "a store records whether timelines are complete or missing on the server",
    arguments: StoreEngine.all)
  func state(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let (store, now) = (test.store, StoreUnderTest.now)
    var repository = try await test.record()
    #expect(repository.timelinesCheckedAt == nil && repository.lacksTimelinesSince == nil)
    repository = try await store.note(.missing, of: repository, at: now)
    #expect(repository.timelinesCheckedAt == nil && repository.lacksTimelinesSince == now)
    repository = try await store.note(.complete, of: repository, at: now)
    #expect(repository.timelinesCheckedAt == now && repository.lacksTimelinesSince == nil)
    #expect(try await store.repositories() == [repository])
  }
}
