import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite(
    "issues worker --listen",
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"), .timeLimit(.minutes(5)))
  struct WorkerListenerTests {
    private static let secret = "It's a Secret to Everybody"
    private static let repository = LoopbackRepository(
      id: 7, owner: "acme", name: "tool", issues: SyntheticIssues(count: 20, newest: 1_700_000_000))

    /// A worker that listens, with a synced repository.
    private struct Listener: Sendable {
      let scene: TeamScene
      let run: CommandRun
      let port: UInt16
      let place: [String]

      init(
        _ scene: TeamScene, _ server: LoopbackServer, _ words: [String] = [],
        environment: [String: String] = ["ISSUES_WEBHOOK_SECRET": secret]
      ) async throws {
        self.scene = scene
        place = ["--api-url", server.url]
        _ = try await scene.run(["worker", "add", "acme/tool"] + place)
        run = try IssuesProgram.start(
          ["worker", "--listen", "0", "--comments"] + words + place,
          environment: scene.mirror.environment.merging(scene.environment) { $1 }
            .merging(environment) { $1 }, isProcess: true)
        let said = try await run.waitFor("/metrics", on: .error)
        let address = try #require(said.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/metrics/))
        port = try #require(UInt16(address.output.1))
        _ = try await run.waitFor("finished")
      }

      /// The response to a request that is sent as it is.
      func ask(_ head: String, _ body: String = "", host: String? = nil) async throws -> String {
        let connection = try await RawConnection(port: port)
        try await connection.send(
          "\(head)\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\r\n\(body)")
        let answer = String(decoding: try await connection.receiveAll(), as: UTF8.self)
        await connection.close()
        return answer
      }

      /// The status of a delivery.
      func deliver(
        _ body: String, event: String = "issues", signature: String? = nil,
        contentType: String = "application/json"
      ) async throws -> Int {
        let signature = signature ?? WebhookSignature.of(body, secret: secret)
        let answer = try await ask(
          """
          POST /webhook HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\
          Content-Type: \(contentType)\r\nX-GitHub-Event: \(event)\r\nX-Hub-Signature-256: \(signature)
          """, body)
        return try #require(answer.firstMatch(of: /^HTTP\/1.1 (\d+)/).flatMap { Int($0.output.1) })
      }

      /// The numbers that a search of the mirror finds.
      func found(_ words: String) async throws -> [String] {
        let result = try await scene.run(["search", words, "-R", "acme/tool"] + place)
        return result.lines.compactMap {
          $0.split(separator: "\t").dropFirst().first.map(String.init)
        }
      }

      func end() async throws {
        run.send(signal: SIGTERM)
        #expect(try await run.result().status == .exited(0))
      }
    }

    @Test("a worker answers Prometheus and health checks, and a silent client delays nobody")
    func metrics() async throws {
      let scene = try await TeamScene([Self.repository])
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let listener = try await Listener(scene, server, environment: [:])
        let silent = try await RawConnection(port: listener.port)
        let slow = try await RawConnection(port: listener.port)
        try await slow.send("GET /metrics HT")
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 1...4 { group.addTask { try await listener.ask("GET /metrics?x HTTP/1.1") } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map { $0.prefix(15) }) == ["HTTP/1.1 200 OK"])
        let parts = try #require(answers.first?.split(separator: "\r\n\r\n", maxSplits: 1))
        #expect(parts[0].contains("Content-Length: \(parts[1].utf8.count)"), "\(parts)")
        #expect(parts[0].contains("Content-Type: text/plain; version=0.0.4"))
        #expect(parts[1].contains("\nissues_queue_repositories 1\n"))
        #expect(!parts[1].contains(IssuesProgram.token) && !parts[1].contains("webhook"))
        #expect(try await listener.ask("GET /healthz HTTP/1.1").hasSuffix("\r\n\r\nok\n"))
        // Both are ended.
        #expect(try await silent.receiveAll().isEmpty)
        #expect(try await slow.receiveAll().isEmpty)

        for (head, host, status) in [
          ("GET /metrics HTTP/1.1", "localhost:9464", 200), ("GET /metrics HTTP/1.1", "[::1]", 200),
          ("GET /metrics HTTP/1.1", "evil.example", 403),
          ("GET /healthz HTTP/1.1", "localhost.evil.example", 403),
          ("GET / HTTP/1.1", "localhost", 404),
          ("POST /metrics HTTP/1.1", "localhost", 405),
          // Without a secret, there are no webhooks.
          ("POST /webhook HTTP/1.1", "localhost", 404),
        ] {
          let answer = try await listener.ask(head, host: host)
          #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(head) \(host) \(answer)")
        }
        let again = try await scene.run(
          ["worker", "--once", "--listen", "127.0.0.1:\(listener.port)"] + listener.place)
        again.expectFailure(
          1, saying: ["can't listen on 127.0.0.1:\(listener.port)", "any free one"])
        try await listener.end()
        await #expect(throws: (any Error).self) { _ = try await RawConnection(port: listener.port) }
      }
    }

    @Test(
      "a delivery can be found before the repository is synced, and a deletion is there at once")
    func deliveries() async throws {
      let scene = try await TeamScene([Self.repository])
      let github = scene.mirror.github
      let (isHeld, gate) = (Watched(false), Gate())
      let handler: LoopbackServer.Handler = { request in
        if isHeld.current { await gate.wait() }
        return await github.handler(request)
      }
      try await withLoopbackServer(answering: handler) { server in
        let listener = try await Listener(scene, server)
        isHeld.update { $0 = true }
        let number = github.addIssue(to: Self.repository) {
          ($0.title, $0.updatedAt) = ("the zebra crosses", 1_800_000_000)
        }
        let opened = github.delivery("opened", issue: number, of: Self.repository)
        for signature in ["", "sha256=", "sha1=00", "sha256=" + String(repeating: "0", count: 64)] {
          #expect(try await listener.deliver(opened, signature: signature) == 401)
        }
        #expect(
          try await listener.deliver(
            opened + " ", signature: WebhookSignature.of(opened, secret: Self.secret)) == 401)
        #expect(try await listener.found("zebra").isEmpty)

        #expect(try await listener.deliver(opened) == 200)
        #expect(try await listener.found("zebra") == ["\(number)"])
        let index = try #require(
          github.addComment(on: number, of: Self.repository, at: 1_800_000_001) {
            $0.body = "okapi"
          })
        let created = github.delivery(
          "created", issue: number, comment: index, of: Self.repository)
        #expect(try await listener.deliver(created, event: "issue_comment") == 200)
        #expect(try await listener.found("okapi") == ["\(number)"])
        let uncommented = github.delivery(
          "deleted", issue: number, comment: index, of: Self.repository)
        #expect(try await listener.deliver(uncommented, event: "issue_comment") == 200)
        #expect(try await listener.found("okapi").isEmpty)
        let deleted = github.delivery("deleted", issue: number, of: Self.repository)
        #expect(try await listener.deliver(deleted) == 200)
        #expect(try await listener.found("zebra").isEmpty)
        // A delivery that is repeated, or late, doesn't bring it back.
        #expect(try await listener.deliver(opened) == 200)
        #expect(try await listener.found("zebra").isEmpty)

        #expect(try await listener.deliver("{}", event: "ping") == 200)
        #expect(
          try await listener.deliver(
            "payload=%7B%7D", event: "ping", contentType: "application/x-www-form-urlencoded")
            == 415)
        #expect(try await listener.deliver(opened, event: "push") == 202)
        #expect(try await listener.deliver("nonsense") == 202)
        #expect(try await listener.deliver(deleted, event: "label") == 202)
        let other = LoopbackRepository(id: 8, owner: "acme", name: "other")
        #expect(try await listener.deliver(github.delivery("opened", issue: 1, of: other)) == 202)
        let metrics = try await listener.ask("GET /metrics HTTP/1.1")
        for (outcome, count) in [("stored", 5), ("noted", 1), ("ignored", 3), ("refused", 6)] {
          #expect(
            metrics.contains("issues_webhook_deliveries_total{outcome=\"\(outcome)\"} \(count)\n"),
            "\(metrics)")
        }
        gate.open()
        try await listener.end()
      }
    }

    @Test("what isn't delivered is found by the next sync, which a delivery brings about")
    func hint() async throws {
      let scene = try await TeamScene([Self.repository])
      let github = scene.mirror.github
      try await withLoopbackServer(answering: github.handler) { server in
        let listener = try await Listener(scene, server)
        github.changeIssue(3, of: Self.repository) {
          $0.title = "the zebra crosses"
          $0.updatedAt = Int(Date().timeIntervalSince1970)
        }
        let isFinished: @Sendable (Data) -> Bool? = { data in
          data.firstRange(of: Data("finished".utf8)) == nil ? nil : true
        }
        let end = try await listener.run.waitFor(after: 0, isFinished).end
        #expect(
          try await listener.deliver(
            github.delivery("edited", issue: 1, of: Self.repository), event: "milestone") == 202)
        _ = try await listener.run.waitFor(after: end, isFinished)
        #expect(try await listener.found("zebra") == ["3"])
        try await listener.end()
      }
    }

    @Test("a delivery that is too large, too slow, or one of too many at once is refused")
    func bounds() async throws {
      let scene = try await TeamScene([Self.repository])
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let listener = try await Listener(scene, server)
        let large = String(repeating: " ", count: WorkerEndpoints.mostBytes + 1)
        #expect(try await listener.deliver(large) == 413)
        var slow: [RawConnection] = []
        for _ in 1...WorkerEndpoints.mostAtOnce {
          let connection = try await RawConnection(port: listener.port)
          try await connection.send(
            "POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\nx")
          slow.append(connection)
        }
        var statuses: [Int] = []
        repeat {
          statuses.append(try await listener.deliver("{}", event: "ping"))
        } while statuses.last == 200
        #expect(statuses.last == 503)
        for connection in slow {
          #expect(
            !String(decoding: try await connection.receiveAll(), as: UTF8.self).contains(" 200 "))
        }
        #expect(try await listener.deliver("{}", event: "ping") == 200)
        try await listener.end()
      }
    }

    @Test("a request that isn't plain HTTP/1.1 is refused, and nothing behind a request is read")
    func requests() async throws {
      let scene = try await TeamScene([Self.repository])
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let listener = try await Listener(scene, server)
        let long = String(repeating: "a", count: 17 << 10)
        for (head, status) in [
          ("nonsense", 400), ("GET /metrics", 400), ("GET  /metrics HTTP/1.1", 400),
          ("GET /metrics HTTP/2", 400), ("GET http://a/metrics HTTP/1.1", 400),
          ("GET /metrics HTTP/1.1\r\n folded: 1", 400), ("GET /metrics HTTP/1.1\r\na", 400),
          ("GET /metrics HTTP/1.1\r\nX: \(long)", 431),
          ("POST /webhook HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
          ("POST /webhook HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2", 411),
          ("POST /webhook HTTP/1.1\r\nContent-Length: -1", 411),
          ("POST /webhook HTTP/1.1\r\nContent-Length: 99999999999999999999", 411),
          ("HEAD /healthz HTTP/1.1", 200),
        ] {
          let answer = try await listener.ask(head, "GET /healthz HTTP/1.1\r\n\r\n")
          #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(head.prefix(80)) \(answer)")
          #expect(answer.matches(of: /HTTP\/1\.1 \d/).count == 1, "\(answer)")
        }
        #expect(try await listener.ask("HEAD /healthz HTTP/1.1").hasSuffix("\r\n\r\n"))

        let connection = try await RawConnection(port: listener.port)
        let signature = WebhookSignature.of("{}", secret: Self.secret)
        try await connection.send(
          """
          POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\
          Content-Type: application/json\r\nX-GitHub-Event: ping\r\nX-Hub-Signature-256: \(signature)\r\n\r\n
          """)
        let interim = "HTTP/1.1 100 Continue\r\n\r\n"
        #expect(try await connection.receive { $0.hasSuffix("\r\n\r\n") } == interim)
        try await connection.send("{}")
        let answer = String(decoding: try await connection.receiveAll(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK") && answer.hasSuffix("\r\n\r\npong\n"))
        await connection.close()
        try await listener.end()
      }
    }

    @Test("the secret of the webhooks may be in a file that only its owner can read")
    func secretFile() throws {
      let folder = try ScratchFolder()
      try Data("sekrit\n".utf8).write(to: URL(fileURLWithPath: folder["secret"]))
      let environment = ["ISSUES_WEBHOOK_SECRET_FILE": folder["secret"]]
      chmod(folder["secret"], 0o600)
      #expect(try WorkerEndpoints.secret(in: environment) != nil)
      #expect(try WorkerEndpoints.secret(in: [:]) == nil)
      chmod(folder["secret"], 0o644)
      let failure = #expect(throws: CommandFailure.self) {
        try WorkerEndpoints.secret(in: environment)
      }
      #expect(failure?.message.contains("ISSUES_WEBHOOK_SECRET_FILE") == true)
      #expect(failure?.message.contains("sekrit") == false)
    }
  }
}

