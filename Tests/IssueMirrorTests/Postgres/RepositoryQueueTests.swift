import GitHubAPI
import TestSupport
import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "The queue of a team's mirror",
  .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
  .timeLimit(.minutes(5)))
struct RepositoryQueueTests {
  private static let lease = Duration.seconds(120)

  private struct Scene {
    let mirror: PostgresMirror
    var queue: RepositoryQueue { RepositoryQueue(mirror, host: "github.com") }

    init(_ names: String...) async throws {
      mirror = try await PostgresMirror(
        connecting: try await PostgresServer.running().address, schema: PostgresServer.newSchema())
      try await add(names)
    }

    @discardableResult
    func add(_ names: [String], priority: Int = 0) async throws -> Int {
      try await mirror.enqueue(
        names.compactMap { RepositoryName($0) }, on: .github, reason: "a test", priority: priority)
    }

    func claim(by holder: String = "one") async throws -> RepositoryClaim? {
      try await queue.claim(for: RepositoryQueueTests.lease, by: holder)
    }

    func run(_ sql: String) async throws {
      try await mirror.writing { db in try db.run(sql) }
    }

    func value<Value: PostgresDecodable & Sendable>(_ sql: PostgresSQL) async throws -> Value? {
      try await mirror.reading { db in try db.first(sql)?.value(0) }
    }
  }

