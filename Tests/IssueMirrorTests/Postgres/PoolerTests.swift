import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "A mirror behind PgBouncer", .enabled(if: PgBouncer.isInstalled, "\(PgBouncer.absence)"),
  .timeLimit(.minutes(5)))
struct PoolerTests {
  @Test(
    "sixteen processes at once store, read and claim through a pooler",
    arguments: PgBouncer.Mode.allCases)
  func sixteen(mode: PgBouncer.Mode) async throws {
    let (address, schema) = (try await PgBouncer.running(mode).address, PostgresServer.newSchema())
    let names = try (1...16).map { try #require(RepositoryName("a/b\($0)")) }
    let claims = try await withThrowingTaskGroup(of: [RepositoryClaim].self) { group in
      for (index, name) in names.enumerated() {
        group.addTask {
          let mirror = try await PostgresMirror(connecting: address, schema: schema)
          let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
          let repository = try await test.record(id: Int64(index + 1), name: "\(name)")
          try await mirror.enqueue([name], on: .github, reason: "a test")
          let queue = RepositoryQueue(mirror, host: GitHubServer.github.host)
          var claims: [RepositoryClaim] = []
          for page in 0..<6 {
            let issues = (1...20).map { GitHub.Issue.numbered(page * 20 + $0, "Crash \(index)") }
            try await test.keep(issues, of: repository)
            #expect(try await test.found("crash", in: repository).count == (page + 1) * 20)
            if let claim = try await queue.claim(for: .seconds(600), by: "\(index)") {
              claims.append(claim)
            }
          }
          var exported = 0
          for try await rows in mirror.export(of: repository) { exported += rows.count }
          #expect(exported == 120)
          return claims
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claims.count == 16 && Set(claims.map(\.name)) == Set(names.map { "\($0)" }))
  }

  @Test("a transaction leaves no setting behind on the pooler's connection")
  func settings() async throws {
    let mirror = try await PostgresMirror(
      connecting: try await PgBouncer.running(.transaction).address,
      schema: PostgresServer.newSchema())
    _ = try await mirror.writing { db in try db.rows("SELECT 1::bigint").count }
    // Outside of a transaction.
    let session = try await PostgresConnection.open(
      mirror.pool.address, schema: mirror.pool.schema)
    let settings = try await session.run { db in
      try db.rows(
        """
        SELECT name, setting FROM pg_settings
        WHERE source = 'session' AND name IN (
          'search_path', 'jit', 'lock_timeout', 'idle_in_transaction_session_timeout')
        """
      ).map { try $0.value(0) as String }
    }
    #expect(settings.isEmpty)
    let statements = try await session.run { db in
      try db.rows("SELECT name FROM pg_prepared_statements").count
    }
    #expect(statements == 0)
  }
}
