import ConcurrencyPrimitives
import CurlTransport
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "A database that doesn't respond",
  .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
  .timeLimit(.minutes(5)))
struct SilentServerTests {
  /// Asks the server after a tenth of a second of silence.
  private static let patience = PostgresPatience(
    silence: .milliseconds(100), probe: .seconds(1))

  @Test("a statement takes as long as it needs if the server responds elsewhere")
  func longStatement() async throws {
    let mirror = try await PostgresMirror(
      connecting: try await PostgresServer.running().address, schema: PostgresServer.newSchema(),
      patience: Self.patience)
    let isDone: Bool? = try await mirror.reading { db in
      try db.first("SELECT pg_sleep(0.5)::text IS NOT NULL")?.value(0)
    }
    #expect(isDone == true)
  }

  @Test(
    "a statement fails if the server doesn't respond elsewhere, even if it is canceled",
    arguments: PgBouncer.isInstalled ? [false, true] : [false])
  func silence(isPooled: Bool) async throws {
    try await PostgresServer.withServer { server in
      let pooler = isPooled ? try await PgBouncer.start(.transaction, before: server) : nil
      defer { pooler?.stop() }
      let address = (pooler?.address ?? server.address) + " connect_timeout=2"
      let mirror = try await PostgresMirror(
        connecting: address, schema: "issues", patience: Self.patience)
      // Its tasks are canceled before the server is asked elsewhere.
      let other = try await PostgresMirror(
        connecting: address, schema: "issues",
        patience: PostgresPatience(silence: .seconds(600), probe: nil))
      try await server.whileSilent {
        var failure = await #expect(throws: MirrorFailure.self) {
          _ = try await mirror.repositories()
        }
        #expect(failure?.code == .cannotOpen)
        #expect(
          failure?.message.contains("the server doesn't respond") == true, "\(failure as Any)")
        let canceled = Task { try await other.repositories() }
        canceled.cancel()
        failure = await #expect(throws: MirrorFailure.self) { try await canceled.value }
        #expect(failure?.code == .cancelled)
      }
      // Its next connection is another one.
      #expect(try await mirror.repositories() == [])
    }
  }

  @Test("a worker pauses while its database is silent, continues afterwards, and shows its pause")
  func worker() async throws {
    let github = LoopbackGitHub(repositories: [
      LoopbackRepository(
        id: 1, owner: "team", name: "tool", issues: SyntheticIssues(count: 3))
    ])
    try await withLoopbackServer(answering: github.handler) { server in
      try await PostgresServer.withServer { database in
        let mirror = try await PostgresMirror(
          connecting: database.address + " connect_timeout=2", schema: "issues",
          patience: Self.patience)
        let host = try GitHubServer(apiURL: server.url)
        let name = try #require(RepositoryName("team/tool"))
        try await mirror.enqueue([name], on: host, reason: "a test")
        let events = Watched<[MirrorWorker.Event]>([])
        let worker = MirrorWorker(
          mirror: mirror,
          configuration: GitHub.Configuration(
            server: host, token: try AccessToken(SyncWorld.token),
            transport: CurlTransport(configuration: .init(certificates: CertificateStore()))),
          options: .init(repositories: 1, longestWait: .milliseconds(20)), name: "one")
        let work = Task { try await worker.run { event in events.update { $0.append(event) } } }
        func finished(_ count: Int) async throws {
          _ = try await events.value { events in
            events.count { if case .finished = $0 { true } else { false } } == count ? () : nil
          }
        }
        try await finished(1)
        #expect(try await mirror.workerStatus().workers.map(\.name) == ["one"])
        let reason = try await database.whileSilent {
          try await events.value { events in
            events.lazy.compactMap { if case .paused(let reason, _) = $0 { reason } else { nil } }
              .first
          }
        }
        #expect(reason.contains("the server doesn't respond"), "\(reason)")
        try await mirror.enqueue([name], on: host, reason: "a test")
        try await finished(2)

        // A full disk, as far as the worker can tell.
        try await database.psql(
          """
          CREATE FUNCTION issues.fail() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
          CREATE TRIGGER fail BEFORE UPDATE ON issues.repository EXECUTE FUNCTION issues.fail()
          """, in: "postgres")
        try await mirror.enqueue([name], on: host, reason: "a test")
        while try await mirror.workerStatus().workers.first?.pause?.contains("no space left")
          != true
        {
          await Task.yield()
        }
        let status = try await mirror.workerStatus()
        #expect(status.workers.allSatisfy { $0.pausedFor > .zero && $0.host == host.host })
        #expect(status.metrics.contains("\nissues_workers 1\n"))
        #expect(
          status.metrics.contains(
            /\nissues_worker_paused\{.*worker="one",reason=".*no space left.*"\} 1\n/),
          "\(status.metrics)")
        #expect(
          status.metrics.contains(#/\nissues_repository_age_seconds\{.*repository="team/tool"\} /#))
        work.cancel()
        try await work.value
        #expect(try await mirror.workerStatus().workers == [])
      }
    }
  }
}
