import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues auth status", .timeLimit(.minutes(5)))
  struct AuthStatusTests {
    private static let token = IssuesProgram.token

    private struct Status: Decodable, Equatable {
      struct Quota: Decodable, Equatable {
        var limit: Int
        var remaining: Int
        var reset: Int
        var used: Int
      }
      var host: String
      var tokenSource: String?
      var accepted: Bool?
      var resources: [String: Quota]?

      enum CodingKeys: String, CodingKey {
        case host
        case tokenSource = "token_source"
        case accepted
        case resources
      }
    }

    private static func configuration() -> LoopbackGitHub.Configuration {
      var configuration = LoopbackGitHub.Configuration()
      configuration.acceptedTokens = [token]
      return configuration
    }

    @Test(
      "'auth status' names the variable that contains the token and doesn't show the token",
      arguments: ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
      [[], ["-v"], ["-vv"], ["--json"], ["--color", "always"]])
    func variable(name: String, flags: [String]) async throws {
      try await withLoopbackServer(
        answering: LoopbackGitHub(Self.configuration()).handler
      ) { server in
        let result = try await IssuesProgram.run(
          ["auth", "status", "--api-url", server.url] + flags, environment: [name: Self.token])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.contains(name))
        for text in [result.outputText, result.errorText] {
          // Not even its beginning.
          #expect(!text.contains(Self.token.prefix(8)))
        }
        #expect(server.log.requests.map(\.path) == ["/rate_limit"])
        #expect(server.log.requests.first?.headers["Authorization"] == "Bearer \(Self.token)")
      }
    }

    @Test("a token that the server refuses gives exit status 4 and a complete report")
    func refused() async throws {
      try await withLoopbackServer(
        answering: LoopbackGitHub(Self.configuration()).handler
      ) { server in
        let result = try await IssuesProgram.run(
          ["auth", "status", "--api-url", server.url],
          environment: ["GITHUB_ENTERPRISE_TOKEN": "wrong-wrong-wrong"])
        result.expectFailure(4, saying: ["401", "Set GITHUB_ENTERPRISE_TOKEN to a valid"])
        #expect(
          result.lines.dropFirst() == ["token\tGITHUB_ENTERPRISE_TOKEN", "accepted\tno"])
        #expect(!result.outputText.contains("wrong"))
        #expect(!result.errorText.contains("wrong"))
      }
    }

    @Test("'auth status' succeeds without a token")
    func anonymous() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(["auth", "--api-url", server.url, "--json"])
        #expect(result.status == .exited(0))
        let status = try JSONDecoder().decode(Status.self, from: result.output)
        #expect(status.tokenSource == nil)
        #expect(status.accepted == nil)
        #expect(status.resources?["core"]?.limit == 60)
        #expect(server.log.requests.first?.headers["Authorization"] == nil)
      }
    }

    @Test("the exit status is 4 if the server requires a token and none is found")
    func needed() async throws {
      let github = LoopbackGitHub()
      github.fail("/rate_limit", with: .badCredentials)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(["auth", "status", "--api-url", server.url])
        result.expectFailure(4, saying: ["401", "Set GH_ENTERPRISE_TOKEN to a valid"])
        // To a server on this machine gh has nothing to say.
        #expect(!result.errorText.contains("gh auth"))
        #expect(result.lines.last == "token\tnone")
      }
    }

    @Test("'auth status' shows the server's limits and doesn't use up the quota")
    func limits() async throws {
      var configuration = Self.configuration()
      configuration.rateLimit = 1000
      let github = LoopbackGitHub(configuration)
      try await withLoopbackServer(answering: github.handler) { server in
        let environment = ["GH_ENTERPRISE_TOKEN": Self.token]
        _ = try await IssuesProgram.run(
          ["user", "octocat", "--api-url", server.url], environment: environment)
        for _ in 0..<2 {
          let result = try await IssuesProgram.run(
            ["auth", "status", "--api-url", server.url, "--json"], environment: environment)
          let status = try JSONDecoder().decode(Status.self, from: result.output)
          let core = try #require(status.resources?["core"])
          #expect(core.limit == 1000)
          #expect(core.used == 1)
          #expect(core.remaining == 999)
          #expect(status.resources?["graphql"] != nil)
          #expect(status.accepted == true)
        }
      }
    }

    @Test("a used-up quota is reported, and isn't a failure")
    func exhausted() async throws {
      var configuration = Self.configuration()
      configuration.rateLimit = 0
      try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
        let result = try await IssuesProgram.run(
          ["auth", "status", "--api-url", server.url],
          environment: ["GH_ENTERPRISE_TOKEN": Self.token])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.contains { $0.hasPrefix("core\t0\t0\t") })
      }
    }

    @Test("a server with disabled limits accepts the token and reports no limits")
    func unlimited() async throws {
      try await withLoopbackServer { _ in
        .json(#"{"message":"Rate limiting is not enabled."}"#, status: 404)
      } perform: { server in
        let result = try await IssuesProgram.run(
          ["auth", "status", "--api-url", server.url],
          environment: ["GH_ENTERPRISE_TOKEN": Self.token])
        #expect(result.status == .exited(0))
        #expect(result.lines.dropFirst() == ["token\tGH_ENTERPRISE_TOKEN", "accepted\tyes"])
      }
    }

    @Test("a failed request leaves acceptance unknown and sets the exit status")
    func unknown() async throws {
      try await withLoopbackServer { _ in
        LoopbackResponse(status: 502)
      } perform: { server in
        let result = try await IssuesProgram.run(
          ["auth", "status", "--api-url", server.url],
          environment: ["GH_ENTERPRISE_TOKEN": Self.token])
        result.expectFailure(6, saying: ["502"])
        #expect(result.lines.last == "accepted\tunknown")
      }
      try await withLoopbackServer { _ in
        .text("<html>log in here</html>", contentType: "text/html")
      } perform: { server in
        let result = try await IssuesProgram.run(["auth", "status", "--api-url", server.url])
        result.expectFailure(7, saying: ["text/html"])
      }
    }

    @Test("'auth status' shows tables that fit a terminal's width", arguments: [80, 20])
    func terminal(columns: Int) async throws {
      let result = try await IssuesProgram.run(
        ["auth", "status", "--stub"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: columns, rows: 30))
      #expect(result.status == .exited(0))
      try CommandSnapshot.expect(result.screen, named: "auth-status-\(columns).txt")
    }

    @Test("hostile names of quotas are shown as harmless text")
    func hostile() async throws {
      let name = #"\u001b[2J\u202E\tx\n"#
      let quota = #"{"limit":9223372036854775807,"remaining":-1,"reset":-9223372036854775808}"#
      try await withLoopbackServer { _ in
        .json(#"{"resources":{"\#(name)":\#(quota)}}"#)
      } perform: { server in
        let piped = try await IssuesProgram.run(["auth", "--api-url", server.url])
        #expect(piped.status == .exited(0), "\(piped.errorText)")
        #expect(piped.lines.last?.hasPrefix(#"^[[2J\u{202E} x \#t-1\#t"#) == true)
        let shown = try await IssuesProgram.run(
          ["auth", "--api-url", server.url], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 24))
        #expect(shown.status == .exited(0))
        #expect(!shown.screen.contains("\u{1B}"))
      }
    }

    @Test("the gh token is labeled as such, sent to its host only, and never shown")
    func gh() async throws {
      let gh = try await FakeGH(printing: FakeGH.token)
      try await withLoopbackServer { _ in
        .text("no \(FakeGH.token)", status: 403)
      } perform: { proxy in
        let environment = gh.environment.merging(["https_proxy": proxy.url]) { $1 }
        for flags in [[], ["-v"], ["-vv"], ["--json"]] {
          let result = try await IssuesProgram.run(
            ["auth", "status"] + flags, environment: environment)
          #expect(result.status == .exited(6), "\(result.errorText)")
          #expect(result.outputText.contains("gh"))
          for text in [result.outputText, result.errorText] {
            #expect(!text.contains(FakeGH.token.prefix(8)))
          }
        }
        #expect(proxy.log.requestCount > 3)
        for request in proxy.log.requests {
          #expect(request.method == "CONNECT")
          #expect(request.headers["Authorization"] == nil)
        }
      }
    }

    @Test("invalid output of 'gh auth token' is reported, and no request is sent")
    func oddGH() async throws {
      let gh = try await FakeGH(printing: #"sekrit sekrit"#)
      try await withLoopbackServer { _ in
        .text("no", status: 403)
      } perform: { proxy in
        for arguments in [["auth", "status"], ["apple/swift"], ["user", "octocat"]] {
          let result = try await IssuesProgram.run(
            arguments, environment: gh.environment.merging(["https_proxy": proxy.url]) { $1 })
          result.expectFailure(
            4,
            saying: [
              "'gh auth token' printed something other than an access token for github.com",
              "gh auth login",
            ])
          #expect(!result.errorText.contains("sekrit"))
        }
        #expect(proxy.log.connectionCount == 0)
      }
    }

    @Test("gh isn't run for a server on this machine or for sample data")
    func unasked() async throws {
      let gh = try await FakeGH(#"touch "$here/ran"; echo \#(FakeGH.token)"#)
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        for arguments in [["--api-url", server.url], ["--stub"]] {
          for command in [["auth", "status"], ["apple/swift"], ["user", "octocat"]] {
            let result = try await IssuesProgram.run(
              command + arguments, environment: gh.environment)
            #expect(result.status == .exited(0))
          }
        }
        #expect(server.log.requests.allSatisfy { $0.headers["Authorization"] == nil })
      }
      #expect(gh.contents(of: "ran") == nil)
    }

    @Test("GH_HOST and --hostname set the host")
    func hosts() async throws {
      let gh = try await FakeGH(#"echo "$4" >> "$here/asked"; exit 1"#)
      for (arguments, environment, host) in [
        ([], [:], "github.com"), ([], ["GH_HOST": "git.example.com"], "git.example.com"),
        (["--hostname", "ghe.example.com"], ["GH_HOST": "git.example.com"], "ghe.example.com"),
      ] as [([String], [String: String], String)] {
        let result = try await IssuesProgram.run(
          ["auth", "status"] + arguments,
          environment: gh.environment.merging(environment) { $1 }
            .merging(["https_proxy": "http://127.0.0.1:1"]) { $1 })
        #expect(result.status == .exited(6))
        #expect(result.lines == ["host\t\(host)", "token\tnone"])
      }
      #expect(gh.contents(of: "asked") == "github.com\ngit.example.com\nghe.example.com\n")
    }

    @Test(
      "wrong usage of auth status is refused",
      arguments: [
        (["--hostname", "a/b"], ["is not a host"]),
        (["--hostname", "x", "--api-url", "https://y"], ["--hostname or --api-url, not both"]),
        (["--json=token"], ["There is no field 'token'", "token_source"]), (["now"], ["now"]),
      ])
    func usage(arguments: [String], words: [String]) async throws {
      let result = try await IssuesProgram.run(["auth", "status"] + arguments)
      result.expectFailure(64, saying: words)
    }
  }
}
