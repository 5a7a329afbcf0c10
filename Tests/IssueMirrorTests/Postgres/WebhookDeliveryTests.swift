import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "A webhook's delivery to a team's mirror",
  .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
  .timeLimit(.minutes(5)))
struct WebhookDeliveryTests {
  private static let place = LoopbackRepository(
    id: 7, owner: "acme", name: "tool", issues: SyntheticIssues(count: 20, newest: 1_700_000_000))

  private struct Scene {
    let mirror: PostgresMirror
    let github = LoopbackGitHub(repositories: [place])
    let queue: RepositoryQueue

    init(isQueued: Bool = true) async throws {
      mirror = try await PostgresMirror(
        connecting: try await PostgresServer.running().address, schema: PostgresServer.newSchema())
      queue = RepositoryQueue(mirror, host: "github.com")
      let name = try #require(RepositoryName("acme/tool"))
      if isQueued {
        try await mirror.enqueue([name], on: .github, reason: "a test")
        try await mirror.writing { db in
          try db.run("UPDATE queue SET due_at = now() + interval '1 hour'")
        }
      }
      let delivery = try #require(self.delivery("opened", issue: 1))
      _ = try await mirror.record(
        delivery.repository, json: Data("{}".utf8), on: "github.com", under: name, at: Date())
    }

    func delivery(_ action: String, issue: Int, event: String = "issues", changes: String = "{}")
      -> WebhookDelivery?
    {
      WebhookDelivery(
        event: event,
        body: Data(github.delivery(action, issue: issue, of: place, changes: changes).utf8))
    }

    func receive(_ delivery: WebhookDelivery?) async throws -> WebhookDelivery.Outcome {
      try await mirror.receive(try #require(delivery), from: .github)
    }

    func title(_ number: Int) async throws -> String? {
      let repository = try #require(try await mirror.repositories().first)
      return try await mirror.sentIssue(number, of: repository)?.entity.title
    }

    func change(_ title: String, at time: Int) {
      github.changeIssue(1, of: place) { ($0.title, $0.updatedAt) = (title, time) }
    }
  }

  @Test("the newest version is kept, in whatever order deliveries and pages arrive")
  func newest() async throws {
    let scene = try await Scene()
    scene.change("first", at: 1_800_000_000)
    let first = scene.delivery("edited", issue: 1)
    scene.change("second", at: 1_800_000_005)
    let second = scene.delivery("edited", issue: 1)
    #expect(try await scene.receive(second) == .stored)
    #expect(try await scene.receive(first) == .stored)
    #expect(try await scene.title(1) == "second")
    // A list's version of the same second, which is complete, stays.
    let repository = try #require(try await scene.mirror.repositories().first)
    scene.change("listed", at: 1_800_000_005)
    guard case .page(var page)? = scene.delivery("edited", issue: 1)?.contents.first else {
      Issue.record("no page")
      return
    }
    page.note(FeedPage.Asked(ticket: try await scene.mirror.ticket(of: repository)))
    try await scene.mirror.store(page, of: repository, sweep: nil, at: Date())
    #expect(try await scene.title(1) == "listed")
    _ = try await scene.receive(second)
    #expect(try await scene.title(1) == "listed")
  }

  @Test("a transferred or deleted issue is buried, and a repeated delivery doesn't dig it up")
  func burial() async throws {
    let scene = try await Scene()
    let opened = (1...2).map { scene.delivery("opened", issue: $0) }
    for delivery in opened { _ = try await scene.receive(delivery) }
    let changes = #"{"new_issue":{"id":9,"number":5},"new_repository":{"full_name":"acme/other"}}"#
    #expect(
      try await scene.receive(scene.delivery("transferred", issue: 1, changes: changes)) == .stored)
    #expect(try await scene.receive(scene.delivery("deleted", issue: 2)) == .stored)
    for delivery in opened { _ = try await scene.receive(delivery) }
    let repository = try #require(try await scene.mirror.repositories().first)
    #expect(
      try await scene.mirror.tombstones(of: repository).map(\.fate)
        == [.transferred(to: "acme/other#5"), .deleted])
    #expect(try await scene.title(1) == nil)
  }

  @Test("a repository is due at once, also if a worker has it, and later than usual afterward")
  func urgency() async throws {
    let scene = try await Scene()
    #expect(try await scene.queue.claim(for: .seconds(60), by: "one") == nil)
    #expect(try await scene.receive(scene.delivery("edited", issue: 1)) == .stored)
    let claim = try #require(try await scene.queue.claim(for: .seconds(60), by: "one"))
    #expect(
      try await scene.receive(scene.delivery("renamed", issue: 1, event: "repository")) == .noted)
    let probe = FeedProbe(
      repository: 7, listedInterval: .seconds(21_600), longestInterval: .seconds(1800))
    let dueAgain = try await scene.queue.finish(
      claim, as: "acme/tool", SyncPace(), dueIn: .seconds(60), probe)
    #expect(dueAgain == .zero)
    let second = try #require(try await scene.queue.claim(for: .seconds(60), by: "one"))
    let dueIn = try await scene.queue.finish(
      second, as: "acme/tool", SyncPace(), dueIn: .seconds(60), probe)
    #expect(dueIn == .seconds(1800))
    // Without deliveries for a day, the webhook may have failed.
    try await scene.mirror.writing { db in
      try db.run("UPDATE queue SET due_at = now(), delivered_at = now() - interval '25 hours'")
    }
    let third = try #require(try await scene.queue.claim(for: .seconds(60), by: "one"))
    #expect(
      try await scene.queue.finish(third, as: "acme/tool", SyncPace(), dueIn: .seconds(60), probe)
        == .seconds(60))
  }

  @Test("a failing repository keeps its delay, and others aren't mirrored because of a delivery")
  func restraint() async throws {
    let scene = try await Scene()
    try await scene.mirror.writing { db in try db.run("UPDATE queue SET failures = 1") }
    #expect(try await scene.receive(scene.delivery("edited", issue: 1)) == .stored)
    #expect(try await scene.queue.claim(for: .seconds(60), by: "one") == nil)
    let other = try await Scene(isQueued: false)
    #expect(try await other.receive(other.delivery("edited", issue: 1)) == .ignored)
    #expect(try await other.title(1) == nil)
  }

  @Test("an unreadable issue is a hint, and other events and other bodies are none")
  func unreadable() throws {
    let body =
      #"{"action":"edited","issue":{"id":1,"number":2},"repository":{"id":7,"name":"tool","full_name":"acme/tool"}}"#
    let delivery = try #require(WebhookDelivery(event: "issues", body: Data(body.utf8)))
    #expect(delivery.contents.isEmpty)
    #expect(WebhookDelivery(event: "push", body: Data(body.utf8)) == nil)
    #expect(WebhookDelivery(event: "issues", body: Data("{}".utf8)) == nil)
    #expect(WebhookDelivery(event: "issues", body: Data([0xFF, 0x00])) == nil)
  }
}
