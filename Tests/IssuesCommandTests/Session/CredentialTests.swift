import TestSupport
import Testing

extension CommandTests {
  @Suite("Credentials of the command", .timeLimit(.minutes(5)))
  struct CredentialTests {
    private static let token = IssuesProgram.token

    @Test(
      "a GitHub Enterprise server gets only the tokens for such servers",
      arguments: [
        ([:], nil),
        (["GH_TOKEN": token, "GITHUB_TOKEN": token], nil),
        (["GH_ENTERPRISE_TOKEN": token], "Bearer \(token)"),
        (["GITHUB_ENTERPRISE_TOKEN": token], "Bearer \(token)"),
        (["GH_ENTERPRISE_TOKEN": token, "GITHUB_ENTERPRISE_TOKEN": "other"], "Bearer \(token)"),
        (["GH_ENTERPRISE_TOKEN": "", "GITHUB_ENTERPRISE_TOKEN": token], "Bearer \(token)"),
        (["GH_ENTERPRISE_TOKEN": "\(token)\n", "GH_TOKEN": "other"], "Bearer \(token)"),
      ] as [([String: String], String?)])
    func variables(environment: [String: String], expected: String?) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["apple/swift", "--all", "--api-url", server.url], environment: environment)
        #expect(result.status == .exited(0))
        #expect(server.log.requestCount > 3)
        for request in server.log.requests {
          #expect(request.headers["Authorization"] == expected)
        }
      }
    }

    @Test("a redirect to another server is followed without the token")
    func redirect() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { other in
        let url = other.url
        try await withLoopbackServer { request in
          LoopbackResponse(status: 302, headers: ["Location": "\(url)\(request.target)"])
        } perform: { server in
          let result = try await IssuesProgram.run(
            ["swiftlang/swift", "--limit", "3", "--api-url", server.url],
            environment: ["GH_ENTERPRISE_TOKEN": Self.token])
          #expect(result.status == .exited(0))
          #expect(result.lines.count == 3)
          // The list of a server that wasn't asked is no proof of a name: it is asked for again.
          #expect(server.log.requestCount == 3)
          for request in server.log.requests {
            #expect(request.headers["Authorization"] == "Bearer \(Self.token)")
          }
          #expect(other.log.requestCount == 3)
          for request in other.log.requests {
            #expect(request.headers["Authorization"] == nil)
          }
        }
      }
    }

    @Test(
      "--verbose doesn't print the token", arguments: [["-v"], ["-vv"], ["-v", "--stub"]])
    func verbose(flags: [String]) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let run = try IssuesProgram.start(
          ["apple/swift", "--api-url", server.url] + flags,
          environment: ["GH_ENTERPRISE_TOKEN": Self.token, "GH_TOKEN": Self.token])
        let result = try await run.result()
        #expect(result.status == .exited(0))
        #expect(result.errorText.contains("/repos/apple/swift"))
        #expect(flags != ["-vv"] || result.errorText.lowercased().contains("> authorization: "))
        #expect(!result.errorText.contains(Self.token))
        #expect(!result.outputText.contains(Self.token))
      }
    }

    @Test("an error doesn't contain the token, even if the server repeats it")
    func errors() async throws {
      let token = Self.token
      try await withLoopbackServer { _ in
        .json(#"{"message":"Bad credentials: \#(token)"}"#, status: 401)
      } perform: { server in
        for flags in [[], ["-v"], ["-vv"]] {
          let result = try await IssuesProgram.run(
            ["apple/swift", "--api-url", server.url] + flags,
            environment: ["GH_ENTERPRISE_TOKEN": token])
          #expect(result.status == .exited(4))
          #expect(!result.errorText.contains(token), "\(result.errorText)")
        }
      }
    }

    @Test(
      "an invalid token is refused, and the request isn't sent without it",
      arguments: ["a\u{1B}b", "a\nb", "a b", "a\r\nX-Evil: 1", "\n", "tökén"])
    func malformed(value: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["apple/swift", "--api-url", server.url], environment: ["GH_ENTERPRISE_TOKEN": value])
        result.expectFailure(4, saying: ["GH_ENTERPRISE_TOKEN", "token"])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("an address that contains a token is refused and not repeated")
    func pasted() async throws {
      let result = try await IssuesProgram.run(["https://\(Self.token)@github.com/apple/swift"])
      result.expectFailure(64, saying: ["remove the part before the @"])
    }
  }
}
