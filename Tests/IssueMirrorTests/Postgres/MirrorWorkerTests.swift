import ConcurrencyPrimitives
import CurlTransport
import GitHubAPI
import HTTPTargets
import PlatformModules
import ReactiveTesting
import TestSupport
import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "Workers of a team's mirror",
  .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
  .timeLimit(.minutes(5)))
struct MirrorWorkerTests {
  typealias Event = MirrorWorker.Event

  /// A GitHub with a few repositories, and a database that has them in its queue.
  private struct Scene: Sendable {
    let github: LoopbackGitHub
    let server: LoopbackServer
    let repositories: [LoopbackRepository]
    let ticks: SyncWorld.Ticks
    let schema: String
    /// The test's own connection.
    let mirror: PostgresMirror

    var host: GitHubServer { get throws { try GitHubServer(apiURL: server.url) } }

    func queue() throws -> RepositoryQueue { RepositoryQueue(mirror, host: try host.host) }

    func configuration(
      _ clock: any Clock<Duration> = ContinuousClock(), points: Int = 900
    ) throws -> GitHub.Configuration {
      GitHub.Configuration(
        server: try host, token: try AccessToken(SyncWorld.token), retries: nil,
        rateLimits: RateLimitInterceptor(pointsPerMinute: points),
        timeouts: Timeouts(scaledTo: .seconds(300)),
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())),
        clock: clock, now: { [ticks] in ticks.now() })
    }

    /// A worker with connections of its own, as on another machine.
    func worker(
      _ name: String = "worker", repositories: Int = 1, endsWhenIdle: Bool = true,
      clock: any Clock<Duration> = ContinuousClock(), points: Int = 900,
      organizations: [String] = []
    ) async throws -> MirrorWorker {
      MirrorWorker(
        mirror: try await PostgresMirror(
          connecting: try await PostgresServer.running().address, schema: schema),
        configuration: try configuration(clock, points: points),
        options: .init(
          repositories: repositories, endsWhenIdle: endsWhenIdle, organizations: organizations),
        name: name,
        now: { [ticks] in ticks.now() })
    }

    func run(_ sql: String) async throws {
      try await mirror.writing { db in try db.run(sql) }
    }

    /// Notes each lease that is taken from a worker before its end, in the same transaction. A worker's event of a
    /// return comes later, when another may have the repository.
    func watchLeases() async throws {
      try await run(
        """
        CREATE TABLE taken (name_key text);
        CREATE FUNCTION note_taken() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN INSERT INTO taken VALUES (old.name_key); RETURN new; END $$;
        CREATE TRIGGER note_taken AFTER UPDATE ON queue FOR EACH ROW
          WHEN (new.lease IS NOT NULL AND old.lease <> new.lease
            AND old.lease_ends_at > clock_timestamp())
          EXECUTE FUNCTION note_taken()
        """)
    }

    func takenLeases() async throws -> Int? {
      try await value("SELECT count(*) FROM taken")
    }

    func value<Value: PostgresDecodable & Sendable>(_ sql: PostgresSQL) async throws -> Value? {
      try await mirror.reading { db in try db.first(sql)?.value(0) }
    }

    /// The repository as it is kept.
    func kept(_ repository: LoopbackRepository) async throws -> MirroredRepository? {
      try await mirror.repositories().first { $0.serverID == Int64(repository.id) }
    }

    func count(_ repository: LoopbackRepository) async throws -> Int {
      guard let kept = try await kept(repository) else { return 0 }
      return try await mirror.count(.items, of: kept)
    }
  }

  private static func withScene(
    repositories count: Int = 1, items: Int = 30,
    hold: @escaping @Sendable (LoopbackRequest) async -> Void = { _ in },
    limit: Int? = nil, acceptedTokens: Set<String>? = nil,
    answered: @escaping @Sendable (LoopbackResponse) -> Void = { _ in },
    perform body: (Scene) async throws -> Void
  ) async throws {
    let ticks = SyncWorld.Ticks()
    let repositories = (1...count).map { number in
      LoopbackRepository(
        id: 1000 + number, owner: "team", name: "repository\(number)",
        issues: SyntheticIssues(count: items + number))
    }
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = repositories
    configuration.now = { ticks.now() }
    (configuration.rateLimit, configuration.acceptedTokens) = (limit, acceptedTokens)
    let github = LoopbackGitHub(configuration)
    let handler: LoopbackServer.Handler = { request in
      await hold(request)
      let response = github.respond(to: request)
      answered(response)
      return response
    }
    try await withLoopbackServer(answering: handler) { server in
      let schema = PostgresServer.newSchema()
      let mirror = try await PostgresMirror(
        connecting: try await PostgresServer.running().address, schema: schema)
      let scene = Scene(
        github: github, server: server, repositories: repositories, ticks: ticks, schema: schema,
        mirror: mirror)
      try await mirror.enqueue(
        repositories.compactMap { RepositoryName($0.fullName) }, on: try scene.host,
        reason: "a test")
      try await body(scene)
    }
  }

  /// The events that workers reported, in order.
  private struct Events: Sendable {
    private let events = Watched<[Event]>([])
    /// The workers that wait for a limit, or have ended.
    private let resting = Watched<Set<String>>([])

    var all: [Event] { events.current }

    func note(_ worker: String) -> @Sendable (Event) -> Void {
      { event in
        events.update { $0.append(event) }
        if case .paused = event { rest(worker) }
      }
    }

    func rest(_ worker: String) {
      resting.update { _ = $0.insert(worker) }
    }

    func waitForRest(of count: Int) async throws {
      try await resting.value { $0.count == count ? () : nil }
    }

    var claimed: [String] {
      all.compactMap { if case .claimed(let name, _, _) = $0 { name } else { nil } }
    }

    var finished: [String] {
      all.compactMap { if case .finished(let name, _, _) = $0 { name } else { nil } }
    }

    var reports: [SyncReport] {
      all.compactMap { if case .finished(_, let report, _) = $0 { report } else { nil } }
    }
  }

  private static func isPage(_ request: LoopbackRequest) -> Bool {
    request.path.hasSuffix("/issues") && request.queryValue("per_page") == "100"
  }

  @Test("eight workers sync thirty repositories once each, and none of them concurrently")
  func crew() async throws {
    try await Self.withScene(repositories: 30) { scene in
      try await scene.watchLeases()
      let events = Events()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...8 {
          let worker = try await scene.worker("worker \(number)")
          group.addTask { try await worker.run(onEvent: events.note(worker.name)) }
        }
        try await group.waitForAll()
      }
      let names = scene.repositories.map(\.fullName).sorted()
      #expect(events.claimed.sorted() == names)
      #expect(events.finished.sorted() == names)
      #expect(try await scene.takenLeases() == 0)
      for repository in scene.repositories {
        #expect(try await scene.count(repository) == repository.issues.count)
      }
      // All of them are due later, and no lease is left.
      let status = try await scene.mirror.workerStatus()
      #expect((status.repositories, status.due, status.neverSynced) == (30, 0, 0))
      #expect(status.held == [] && status.failing == [])
      #expect(status.budgets.map(\.reserved) == [0])
      let holders: Int? = try await scene.value(
        "SELECT count(*) FROM queue WHERE lease IS NOT NULL OR holder IS NOT NULL")
      #expect(holders == 0)
    }
  }

  @Test("a crashed worker's sync continues where it stopped, once its lease ends")
  func died() async throws {
    try await Self.withScene(items: 1_500) { scene in
      let repository = scene.repositories[0]
      let claim = try #require(
        try await scene.queue().claim(for: .seconds(120), by: "dead"))
      // It stops in the middle, without a word: its connections are closed.
      let provider = Provider.gitHub(try scene.configuration())
      let (server, ticks) = (try scene.host, scene.ticks)
      let isEnough = Gate()
      let name = try #require(RepositoryName(claim.name))
      let dead = Task {
        try await RepositorySync(
          mirror: scene.mirror, provider: provider, server: server, name: name,
          options: .init(jobs: 1), now: { ticks.now() }
        ).run { progress in
          if progress.stored >= 700 { isEnough.open() }
        }
      }
      await isEnough.wait()
      dead.cancel()
      _ = await dead.result
      let before = try await scene.count(repository)
      #expect(before >= 700 && before < repository.issues.count)

      // No worker takes it before.
      let events = Events()
      let worker = try await scene.worker()
      try await worker.run(onEvent: events.note("worker"))
      #expect(events.all == [])
      try await scene.run("UPDATE queue SET lease_ends_at = now() - interval '1 millisecond'")
      try await worker.run(onEvent: events.note("worker"))
      #expect(
        events.all.first == .claimed(repository.fullName, reason: "a test", wasAbandoned: true))
      #expect(events.finished == [repository.fullName])
      #expect(try await scene.count(repository) == repository.issues.count)
      let report = try #require(events.reports.first)
      #expect(report.inserted == repository.issues.count - before)
      #expect(report.unchanged < 300)
      #expect(try await !scene.queue().giveBack(claim))
    }
  }

  @Test("a stopping worker stores its pending pages, returns its claim and sends no more requests")
  func stopped() async throws {
    let pages = Watched(0)
    let gate = Gate()
    let hold: @Sendable (LoopbackRequest) async -> Void = { request in
      guard Self.isPage(request) else { return }
      let number = pages.update { count in
        count += 1
        return count
      }
      if number > 4 { await gate.wait() }
    }
    try await Self.withScene(items: 2_000, hold: hold) { scene in
      let repository = scene.repositories[0]
      let events = Events()
      let worker = try await scene.worker(endsWhenIdle: false)
      let task = Task { try await worker.run(onEvent: events.note("worker")) }
      _ = try await pages.value { $0 > 4 ? () : nil }
      task.cancel()
      let before = try await scene.count(repository)
      let requests = scene.server.log.requestCount
      gate.open()
      try await task.value
      #expect(events.all.last == .gaveBack(repository.fullName))
      #expect(events.finished == [])
      #expect(try await scene.count(repository) > before)
      // Those that were under way, whose arrival was not noted yet.
      #expect(scene.server.log.requestCount <= requests + 4)
      #expect(
        scene.server.log.entries.allSatisfy { $0.outcome == .answered },
        "\(scene.server.log.entries.map(\.outcome))")
      let holders: Int? = try await scene.value(
        "SELECT count(*) FROM queue WHERE lease IS NOT NULL OR holder IS NOT NULL")
      #expect(holders == 0)
      #expect(try await scene.mirror.workerStatus().budgets.map(\.reserved) == [0])

      // The next one has all but the rest.
      let others = Events()
      try await scene.worker().run(onEvent: others.note("other"))
      #expect(
        others.all.first == .claimed(repository.fullName, reason: "a test", wasAbandoned: false))
      #expect(others.finished == [repository.fullName])
      #expect(try await scene.count(repository) == repository.issues.count)
    }
  }

  @Test("a stopping worker doesn't wait for a silent server")
  func grace() async throws {
    let gate = Gate()
    let hold: @Sendable (LoopbackRequest) async -> Void = { _ in await gate.wait() }
    try await Self.withScene(hold: hold) { scene in
      let clock = TestClock()
      let events = Events()
      let worker = try await scene.worker(endsWhenIdle: false, clock: clock)
      let task = Task { try await worker.run(onEvent: events.note("worker")) }
      try await scene.server.log.waitForRequest()
      task.cancel()
      try await clock.nextDeadline(in: worker.options.grace)
      clock.advance(by: worker.options.grace)
      try await task.value
      #expect(events.all.last == .gaveBack(scene.repositories[0].fullName))
      let holders: Int? = try await scene.value(
        "SELECT count(*) FROM queue WHERE holder IS NOT NULL")
      #expect(holders == 0)
    }
  }

  @Test("a lease is renewed during a sync, and a worker that loses its lease stops")
  func lostLease() async throws {
    let gate = Gate()
    let hold: @Sendable (LoopbackRequest) async -> Void = { request in
      if Self.isPage(request) { await gate.wait() }
    }
    try await Self.withScene(hold: hold) { scene in
      let clock = TestClock()
      let events = Events()
      let worker = try await scene.worker(clock: clock)
      let task = Task { try await worker.run(onEvent: events.note("worker")) }
      try await scene.server.log.waitForRequest(where: Self.isPage)
      let third = worker.options.lease / 3
      try await scene.run("UPDATE queue SET lease_ends_at = now() + interval '5 seconds'")
      try await clock.nextDeadline(in: third)
      clock.advance(by: third)
      let isRenewed: PostgresSQL = """
        SELECT lease_ends_at > now() + interval '60 seconds' FROM queue
        """
      while try await scene.value(isRenewed) != true { await Task.yield() }

      // Another worker has it.
      try await clock.nextDeadline(in: third)
      try await scene.run("UPDATE queue SET lease_ends_at = now() - interval '1 millisecond'")
      let thief = try #require(try await scene.queue().claim(for: .seconds(120), by: "thief"))
      clock.advance(by: third)
      try await task.value
      #expect(events.all.last == .lostLease(scene.repositories[0].fullName))
      #expect(events.finished == [])
      #expect(try await scene.queue().renew(thief, for: .seconds(120)))
      gate.open()
    }
  }

  @Test("a failing repository is retried later and doesn't delay others")
  func failures() async throws {
    try await Self.withScene(repositories: 3) { scene in
      let missing = try #require(RepositoryName("team/missing"))
      try await scene.mirror.enqueue(
        [missing], on: try scene.host, reason: "a mistake", priority: 9)
      let events = Events()
      try await scene.worker().run(onEvent: events.note("worker"))
      #expect(events.finished.count == 3)
      let status = try await scene.mirror.workerStatus()
      let failing = try #require(status.failing.first)
      #expect((failing.repository, failing.failures) == ("team/missing", 1))
      #expect(failing.reason.contains("404"), "\(failing.reason)")
      #expect(failing.dueIn > .seconds(30))
      guard case .failed("team/missing", _, .seconds(60))? = events.all.dropFirst().first else {
        Issue.record("\(events.all)")
        return
      }
    }
  }

  @Test("concurrent syncs that fail for the same reason pause a worker once, and longer each time")
  func outage() async throws {
    try await Self.withScene(repositories: 4) { scene in
      let (clock, events) = (TestClock(), Watched<[Event]>([]))
      await scene.server.stop()
      let worker = try await scene.worker(repositories: 4, endsWhenIdle: false, clock: clock)
      let work = Task { try await worker.run { event in events.update { $0.append(event) } } }
      @Sendable func pauses(_ events: [Event]) -> [Duration] {
        events.compactMap { if case .paused(_, let time) = $0 { time } else { nil } }
      }
      let first = try await events.value { events in
        let returned = events.count { if case .gaveBack = $0 { true } else { false } }
        return returned >= 4 ? pauses(events) : nil
      }
      #expect(first == [.seconds(1)])
      while pauses(events.current).count < 3 {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
      #expect(pauses(events.current).starts(with: [.seconds(1), .seconds(2), .seconds(4)]))
      work.cancel()
      try await work.value
    }
  }

  @Test("a refused token ends a worker without failing a repository")
  func refusedToken() async throws {
    try await Self.withScene(repositories: 3, acceptedTokens: ["other"]) { scene in
      let events = Events()
      let worker = try await scene.worker(repositories: 2, endsWhenIdle: false)
      let failure = await #expect(throws: NetworkError.self) {
        try await worker.run(onEvent: events.note("worker"))
      }
      #expect(failure?.response?.status == .unauthorized)
      let status = try await scene.mirror.workerStatus()
      #expect((status.due, status.held, status.failing) == (3, [], []))
    }
  }

  @Test("eight workers stay within the server's limit, and continue in the next window")
  func budget() async throws {
    let limit = 100
    let counts = Watched((served: 0, refused: 0))
    let answered: @Sendable (LoopbackResponse) -> Void = { response in
      counts.update { counts in
        if [403, 429].contains(response.status) { counts.refused += 1 } else { counts.served += 1 }
      }
    }
    try await Self.withScene(repositories: 40, limit: limit, answered: answered) { scene in
      try await scene.watchLeases()
      var finished: Set<String> = []
      var windows = 0
      while finished.count < scene.repositories.count, windows < 12 {
        windows += 1
        counts.update { $0.served = 0 }
        let events = Events()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 1...8 {
            let worker = try await scene.worker("worker \(number)", repositories: 2)
            group.addTask {
              try await worker.run(onEvent: events.note(worker.name))
              events.rest(worker.name)
            }
          }
          try await events.waitForRest(of: 8)
          group.cancelAll()
          try await group.waitForAll()
        }
        #expect(try await scene.takenLeases() == 0)
        finished.formUnion(events.finished)
        #expect(counts.current.refused == 0)
        #expect(counts.current.served <= limit)
        if finished.count < scene.repositories.count { #expect(counts.current.served > limit / 2) }
        // The next window, by the server's clock and by the database's.
        scene.ticks.pass(3_600)
        try await scene.run("UPDATE budget SET ends_at = now() - interval '2 seconds'")
      }
      #expect(finished.count == scene.repositories.count)
      #expect(windows > 1)
      let reserved: Int? = try await scene.value("SELECT count(*) FROM budget_block")
      #expect(reserved == 0)
    }
  }

  @Test("eight workers together send no more per minute than one worker may")
  func points() async throws {
    let most = 24
    let arrivals = Watched(0)
    let hold: @Sendable (LoopbackRequest) async -> Void = { _ in arrivals.update { $0 += 1 } }
    try await Self.withScene(repositories: 12, hold: hold) { scene in
      let events = Events()
      var minutes: [Int] = []
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...8 {
          let worker = try await scene.worker("worker \(number)", points: most)
          group.addTask { try await worker.run(onEvent: events.note(worker.name)) }
        }
        while events.finished.count < scene.repositories.count, minutes.count < 40 {
          // Each asks several times, and sends nothing more.
          let version: PostgresSQL = "SELECT max(xmin::text::bigint) FROM budget"
          var (last, refusals, arrived) = (Int64(0), 0, -1)
          while refusals < 24, events.finished.count < scene.repositories.count {
            let present: Int64 = try await scene.value(version) ?? 0
            if present != last { refusals += 1 } else { await Task.yield() }
            last = present
            if arrivals.current != arrived { (arrived, refusals) = (arrivals.current, 0) }
          }
          minutes.append(
            arrivals.update { count in
              defer { count = 0 }
              return count
            })
          // A minute and a slot later.
          try await scene.run("UPDATE budget_spending SET slot = slot - 13")
        }
        try await group.waitForAll()
      }
      #expect(events.finished.count == scene.repositories.count)
      #expect(minutes.allSatisfy { $0 <= most }, "\(minutes)")
      #expect(minutes.count > 2 && minutes.max() == most, "\(minutes)")
      let reserved: Int? = try await scene.value("SELECT count(*) FROM budget_block")
      #expect(reserved == 0)
    }
  }

  @Test("an organization's list makes changed repositories due, and a 304 response costs nothing")
  func feed() async throws {
    try await Self.withScene(repositories: 6) { scene in
      func run(isTime: Bool = true) async throws -> [String] {
        if isTime { try await scene.run("UPDATE feed SET due_at = now()") }
        let events = Events()
        try await scene.worker(organizations: ["TEAM"]).run(onEvent: events.note("worker"))
        return events.finished.sorted()
      }
      func questions() -> Int {
        scene.server.log.entries.count { $0.request.path.hasPrefix("/orgs/") }
      }
      #expect(try await run().count == 6)
      #expect(try await run() == [])
      #expect(questions() == 2)

      let now = Int(scene.ticks.now().timeIntervalSince1970)
      for index in [1, 4] {
        scene.github.changeIssue(3, of: scene.repositories[index]) { $0.updatedAt = now }
      }
      // Another worker has just asked.
      #expect(try await run(isTime: false) == [])
      #expect(questions() == 2)
      let changed = ["team/repository2", "team/repository5"]
      #expect(try await run() == changed)
      // The sync may have asked just before the change. Then there is nothing new.
      #expect(try await run() == changed)
      let before = try await scene.mirror.workerStatus()
      #expect(try await run() == [])
      #expect(try await run() == [])
      #expect(questions() == 6)
      let after = try await scene.mirror.workerStatus()
      #expect(before.budgets.map(\.remaining) == after.budgets.map(\.remaining))
      #expect(after.feeds.map(\.hints) == [4] && after.feeds.map(\.failure) == [nil])

      // A failed repository waits for its retry time.
      scene.github.changeIssue(4, of: scene.repositories[0]) {
        $0.updatedAt = Int(scene.ticks.now().timeIntervalSince1970) + 1
      }
      try await scene.run("UPDATE queue SET failures = 1")
      #expect(try await run() == [])
    }
  }

  @Test("all pages of an organization's changes are read, and an unavailable list is reported")
  func longFeed() async throws {
    try await Self.withScene(repositories: 3, items: 150) { scene in
      let worker = try await scene.worker(organizations: ["team", "nobody"])
      try await worker.run()
      let now = Int(scene.ticks.now().timeIntervalSince1970)
      for repository in scene.repositories {
        for number in 1...90 {
          scene.github.changeIssue(number, of: repository) {
            $0.updatedAt = now + repository.id - 1000
          }
        }
      }
      try await scene.run("UPDATE feed SET due_at = now()")
      let events = Events()
      try await worker.run(onEvent: events.note("worker"))
      #expect(events.finished.count == 3)
      let feeds = try await scene.mirror.workerStatus().feeds
      #expect(feeds.map(\.organization) == ["nobody", "team"])
      #expect(feeds.first?.failure?.contains("404") == true && feeds.first?.askedAgo == nil)
      #expect(feeds.last?.failure == nil && feeds.last?.askedAgo != nil)
    }
  }

  /// A worker that asks for the list of its organization, and repositories whose news the list tells.
  private struct ListedScene {
    let scene: Scene
    let worker: MirrorWorker
    private let start: Int

    init(_ scene: Scene) async throws {
      self.scene = scene
      worker = try await scene.worker(organizations: ["team"])
      start = Int(scene.ticks.now().timeIntervalSince1970)
      try await run()
      // The second time, a repository's newest change is known.
      try await run(due: "true")
    }

    /// Lets one change at a time, in seconds since the start.
    func change(_ repository: Int, at time: Int) {
      scene.github.changeIssue(1, of: scene.repositories[repository - 1]) {
        $0.updatedAt = start + time
      }
    }

    /// Runs once, with what is due, and what fulfils a condition.
    func run(due condition: String = "false") async throws {
      try await scene.run(
        """
        UPDATE queue SET due_at = now() - interval '1 hour' WHERE \(condition);
        UPDATE feed SET due_at = now()
        """)
      try await worker.run()
    }

    /// Lets the list be read from after a time on: what has changed until then it doesn't have.
    func skip(to time: Int) async throws {
      try await scene.run("UPDATE feed SET since = \(start + time + 1), entity_tag = NULL")
    }

    func feed() async throws -> WorkerStatus.Feed {
      try #require(try await scene.mirror.workerStatus().feeds.first)
    }

    /// In minutes, by name.
    func dueIn() async throws -> [Int] {
      try await scene.mirror.reading { db in
        try db.column(
          """
          SELECT round(extract(epoch FROM due_at - now()) / 60)::bigint FROM queue
          ORDER BY name_key
          """)
      }
    }
  }

  @Test("after twenty changes in an organization's list, its repositories rely on the list")
  func completeFeed() async throws {
    try await Self.withScene(repositories: 3) { scene in
      let listed = try await ListedScene(scene)
      for time in 1...20 {
        #expect(try await listed.feed().newsConfirmed == time - 1)
        #expect(try await !listed.feed().isComplete)
        listed.change(1, at: 100 * time)
        try await listed.run()
      }
      #expect(try await listed.feed().isComplete)
      #expect(try await listed.dueIn()[0] == 360)
      #expect(try await listed.dueIn()[1...].allSatisfy { $0 <= 30 })
      // Also what never had news itself. What is listed is due at once all the same.
      try await listed.run(due: "name LIKE '%3'")
      #expect(try await listed.dueIn()[2] == 360)
      let hints = try await listed.feed().hints
      listed.change(3, at: 2100)
      try await listed.run()
      #expect(try await listed.feed().hints > hints)
      #expect(try await listed.dueIn()[2] == 360)

      // Nobody has asked for a while.
      try await scene.run("UPDATE feed SET asked_at = now() - interval '1 hour'")
      try await scene.run("UPDATE queue SET due_at = now()")
      try await scene.worker().run()
      #expect(try await listed.dueIn().allSatisfy { $0 <= 30 })
    }
  }

  @Test("a change listed during a repository's sync makes it due again afterwards")
  func newsDuringSync() async throws {
    try await Self.withScene { scene in
      let listed = try await ListedScene(scene)
      let queue = try scene.queue()
      for (isChanged, due) in [(true, Duration.zero), (false, .seconds(3600))] {
        try await scene.run("UPDATE queue SET due_at = now()")
        let claim = try #require(try await queue.claim(for: .seconds(120), by: "another"))
        if isChanged { listed.change(1, at: 100) }
        try await listed.run()
        #expect(
          try await queue.finish(claim, as: claim.name, claim.pace, dueIn: .seconds(3600)) == due)
      }
    }
  }

  @Test(
    "a change missing from an organization's list ends the reliance on it, unless it may still arrive"
  )
  func incompleteFeed() async throws {
    try await Self.withScene(repositories: 3) { scene in
      let listed = try await ListedScene(scene)
      try await scene.run("UPDATE feed SET news_confirmed = 20")
      try await listed.run(due: "true")
      #expect(try await listed.dueIn() == [360, 360, 360])
      listed.change(2, at: 100)
      try await listed.skip(to: 100)
      listed.change(1, at: 130)
      try await listed.run(due: "name LIKE '%2'")
      #expect(try await listed.feed().isComplete)
      #expect(try await listed.dueIn() == [360, 360, 360])

      listed.change(2, at: 200)
      try await listed.skip(to: 200)
      listed.change(1, at: 300)
      try await listed.run(due: "name LIKE '%2'")
      #expect(try await listed.dueIn().allSatisfy { $0 <= 30 })
      var feed = try await listed.feed()
      #expect((feed.newsConfirmed, feed.unlisted, feed.isComplete) == (1, 1, false))
      // Others are left to the list again, after twenty more, and this one when it is in it.
      try await scene.run("UPDATE feed SET news_confirmed = 20")
      try await listed.run(due: "true")
      #expect(try await listed.dueIn().map { $0 == 360 } == [true, false, true])
      listed.change(2, at: 400)
      try await listed.run()
      feed = try await listed.feed()
      #expect((feed.unlisted, feed.isComplete) == (0, true))
      #expect(try await listed.dueIn() == [360, 360, 360])

      // A list that can't be had tells nothing.
      try await OrganizationFeed(
        mirror: scene.mirror, host: try scene.host.host, organization: "TEAM",
        provider: Provider.gitHub(try scene.configuration()), longestInterval: .seconds(1800)
      ).fail("gone")
      #expect(try await listed.dueIn().allSatisfy { $0 <= 30 })
      #expect(try await !listed.feed().isComplete)
    }
  }

  @Test("an unchanged repository costs nothing, and the database contains no token")
  func unchanged() async throws {
    try await Self.withScene(limit: 100) { scene in
      let worker = try await scene.worker()
      try await worker.run()
      try await scene.run("UPDATE queue SET due_at = now()")
      try await worker.run()
      let before = try await scene.mirror.workerStatus().budgets
      let requests = scene.server.log.requestCount
      for _ in 1...5 {
        try await scene.run("UPDATE queue SET due_at = now()")
        try await worker.run()
      }
      #expect(scene.server.log.requestCount > requests)
      let after = try await scene.mirror.workerStatus().budgets
      #expect(before.map(\.remaining) == after.map(\.remaining))
      #expect(after.map(\.quota) == [100])
      let rows: String? = try await scene.value(
        "SELECT string_agg(budget::text, ' ') || string_agg(queue::text, ' ') FROM budget, queue")
      #expect(try #require(rows).contains("core"))
      #expect(try !#require(rows).contains(SyncWorld.token))
    }
  }
}
