import ConcurrencyPrimitives
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("issues inbox", .timeLimit(.minutes(5)))
  struct InboxTests {
    private static let token = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]

    /// Sixty mentions, the last the newest, and a review of a pull request that was read.
    private static var github: LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.notifications = (1...60).map {
        SyntheticNotification(id: 500 + $0, number: $0, updatedAt: 1_700_000_000 + $0)
      }
      configuration.notifications.append(
        SyntheticNotification(
          id: 900, repository: "octo/cat", kind: "PullRequest", number: 7,
          title: "Pet \u{1B}[31mit", reason: "review_requested", updatedAt: 1_800_000_000,
          isRead: true))
      return LoopbackGitHub(configuration)
    }

    private func inbox(
      _ server: LoopbackServer, _ arguments: [String], token: [String: String] = token,
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["inbox"] + arguments + ["--api-url", server.url], environment: token,
        connection: connection)
    }

    @Test("'inbox' prints a complete line for each notification, across all pages")
    func list() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        let unread = try await inbox(server, ["--all"])
        #expect(unread.status == .exited(0), "\(unread.errorText)")
        #expect(unread.lines.count == 60)
        #expect(
          unread.lines.first
            == "560\tunread\tswiftlang/swift\tIssue\t60\tmention\tIt crashes\t2023-11-14T22:14:20Z")
        let all = try await inbox(server, ["list", "--read", "-L", "1"])
        #expect(all.lines.first?.hasPrefix("900\tread\tocto/cat\tPullRequest\t7\t") == true)
        #expect(all.lines.first?.contains("\u{1B}") == false)
        #expect(all.errorText.isEmpty)
        let reviews = try await inbox(server, ["--read", "--reason", "review_requested"])
        #expect(reviews.lines.count == 1)
        let ofOne = try await inbox(server, ["--read", "--all", "-R", "swiftlang/swift"])
        #expect(ofOne.lines.count == 60)
        #expect(server.log.requests.last?.path == "/repos/swiftlang/swift/notifications")
        let late = try await inbox(server, ["--since", "2023-11-14T22:14:10Z"])
        #expect(late.lines.count == 11)
      }
    }

    @Test("--json prints the server's fields")
    func json() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        let result = try await inbox(server, ["-L", "1", "--json", "id,unread,subject"])
        #expect(result.outputText.contains(#""id":"560""#), "\(result.outputText)")
        #expect(result.outputText.contains(#""type":"Issue""#))
        let wrong = try await inbox(server, ["--json", "bogus"])
        wrong.expectFailure(64, saying: ["bogus"])
      }
    }

    @Test("a terminal shows notifications as a table with unread marks")
    func table() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        let environment = Self.token.merging(IssuesProgram.plainTerminal) { $1 }
        let result = try await inbox(
          server, ["-L", "2", "--read"], token: environment,
          connection: .terminal(columns: 100, rows: 24))
        #expect(result.screen.contains("Your notifications"), "\(result.screen)")
        #expect(result.screen.contains("#60"))
        #expect(result.screen.contains("•"))
        #expect(result.screen.contains("review requested"))
      }
    }

    @Test("'inbox read' marks threads by id or issue, or all of them, even in one repository")
    func read() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let one = try await scene.run(["inbox", "read", "501", "SwiftLang/Swift#2"], server)
        #expect(one.status == .exited(0), "\(one.errorText)")
        #expect(
          one.lines.map { $0.split(separator: "/").suffix(4).joined(separator: "/") }
            == ["swiftlang/swift/issues/1", "swiftlang/swift/issues/2"])
        let marks = server.log.requests.filter { $0.method == "PATCH" }.map(\.path)
        #expect(marks == ["/notifications/threads/501", "/notifications/threads/502"])
        // The list after it knows.
        #expect(try await inbox(server, ["--all"]).lines.count == 58)
        let gone = try await scene.run(
          ["inbox", "read", "swiftlang/swift#2", "503"], server, isPaced: false)
        #expect(gone.status == .exited(3))
        #expect(
          gone.errorText == "issues: no unread notification is about swiftlang/swift#2\n")
        #expect(try await inbox(server, ["--all"]).lines.count == 57)
        let unknown = try await scene.run(["inbox", "read", "999"], server, isPaced: false)
        unknown.expectFailure(3, saying: ["notification 999"])
        let ofOne = try await inbox(server, ["read", "--all", "-R", "swiftlang/swift"])
        #expect(ofOne.errorText == "Marked all notifications of swiftlang/swift as read.\n")
        let all = try await inbox(server, ["read", "--all"])
        #expect(all.errorText == "Marked all notifications as read.\n")
        #expect(try await inbox(server, ["--all"]).lines.isEmpty)
      }
    }

    private static func scene() throws -> WriteScene {
      try WriteScene { $0.notifications = Self.github.notifications.current }
    }

    @Test("done, mute and unsubscribe change threads on the server, and can be repeated")
    func actions() async throws {
      let scene = try Self.scene()
      func thread(_ id: Int) -> SyntheticNotification? {
        scene.github.notifications.current.first { $0.id == id }
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for _ in 0..<2 {
          for (verb, id) in [("mute", 501), ("unsubscribe", 502)] {
            let result = try await scene.run(["inbox", verb, "\(id)"], server, isPaced: false)
            #expect(result.status == .exited(0), "\(result.errorText)")
          }
        }
        let done = try await scene.run(
          ["inbox", "done", "octo/cat#7", "900", "--json", "number"], server, isPaced: false)
        done.expectFailure(3, saying: ["no unread notification is about octo/cat#7"])
        #expect(done.outputText.contains(#"{"number":7}"#))
        #expect(thread(501)?.isIgnored == true && thread(502)?.isSubscribed == false)
        #expect(thread(900)?.isDone == true)
        #expect(thread(501)?.isRead == false && thread(503)?.isDone == false)
      }
    }

    @Test("--where and --all need a confirmation, show a count, and change what they find")
    func bulk() async throws {
      let scene = try WriteScene {
        $0.notifications = (1...3).map {
          SyntheticNotification(
            id: 500 + $0, number: $0, reason: $0 == 3 ? "mention" : "subscribed",
            updatedAt: 1_700_000_000 + $0)
        }
      }
      func done() -> [Int] { scene.github.notifications.current.filter(\.isDone).map(\.id) }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["inbox", "done", "--where", "reason:subscribed is:issue -repo:a/b"]
        let unconfirmed = try await scene.run(arguments, server)
        #expect(unconfirmed.status == .exited(64))
        #expect(unconfirmed.errorText.contains("Mark as done: 2 notifications\nswiftlang/swift#2"))
        #expect(done().isEmpty)
        let queued = try await scene.run(arguments + ["--yes", "--queue"], server)
        #expect(queued.status == .exited(75))
        #expect(queued.errorText.contains("issues outbox send --bulk 1"))
        let listed = try await IssuesProgram.run(["outbox"], environment: scene.environment)
        #expect(listed.lines.count == 2 && listed.outputText.contains("\tmark as done\t"))
        #expect(listed.lines[0].contains("\t#2\t"))
        let sent = try await scene.run(["outbox", "send", "--bulk", "1"], server)
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        #expect(done() == [501, 502])
        let all = try await scene.run(["inbox", "done", "--all", "--yes"], server, isPaced: false)
        #expect(all.status == .exited(0), "\(all.errorText)")
        #expect(done() == [501, 502, 503])
        let nothing = try await scene.run(["inbox", "done", "--all"], server, isPaced: false)
        #expect(nothing.status == .exited(0))
        #expect(nothing.errorText == "No unread notification matches: nothing was changed.\n")
      }
    }

    @Test(
      "a search that notifications don't have is refused before any request",
      arguments: ["label:bug", "author:ada", "is:open", "crash", "reason:", " ", "\"open"])
    func wrongQuery(query: String) async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        try await inbox(server, ["done", "--where", query]).expectFailure(64, saying: ["--where"])
        #expect(server.log.requestCount == 0)
      }
    }

    @Test("with a fine-grained token, an action says which tokens GitHub accepts")
    func fineGrained() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        let fine = ["GH_ENTERPRISE_TOKEN": "github_pat_x"]
        for arguments in [["done", "501"], ["mute", "swiftlang/swift#1"], ["done", "--all"]] {
          let result = try await inbox(server, arguments, token: fine)
          #expect(result.errorText.contains("Only classic tokens"), "\(result.errorText)")
          #expect(result.status != .exited(0))
        }
      }
    }

    @Test("--stub changes sample notifications")
    func stub() async throws {
      let listed = try await IssuesProgram.run([
        "inbox", "--stub", "--json", "id", "--jq", ".[0].id",
      ])
      let id = listed.outputText.filter(\.isNumber)
      for verb in ["read", "done", "mute", "unsubscribe"] {
        let result = try await IssuesProgram.run(["inbox", verb, id, "--stub"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.first?.contains("/issues/") == true)
      }
      let bulk = try await IssuesProgram.run(
        ["inbox", "done", "--where", "reason:mention", "--yes", "--stub", "--json", "number"])
      #expect(bulk.outputText.contains(#"{"number":85968}"#), "\(bulk.outputText)")
    }

    @Test("--follow prints each new notification once and keeps to the server's poll interval")
    func follow() async throws {
      var configuration = LoopbackGitHub.Configuration()
      configuration.notifications = [
        SyntheticNotification(id: 501, number: 1),
        SyntheticNotification(id: 502, number: 2, updatedAt: 1_700_000_001),
      ]
      let before = LoopbackGitHub(configuration).handler
      let now = Int(Date().timeIntervalSince1970)
      configuration.notifications[0].updatedAt = now + 2
      configuration.notifications += [
        SyntheticNotification(id: 503, number: 3, reason: "assign", updatedAt: now + 1),
        SyntheticNotification(id: 504, number: 4, updatedAt: now),
      ]
      let after = LoopbackGitHub(configuration).handler
      let hasNews = Watched(false)
      try await withLoopbackServer { request in
        var response = await (hasNews.current ? after : before)(request)
        response.headers["X-Poll-Interval"] = "1"
        return response
      } perform: { server in
        let run = try IssuesProgram.start(
          [
            "inbox", "--follow", "--every", "1s", "-L", "1", "--reason", "mention", "--jsonl",
            "--fields", "id", "--api-url", server.url,
          ], environment: Self.token, isProcess: true)
        try await run.waitFor("{\"id\":\"502\"}\n")
        // The question after the list has no news: what the list's limit left out isn't any.
        try await server.log.waitForRequest {
          $0.headers["If-None-Match"] != nil || $0.headers["If-Modified-Since"] != nil
        }
        hasNews.update { $0 = true }
        try await run.waitFor("{\"id\":\"501\"}\n")
        run.send(signal: 15)
        let result = try await run.result()
        #expect(result.status == .signalled(15))
        #expect(result.lines == ["502", "504", "501"].map { "{\"id\":\"\($0)\"}" })
      }
    }

    @Test("a missing token, a fine-grained token and invalid arguments are explained")
    func failures() async throws {
      let github = Self.github
      try await withLoopbackServer(answering: github.handler) { server in
        let missing = try await inbox(server, [], token: [:])
        missing.expectFailure(4, saying: ["notifications need an access token"])
        for (arguments, words) in [
          (["read"], "Specify the notifications"),
          (["done", "--all", "7"], "leave out the others"),
          (["read", "7", "-R", "a/b"], "-R requires --all"),
          (["mute", "7", "--yes"], "--yes only makes sense"),
          (["read", "--all", "--queue"], "leave out --queue"),
        ] {
          try await inbox(server, arguments).expectFailure(64, saying: [words])
        }
        for word in ["swift", "#7", "a/b"] {
          try await inbox(server, ["read", word]).expectFailure(64, saying: [])
        }
        #expect(server.log.requestCount == 0)
        let fine = try await inbox(
          server, [], token: ["GH_ENTERPRISE_TOKEN": "github_pat_x"])
        fine.expectFailure(4, saying: ["Only classic tokens"])
      }
    }
  }
}