@Suite("The address and the bounds of a worker's listener")
struct ListenAddressTests {
  @Test(
    "a port, or an IP address and a port",
    arguments: [
      ("9464", "127.0.0.1:9464"), ("localhost:0", "127.0.0.1:0"), ("0.0.0.0:80", "0.0.0.0:80"),
      ("[::1]:9464", "[::1]:9464"), ("[::]:9464", "[::]:9464"), ("", nil), ("65536", nil),
      ("example.com:80", nil), ("::1:80", nil), ("[127.0.0.1]:80", nil), ("1.2.3:80", nil),
      ("a", nil),
      ("127.0.0.1:", nil),
    ] as [(String, String?)])
  func addresses(text: String, address: String?) {
    #expect(ListenAddress(text)?.description == address)
  }

  @Test("only so many deliveries are taken in a minute")
  func rate() {
    var rate = DeliveryRate()
    let taken = (0..<2000).count { _ in rate.admits(at: .seconds(59)) }
    #expect(taken == DeliveryRate.mostPerMinute)
    let isAdmitted = rate.admits(at: .seconds(60))
    #expect(isAdmitted)
  }

  @Test("the signature is that of GitHub's documentation")
  func signature() {
    #expect(
      WebhookSignature.of("Hello, World!", secret: "It's a Secret to Everybody")
        == "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17")
  }
}
