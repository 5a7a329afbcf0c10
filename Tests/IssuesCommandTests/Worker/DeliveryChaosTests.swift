import PlatformModules
import TestSupport
import TestTraits
import Testing

extension CommandTests {
  @Suite(
    "issues worker under deliveries, a pooler and an update of the tables", .tags(.heavy),
    .enabled(if: PgBouncer.isInstalled, "\(PgBouncer.absence)"), .timeLimit(.minutes(10)))
  struct DeliveryChaosTests {
    private static let secret = "It's a Secret to Everybody"
    private static let repositories = (1...3).map {
      LoopbackRepository(
        id: $0, owner: "acme", name: "tool\($0)",
        issues: SyntheticIssues(count: 12, newest: 1_700_000_000))
    }
    private static let names = repositories.map(\.fullName)
    private static let rounds = runsFullTests ? 12 : 4

    /// A worker that listens.
    private struct Listener {
      let run: CommandRun
      let port: UInt16

      init(_ scene: TeamScene, _ place: [String], _ environment: [String: String]) async throws {
        run = try scene.start(
          ["worker", "--listen", "0", "--shortest", "1s", "--longest", "1s", "--lease", "6s"]
            + place,
          environment: environment.merging(["ISSUES_WEBHOOK_SECRET": secret]) { $1 })
        let said = try await run.waitFor("/metrics", on: .error)
        let address = try #require(said.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/metrics/))
        port = try #require(UInt16(address.output.1))
      }

      func deliver(_ delivery: DeliveryStorm.Delivery) async throws -> String {
        let connection = try await RawConnection(port: port)
        try await connection.send(
          """
          POST /webhook HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\
          Content-Type: application/json\r\nContent-Length: \(delivery.body.utf8.count)\r\nX-GitHub-Event: \(delivery.event)\r\n\
          X-Hub-Signature-256: \(WebhookSignature.of(delivery.body, secret: secret))\r\n\r\n\
          \(delivery.body)
          """)
        let answer = String(decoding: try await connection.receiveAll(), as: UTF8.self)
        await connection.close()
        return answer
      }
    }

    @Test(
      "the mirror ends equal to the server, item by item", arguments: runsFullTests ? 1...3 : 1...1)
    func chaos(seed: Int) async throws {
      let (ahead, requests) = (Watched(0), Watched(0))
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = Self.repositories
      configuration.now = { Date().addingTimeInterval(TimeInterval(ahead.read { $0 })) }
      let github = LoopbackGitHub(configuration)
      let scene = try await TeamScene(github, in: PostgresServer.running())
      let handler: LoopbackServer.Handler = { request in
        requests.update { $0 += 1 }
        return github.respond(to: request)
      }
      try await withLoopbackServer(answering: handler) { server in
        let place = ["--comments", "--api-url", server.url]
        let added = try await scene.run(
          ["worker", "add", "--api-url", server.url] + Self.names)
        #expect(added.status == .exited(0), "\(added.errorText)")
        try await WorkerTeam(scene, place: place).keepLog()
        let role = try await scene.makeRole(.writing)
        try await scene.server.psql(
          """
          SET search_path = issues; \(EarlierTables.version6);
          ALTER DEFAULT PRIVILEGES IN SCHEMA issues
            GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO \(role)
          """, in: scene.database)
        let pooler = try await PgBouncer.start(.transaction, before: scene.server, for: [role])
        let pooled = ["ISSUES_DATABASE": pooler.address(of: scene.database, as: role)]
        let team = WorkerTeam(scene, place: place, environment: pooled)
        try await team.start(2)
        var listener = try await Listener(scene, place, pooled)

        var storm = DeliveryStorm(github, Self.repositories, seed: UInt64(seed))
        var delivered = 0
        for round in 1...Self.rounds {
          for _ in 1...storm.dice.number(in: 5...15) {
            for delivery in storm.change() {
              let answer = try await listener.deliver(delivery)
              let isTaken = ["HTTP/1.1 200 ", "HTTP/1.1 202 "].contains { answer.hasPrefix($0) }
              #expect(isTaken, "round \(round): \(answer)")
              delivered += 1
            }
          }
          let (start, count) = (requests.read { $0 }, storm.dice.number(in: 3...12))
          try await requests.value { $0 >= start + count ? () : nil }
          if round == Self.rounds / 2 {
            #expect(try await Self.version(scene) == 6)
            let owner = try await scene.run(["sync", Self.names[0], "--api-url", server.url])
            #expect(owner.status == .exited(0), "\(owner.errorText)")
            #expect(try await Self.version(scene) ?? 0 > 6)
          }
          switch storm.dice.below(3) {
          case 0: try await team.suffer(.kill)
          case 1: try await team.suffer(.stall)
          default:
            listener.run.send(signal: SIGKILL)
            #expect(try await listener.run.result().status == .signalled(SIGKILL))
            listener = try await Listener(scene, place, pooled)
          }
        }
        #expect(delivered > 10)
        try await team.end()
        listener.run.send(signal: SIGTERM)
        #expect(try await listener.run.result().status == .exited(0))

        ahead.update { $0 += 7_200 }
        try await team.workOnce(1)
        for name in Self.names {
          let sync = try await scene.run(
            ["sync", name, "--verify"] + place, environment: pooled)
          #expect(sync.status == .exited(0), "\(sync.errorText)")
        }
        try await Self.expectEverything(github, scene, server)
        pooler.stop()
      }
    }

    private static func version(_ scene: TeamScene) async throws -> Int? {
      let text = try await scene.server.psql(
        "SELECT version FROM issues.mirror", in: scene.database)
      return Int(text.prefix { $0.isNumber })
    }

    private static func expectEverything(
      _ github: LoopbackGitHub, _ scene: TeamScene, _ server: LoopbackServer
    ) async throws {
      for repository in repositories {
        for (table, key, list) in [
          ("item", "number", "issues?state=all"), ("comment", "id", "issues/comments"),
        ] {
          let kept = try await scene.server.psql(
            """
            SELECT string_agg(convert_from(\(table).json, 'UTF8'), ',' ORDER BY \(table).created_at, \(table).\(key))
            FROM issues.\(table) JOIN issues.repository ON repository.key = \(table).repository
            WHERE repository.full_name = '\(repository.fullName)'
            """, in: scene.database)
          let served = try github.list(list, of: repository, host: server.host)
          #expect(served.utf8.count > 1000)
          // Deliveries name GitHub's own API, whatever server sends them.
          let (own, name) = ("http://\(server.host)", "https://api.github.com")
          #expect(
            kept.replacing(own, with: name) == served.replacing(own, with: name) + "\n",
            "\(repository.fullName), \(table)")
        }
      }
    }
  }
}
