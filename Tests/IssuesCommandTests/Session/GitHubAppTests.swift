import ConcurrencyPrimitives
import CurlTransport
import IssueTracker
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("Signing in as a GitHub App", .timeLimit(.minutes(5)))
  struct GitHubAppTests {
    private static let repository = LoopbackRepository(
      id: 7, owner: "acme", name: "tool", issues: SyntheticIssues(count: 250))

    private static func github(_ change: (inout LoopbackGitHub.Configuration) -> Void = { _ in })
      -> LoopbackGitHub
    {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [repository]
      configuration.app = LoopbackApp()
      configuration.acceptedTokens = nil
      change(&configuration)
      return LoopbackGitHub(configuration)
    }

    private static func environment(_ installation: String? = "345") throws -> [String: String] {
      var environment = [
        "ISSUES_APP_ID": "12", "ISSUES_APP_KEY": try LoopbackApp.privateKey(),
        // The app is chosen deliberately, unlike this token on CI.
        "GH_ENTERPRISE_TOKEN": IssuesProgram.token,
      ]
      environment["ISSUES_APP_INSTALLATION"] = installation
      return environment
    }

    @Test(
      "the installation is found by its number, its account, a repository, or because it is the only one",
      arguments: [
        "345": [], "acme": ["/orgs/acme/installation"],
        "acme/tool": ["/repos/acme/tool/installation"], "": ["/app/installations"],
      ] as [String: [String]])
    func installation(value: String, lookUp: [String]) async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["auth", "status", "--api-url", server.url, "-vv"],
          environment: try Self.environment(value))
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
          result.lines.prefix(3).dropFirst() == [
            "token\tapp 12, installation 345", "accepted\tyes",
          ])
        #expect(
          server.log.requests.map(\.path)
            == lookUp + ["/app/installations/345/access_tokens", "/rate_limit"])
        let sent = server.log.requests.compactMap { $0.headers["Authorization"] }
        #expect(sent.last == "Bearer ghs_1installation")
        for secret in sent.map({ $0.dropFirst(7) }) + ["PRIVATE KEY", IssuesProgram.token[...]] {
          #expect(!result.outputText.contains(secret) && !result.errorText.contains(secret))
        }
      }
    }

    @Test("an app that is installed for a person is found too")
    func person() async throws {
      let github = Self.github { $0.app?.isOrganization = false }
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["auth", "status", "--api-url", server.url], environment: try Self.environment("acme"))
        #expect(result.lines.contains("accepted\tyes"), "\(result.errorText)")
      }
    }

    @Test("the key may be in a file, with either header, and in one line")
    func forms() async throws {
      let folder = try ScratchFolder()
      for isPKCS8 in [false, true] {
        let key = try LoopbackApp.privateKey(isPKCS8: isPKCS8)
        try Data(key.utf8).write(to: URL(fileURLWithPath: folder["key.pem"]))
        chmod(folder["key.pem"], 0o600)
        let forms = [
          ["ISSUES_APP_KEY": key.replacing("\n", with: "\\n")],
          ["ISSUES_APP_KEY_FILE": folder["key.pem"]],
        ]
        for form in forms {
          var environment = try Self.environment()
          environment["ISSUES_APP_KEY"] = nil
          environment.merge(form) { $1 }
          try await withLoopbackServer(answering: Self.github().handler) { server in
            let result = try await IssuesProgram.run(
              ["list", "acme/tool", "--limit", "1", "--api-url", server.url],
              environment: environment)
            #expect(result.status == .exited(0) && result.lines.count == 1, "\(result.errorText)")
          }
        }
      }
    }

    @Test(
      "a key file that others can read is refused before a request",
      arguments: [0o644, 0o604, 0o666])
    func wideRights(mode: mode_t) async throws {
      let folder = try ScratchFolder()
      try Data(LoopbackApp.privateKey().utf8).write(to: URL(fileURLWithPath: folder["key.pem"]))
      chmod(folder["key.pem"], mode)
      var environment = try Self.environment()
      environment["ISSUES_APP_KEY"] = nil
      environment["ISSUES_APP_KEY_FILE"] = folder["key.pem"]
      try await withLoopbackServer(answering: Self.github().handler) { server in
        try await IssuesProgram.run(
          ["list", "acme/tool", "--api-url", server.url], environment: environment
        ).expectFailure(4, saying: ["ISSUES_APP_KEY_FILE", "by others", "chmod 600"])
        #expect(server.log.requestCount == 0)
      }
    }

    @Test(
      "an incomplete or invalid app is an error before a request",
      arguments: [
        (["ISSUES_APP_ID": ""], "ISSUES_APP_ID isn't set"),
        (["ISSUES_APP_ID": "a b"], "isn't the id"),
        (["ISSUES_APP_KEY": ""], "Set ISSUES_APP_KEY_FILE"),
        (["ISSUES_APP_KEY": "sekrit"], "ISSUES_APP_KEY has no private RSA key"),
        (["ISSUES_APP_KEY_FILE": "/dev/null"], "both set"),
        (["ISSUES_APP_KEY": "", "ISSUES_APP_KEY_FILE": "/dev/null"], "isn't a regular file"),
        (["ISSUES_APP_KEY": "", "ISSUES_APP_KEY_FILE": "/nowhere"], "No such file"),
        (["ISSUES_APP_INSTALLATION": "a b"], "isn't an installation"),
      ] as [([String: String], String)])
    func invalid(changes: [String: String], words: String) async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await IssuesProgram.run(
          ["list", "acme/tool", "--api-url", server.url],
          environment: try Self.environment().merging(changes) { $1 })
        result.expectFailure(4, saying: [words])
        #expect(!result.errorText.contains("sekrit"))
        #expect(server.log.requestCount == 0)
      }
    }

    @Test("GitHub's refusals name the app's settings")
    func refusals() async throws {
      try await withLoopbackServer(answering: Self.github { $0.app?.id = "13" }.handler) { server in
        try await IssuesProgram.run(
          ["list", "acme/tool", "--api-url", server.url], environment: try Self.environment()
        ).expectFailure(4, saying: ["401", "Integration not found", "ISSUES_APP_ID"])
      }
      try await withLoopbackServer(answering: Self.github().handler) { server in
        for place in ["346", "nobody", "nobody/tool"] {
          try await IssuesProgram.run(
            ["list", "acme/tool", "--api-url", server.url], environment: try Self.environment(place)
          ).expectFailure(4, saying: ["isn't installed", "ISSUES_APP_INSTALLATION"])
        }
      }
    }

    @Test("a token that ends in the middle of a list is renewed once, and the list is complete")
    func renewal() async throws {
      let github = Self.github()
      let handler: LoopbackServer.Handler = { request in
        if request.isPageOfIssues, github.grantedTokens == 1, request.queryValue("after") != nil {
          github.endTokens()
        }
        return github.respond(to: request)
      }
      try await withLoopbackServer(answering: handler) { server in
        let result = try await IssuesProgram.run(
          ["list", "acme/tool", "--state", "all", "--limit", "1000", "--api-url", server.url],
          environment: try Self.environment())
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.errorText.isEmpty)
        #expect(github.grantedTokens == 2)
      }
    }

    /// The tokens of an installation, with the clock of this machine.
    private static func tokens(
      _ server: LoopbackServer, now: @escaping @Sendable () -> Date
    ) throws -> InstallationTokens {
      let app = try #require(try GitHubApp(in: try environment()))
      return InstallationTokens(
        app, on: try GitHubServer(apiURL: server.url), transport: CurlTransport.shared, plugins: [],
        retries: 0, clock: ContinuousClock(), now: now, onToken: { _ in })
    }

    @Test("a token is used until five minutes before its end, and callers share a request")
    func life() async throws {
      let time = Locked(Date())
      let now: @Sendable () -> Date = { time.withLock { $0 } }
      let github = Self.github { $0.now = now }
      try await withLoopbackServer(answering: github.handler) { server in
        let tokens = try Self.tokens(server, now: now)
        let first = try await withThrowingTaskGroup(of: AccessToken.self) { group in
          for _ in 1...8 { group.addTask { try await tokens.current() } }
          return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(first.map(\.secret) == ["ghs_1installation"])
        time.withLock { $0 += 54 * 60 }
        #expect(try await tokens.current().secret == "ghs_1installation")
        time.withLock { $0 += 2 * 60 }
        #expect(try await tokens.current().secret == "ghs_2installation")
        #expect(server.log.requestCount == 2)
      }
    }

    @Test(
      "if the clocks differ, the app signs again with the server's time",
      arguments: [-86_400.0, -900, 900, 86_400])
    func clocks(difference: Double) async throws {
      let time = Locked(Date())
      let github = Self.github { $0.now = { time.withLock { $0 } } }
      try await withLoopbackServer(answering: github.handler) { server in
        let tokens = try Self.tokens(server) { time.withLock { $0 }.addingTimeInterval(difference) }
        #expect(try await tokens.current().secret == "ghs_1installation")
        // The token's end is measured by the server's clock too.
        time.withLock { $0 += 54 * 60 }
        #expect(try await tokens.current().secret == "ghs_1installation")
        time.withLock { $0 += 2 * 60 }
        #expect(try await tokens.current().secret == "ghs_2installation")
      }
    }

    @Test(
      "an app belongs to the server of --api-url, of GH_HOST, or github.com",
      arguments: [
        ("github.com", false, [:], true), ("github.com", false, ["GH_HOST": "git.example"], false),
        ("git.example", false, ["GH_HOST": "git.example"], true),
        ("evil.example", false, [:], false),
        ("evil.example", false, ["GH_HOST": "git.example"], false),
        ("git.example", true, [:], true),
      ] as [(String, Bool, [String: String], Bool)])
    func servers(host: String, isNamedByURL: Bool, environment: [String: String], belongs: Bool)
      throws
    {
      #expect(
        GitHubApp.belongs(
          to: try GitHubServer(host: host), isNamedByURL: isNamedByURL, in: environment) == belongs)
    }

    @Test("programs that the command starts don't receive the key")
    func children() throws {
      let environment = try Self.environment().merging(["ISSUES_WEBHOOK_SECRET": "a"]) { $1 }
      #expect(
        Set(Environment.withoutSecrets(environment).keys)
          == ["ISSUES_APP_ID", "ISSUES_APP_INSTALLATION"])
    }

    @Test(
      "all tokens of an installation share one budget of a team",
      .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"))
    func budget() async throws {
      let github = Self.github { $0.rateLimit = 12_500 }
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: github.handler) { server in
        let place = ["--api-url", server.url]
        let environment = try Self.environment()
        for _ in 1...2 {
          _ = try await scene.run(["worker", "add", "acme/tool"] + place, environment: environment)
          let run = try await scene.run(["worker", "--once"] + place, environment: environment)
          #expect(
            run.status == .exited(0) && run.outputText.contains("finished"), "\(run.errorText)")
        }
        #expect(github.grantedTokens >= 2)
        let status = try await scene.run(["worker", "status"])
        let budgets = status.lines.filter { $0.hasPrefix("budget\t") }
        #expect(budgets.count == 1 && budgets[0].contains("\tcore\t12500\t"), "\(budgets)")
      }
    }
  }
}
