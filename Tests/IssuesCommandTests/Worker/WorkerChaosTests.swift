import PlatformModules
import TestSupport
import TestTraits
import Testing

extension CommandTests {
  @Suite(
    "issues worker under faults", .tags(.heavy),
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
    .timeLimit(.minutes(10)))
  struct WorkerChaosTests {
    private static let repositories = runsFullTests ? 60 : 8

    private static let workers = runsFullTests ? 8 : 3

    /// In this order, each after some requests of the others.
    private static let blows: [WorkerTeam.Blow] =
      runsFullTests ? [.kill, .stall, .crash, .restart, .kill, .stall, .kill] : [.crash, .kill]

    @Test("killed and stalled workers and database crashes delay syncs, and lose nothing")
    func chaos() async throws {
      let organization = ChangingOrganization(repositories: Self.repositories)
      try await PostgresServer.withServer { database in
        let scene = try await TeamScene(organization.github, in: database)
        try await withLoopbackServer(answering: organization.handler) { server in
          let team = WorkerTeam(scene, place: ["--api-url", server.url])
          let added = try await scene.run(
            ["worker", "add", "\(ChangingOrganization.owner)/*", "--api-url", server.url])
          #expect(added.lines == ["\(Self.repositories)\t\(Self.repositories)\tacme/*"])
          try await team.keepLog()
          try await team.start(Self.workers)
          for blow in Self.blows {
            try await organization.requests(Self.repositories)
            try await team.suffer(blow)
          }
          try await team.end()
          organization.settle()
          try await team.workOnce(Self.workers)
          try await Self.expectEverything(organization, team, server)
        }
      }
    }

    private static func expectEverything(
      _ organization: ChangingOrganization, _ team: WorkerTeam, _ server: LoopbackServer
    ) async throws {
      let left = try await team.psql(
        """
        SELECT name, failures, failure, due_at <= now(), lease FROM issues.queue
        WHERE failures > 0 OR due_at <= now() OR lease IS NOT NULL
        """)
      #expect(left.isEmpty, "not synced at the end: \(left)")
      for repository in organization.repositories {
        let kept = try await team.psql(
          """
          SELECT string_agg(convert_from(item.json, 'UTF8'), ',' ORDER BY created_at, number)
          FROM issues.item JOIN issues.repository ON repository.key = item.repository
          WHERE repository.full_name = '\(repository.fullName)'
          """)
        let served = try organization.list(of: repository, host: server.host)
        #expect(served.utf8.count > 1000)
        guard kept != served else { continue }
        let state = try await team.psql(
          """
          SELECT to_jsonb(repository) - 'json' FROM issues.repository
          WHERE full_name = '\(repository.fullName)'
          """)
        Issue.record(
          "\(repository.fullName) isn't what the server has: \(state)\n\(kept)\n\(served)")
      }
      #expect(organization.changes > (runsFullTests ? repositories : 0))

      // Each worker took a repository only after the previous lease had ended.
      let taken = try await team.psql(
        "SELECT count(*) FROM issues.claim_log WHERE before IS NOT NULL AND after IS NOT NULL")
      #expect(await Int(taken) ?? 0 >= team.taken)
      #expect(await team.taken >= blows.count { $0 == .stall })
      let early = try await team.psql(
        """
        SELECT * FROM issues.claim_log
        WHERE before IS NOT NULL AND after IS NOT NULL AND (ended_at IS NULL OR ended_at > at)
        """)
      #expect(early.isEmpty, "had two workers at once: \(early)")

      #expect(organization.refused == 0)
      #expect(organization.mostUsed <= organization.limit)
      // There were several windows, so that the limit mattered.
      if runsFullTests { #expect(organization.used > 2 * organization.limit) }
    }
  }
}