  @Test("simultaneous claims get different repositories")
  func claims() async throws {
    let names = (1...10).map { "a/b\($0)" }
    let scene = try await Scene()
    #expect(try await scene.add(names) == 10)
    #expect(try await scene.add(["A/B1", "a/c"]) == 1)
    try await scene.run("DELETE FROM queue WHERE name_key = 'a/c'")
    let claims = try await withThrowingTaskGroup(of: RepositoryClaim?.self) { group in
      for number in 1...32 { group.addTask { try await scene.claim(by: "\(number)") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let claimed = claims.compactMap(\.self)
    #expect(claimed.count == 10)
    #expect(Set(claimed.map(\.name)) == Set(names))
    #expect(Set(claimed.map(\.lease)).count == 10)
    #expect(claimed.allSatisfy { $0.reason == "a test" && !$0.wasAbandoned })
    // Another server's are another's.
    let other = RepositoryQueue(scene.mirror, host: "example.com")
    try await scene.run("UPDATE queue SET lease_ends_at = NULL")
    #expect(try await other.claim(for: Self.lease, by: "one") == nil)
    #expect(try await other.timeUntilNext() == nil)
  }

  @Test("a queued repository can be added without urgency, and a sync elsewhere delays it")
  func synced() async throws {
    let scene = try await Scene("a/b", "a/held")
    try await scene.run("UPDATE queue SET due_at = now() + interval '1 hour', failures = 2")
    let names = ["a/b", "a/held", "a/new"].compactMap { RepositoryName($0) }
    let new = try await scene.mirror.enqueue(
      names, on: .github, reason: "another", hastens: false)
    #expect(new == 1)
    let due: PostgresSQL =
      "SELECT string_agg(name, ' ' ORDER BY name) FROM queue WHERE due_at <= now()"
    #expect(try await scene.value(due) == "a/new")
    // Nothing is known of the first one's changes, and another one is a worker's.
    try await scene.run(
      """
      UPDATE queue SET due_at = now() WHERE name <> 'a/new';
      UPDATE queue SET lease = 1, lease_ends_at = now() + interval '1 hour' WHERE name = 'a/held';
      UPDATE queue SET interval_seconds = 1000, synced_at = now() - interval '1 day'
        WHERE name = 'a/new'
      """)
    try await scene.mirror.noteSync(of: Set(names), on: .github)
    let rest: PostgresSQL = """
      SELECT string_agg(name || ' ' || round(extract(epoch FROM due_at - synced_at)) || ' '
        || failures, ', ' ORDER BY name) FROM queue WHERE synced_at > now() - interval '1 hour'
      """
    #expect(try await scene.value(rest) == "a/b 120 0, a/new 1000 0")
    #expect(try await scene.value(due) == "a/held")
  }

  @Test("the highest priority comes first, then the repository that has been due longest")
  func order() async throws {
    let scene = try await Scene("a/late", "a/early", "a/not", "a/urgent")
    try await scene.run(
      """
      UPDATE queue SET due_at = now() - interval '1 minute' WHERE name = 'a/late';
      UPDATE queue SET due_at = now() - interval '1 hour' WHERE name = 'a/early';
      UPDATE queue SET due_at = now() + interval '1 hour' WHERE name IN ('a/not', 'a/urgent')
      """)
    // A repository added again is due at once.
    #expect(try await scene.add(["a/urgent"], priority: 5) == 0)
    var names: [String] = []
    while let claim = try await scene.claim() { names.append(claim.name) }
    #expect(names == ["a/urgent", "a/early", "a/late"])
  }

  @Test("a claim finds the most urgent repository without scanning all due repositories")
  func plan() async throws {
    let scene = try await Scene()
    try await scene.add((1...200).map { "a/b\($0)" })
    try await scene.run("ANALYZE queue")
    let plan = try await scene.mirror.reading { db -> String in
      try db.column(
        """
        EXPLAIN SELECT name_key FROM queue WHERE host = 'github.com' AND due_at <= now()
          AND (lease_ends_at IS NULL OR lease_ends_at <= now())
        ORDER BY priority DESC, due_at LIMIT 1
        """
      ).joined(separator: "\n")
    }
    #expect(plan.contains("queue_by_urgency") && !plan.contains("Sort"), "\(plan)")
  }

  @Test("a lease ends unless it is renewed, and then its holder can't change the queue")
  func leases() async throws {
    let scene = try await Scene("a/b")
    let queue = scene.queue
    let first = try #require(try await scene.claim())
    #expect(try await scene.claim(by: "two") == nil)
    let left = try #require(try await queue.timeUntilNext())
    #expect(left > .seconds(60) && left <= Self.lease)
    try await scene.run("UPDATE queue SET lease_ends_at = now() + interval '1 second'")
    #expect(try await queue.renew(first, for: Self.lease))
    #expect(try #require(try await queue.timeUntilNext()) > .seconds(60))

    try await scene.run("UPDATE queue SET lease_ends_at = now() - interval '1 millisecond'")
    let second = try #require(try await scene.claim(by: "two"))
    #expect(second.wasAbandoned && second.lease != first.lease)
    #expect(try await !queue.renew(first, for: Self.lease))
    #expect(try await !queue.giveBack(first))
    #expect(try await !queue.fail(first, "late", dueIn: .zero))
    #expect(try await queue.finish(first, as: "a/b", SyncPace(), dueIn: .zero) == nil)
    #expect(try await scene.value("SELECT holder FROM queue") == "two")
    #expect(
      try await queue.finish(second, as: "a/b", SyncPace(), dueIn: .seconds(60)) == .seconds(60))
    // It has no lease now, and isn't due.
    #expect(try await scene.claim() == nil)
    #expect(try await !queue.renew(second, for: Self.lease))
  }

  @Test(
    "a repository is due later after a sync, still later after a failure, and at once when returned"
  )
  func ends() async throws {
    let scene = try await Scene("a/b")
    let queue = scene.queue
    var claim = try #require(try await scene.claim())
    #expect(claim.secondsSinceSync == nil && claim.pace == SyncPace())
    #expect(try await queue.fail(claim, "no\nroute", dueIn: .seconds(60)))
    #expect(try await scene.value("SELECT failure FROM queue") == "no route")
    #expect(try await scene.claim() == nil)
    try await scene.run("UPDATE queue SET due_at = now()")
    claim = try #require(try await scene.claim())
    #expect(claim.failures == 1)
    #expect(try await queue.giveBack(claim))
    claim = try #require(try await scene.claim())
    #expect(claim.failures == 1 && !claim.wasAbandoned)
    let pace = SyncPace(changesPerHour: 2.5)
    #expect(try await queue.finish(claim, as: "A/b", pace, dueIn: .seconds(60)) == .seconds(60))
    let due = try #require(try await queue.timeUntilNext())
    #expect(due > .seconds(30) && due <= .seconds(60))
    try await scene.run("UPDATE queue SET due_at = now()")
    claim = try #require(try await scene.claim())
    #expect(claim.failures == 0 && claim.pace == pace && claim.name == "a/b")
    #expect(try #require(claim.secondsSinceSync) >= 0)
  }

  @Test("a renamed repository is in the queue only once")
  func renamed() async throws {
    let scene = try await Scene("old/name")
    let queue = scene.queue
    var claim = try #require(try await scene.claim())
    #expect(try await queue.finish(claim, as: "new/Name", SyncPace(), dueIn: .zero) == .zero)
    #expect(try await scene.value("SELECT name FROM queue") == "new/Name")
    try await scene.add(["old/name"])
    try await scene.run(
      "UPDATE queue SET due_at = now() + interval '1 day' WHERE name = 'new/Name'")
    claim = try #require(try await scene.claim())
    #expect(claim.name == "old/name")
    #expect(try await queue.finish(claim, as: "new/Name", SyncPace(), dueIn: .zero) == .zero)
    #expect(try await scene.value("SELECT count(*) FROM queue") == 1)
    #expect(try await scene.value("SELECT name FROM queue") == "new/Name")
  }

  @Test("a repository removed from the mirror leaves the queue")
  func removed() async throws {
    let scene = try await Scene("swiftlang/Swift", "a/b", "a/c")
    let test = StoreUnderTest(store: scene.mirror, keeping: scene.mirror) { scene.mirror }
    try await scene.mirror.remove(try await test.record())
    #expect(try await scene.value("SELECT count(*) FROM queue") == 2)
    let names = ["A/B", "no/where"].compactMap { RepositoryName($0) }
    #expect(try await scene.mirror.dequeue(names, on: .github) == 1)
    #expect(try await scene.value("SELECT name FROM queue") == "a/c")
  }

  @Test("the status reports due repositories, ages and failures")
  func status() async throws {
    let scene = try await Scene("a/b1", "a/b2", "a/b3", "a/b4", "a/b5")
    #expect(try await scene.mirror.workerStatus().medianAge == nil)
    let held = try #require(try await scene.claim(by: "machine/1"))
    try await scene.run(
      """
      UPDATE queue SET synced_at = now() - interval '100 seconds' WHERE name <> 'a/b5';
      UPDATE queue SET synced_at = now() - interval '1000 seconds', due_at = now() + interval '1 h'
        WHERE name = 'a/b4';
      UPDATE queue SET failures = 3, failed_at = now() - interval '5 s', failure = 'no "route"\\'
        WHERE name = 'a/b5';
      INSERT INTO budget (key, resource, host, quota, remaining, ends_at, paused_until)
      VALUES ('0123456789abcdef', 'core', 'github.com', 5000, 4000, now() + interval '10 minutes',
        now() + interval '10 s'),
        ('fedcba9876543210', 'core', 'github.com', 5000, 4000, now() - interval '10 minutes', NULL);
      INSERT INTO budget_block VALUES ('0123456789abcdef', 'core', 7, 9, now() + interval '1 s');
      INSERT INTO feed (host, owner_key, owner, due_at, news_confirmed)
      VALUES ('github.com', 'a', 'A', now(), 20), ('github.com', 'b', 'b', now(), 19)
      """)
    var status = try await scene.mirror.workerStatus()
    #expect((status.repositories, status.neverSynced) == (5, 1))
    #expect(status.due == 3)
    #expect(try #require(status.medianAge) < .seconds(900))
    #expect(try #require(status.age95) > .seconds(900))
    #expect(status.held.map(\.repository) == [held.name])
    #expect(status.held.map(\.holder) == ["machine/1"])
    let failing = try #require(status.failing.first)
    #expect((failing.repository, failing.failures) == ("a/b5", 3))
    #expect(failing.reason == #"no "route"\"#)
    #expect(status.budgets.map(\.token) == ["01234567", "fedcba98"])
    #expect(status.budgets.map(\.remaining) == [4000, 5000])
    #expect(status.budgets.map(\.reserved) == [9, 0])
    #expect(status.budgets[0].pausedFor > .zero && status.budgets[1].pausedFor == .zero)

    #expect(status.ages.map(\.repository) == ["a/b1", "a/b2", "a/b3", "a/b4"])
    status.ages = [.init(host: "github.com", repository: "a/\"b", age: .seconds(90))]
    var worker = WorkerStatus.Worker(
      host: "github.com", name: "machine/1", age: .seconds(60), seenAgo: .seconds(1),
      pausedFor: .zero)
    status.workers = [worker]
    (worker.name, worker.pause, worker.pausedFor) = ("machine/2", "no space left", .seconds(9))
    status.workers.append(worker)
    status.failing[0].repository = "a/\"b\\5"
    status.budgets.removeLast()
    (status.medianAge, status.age95) = (.seconds(100.5), .seconds(1000))
    status.longestWait = .seconds(3)
    status.budgets[0].renewedIn = .seconds(600)
    status.budgets[0].pausedFor = .zero
    #expect(status.metrics == Self.metrics)
  }

  private static let metrics = #"""
    # HELP issues_queue_repositories Repositories in the queue.
    # TYPE issues_queue_repositories gauge
    issues_queue_repositories 5
    # HELP issues_queue_due Repositories that are due and not taken.
    # TYPE issues_queue_due gauge
    issues_queue_due 3
    # HELP issues_queue_held Repositories that workers are syncing.
    # TYPE issues_queue_held gauge
    issues_queue_held 1
    # HELP issues_queue_never_synced Repositories that were never fully synced.
    # TYPE issues_queue_never_synced gauge
    issues_queue_never_synced 1
    # HELP issues_queue_failing Repositories whose last sync failed.
    # TYPE issues_queue_failing gauge
    issues_queue_failing 1
    # HELP issues_queue_longest_wait_seconds How long the first due repository has waited.
    # TYPE issues_queue_longest_wait_seconds gauge
    issues_queue_longest_wait_seconds 3
    # HELP issues_queue_age_seconds Time since the last sync of a repository.
    # TYPE issues_queue_age_seconds gauge
    issues_queue_age_seconds{quantile="0.5"} 100.5
    issues_queue_age_seconds{quantile="0.95"} 1000
    # HELP issues_repository_age_seconds Time since the last sync of each repository.
    # TYPE issues_repository_age_seconds gauge
    issues_repository_age_seconds{host="github.com",repository="a/\"b"} 90
    # HELP issues_workers Workers that are alive.
    # TYPE issues_workers gauge
    issues_workers 2
    # HELP issues_worker_paused Whether a worker pauses, and why: a limit, a full disk, an outage.
    # TYPE issues_worker_paused gauge
    issues_worker_paused{host="github.com",worker="machine/1",reason=""} 0
    issues_worker_paused{host="github.com",worker="machine/2",reason="no space left"} 1
    # HELP issues_repository_failures Failed syncs of a repository in a row.
    # TYPE issues_repository_failures gauge
    issues_repository_failures{host="github.com",repository="a/\"b\\5"} 3
    # HELP issues_budget_quota Requests in a window.
    # TYPE issues_budget_quota gauge
    issues_budget_quota{host="github.com",token="01234567",resource="core"} 5000
    # HELP issues_budget_remaining Requests that are left and not reserved.
    # TYPE issues_budget_remaining gauge
    issues_budget_remaining{host="github.com",token="01234567",resource="core"} 4000
    # HELP issues_budget_reserved Requests that workers have reserved.
    # TYPE issues_budget_reserved gauge
    issues_budget_reserved{host="github.com",token="01234567",resource="core"} 9
    # HELP issues_budget_renewed_in_seconds Time until the window ends.
    # TYPE issues_budget_renewed_in_seconds gauge
    issues_budget_renewed_in_seconds{host="github.com",token="01234567",resource="core"} 600
    # HELP issues_budget_paused_seconds Time until requests are allowed.
    # TYPE issues_budget_paused_seconds gauge
    issues_budget_paused_seconds{host="github.com",token="01234567",resource="core"} 0
    # HELP issues_feed_complete Whether an organization's list of changes was found to be complete.
    # TYPE issues_feed_complete gauge
    issues_feed_complete{host="github.com",organization="A"} 1
    issues_feed_complete{host="github.com",organization="b"} 0

    """#
}
