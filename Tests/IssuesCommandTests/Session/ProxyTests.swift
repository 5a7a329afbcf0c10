import TestSupport
import Testing

extension CommandTests {
  @Suite("Proxies", .timeLimit(.minutes(5)))
  struct ProxyTests {
    private static func variables(_ url: String) -> [String: String] {
      [
        "http_proxy": url, "https_proxy": url, "HTTPS_PROXY": url, "all_proxy": url,
        "ALL_PROXY": url,
      ]
    }

    @Test("sample data needs no network", arguments: [["a/b"], ["user", "x"], ["repos", "x"]])
    func stub(arguments: [String]) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { proxy in
        let result = try await IssuesProgram.run(
          arguments + ["--stub"],
          environment: Self.variables(proxy.url).merging(
            ["GH_TOKEN": "not\u{1B}a token"]) { $1 })
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(!result.outputText.isEmpty)
        #expect(proxy.log.connectionCount == 0)
      }
    }

    @Test("requests to this machine bypass the proxy")
    func loopback() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { proxy in
        try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
          let result = try await IssuesProgram.run(
            ["apple/swift", "--api-url", server.url],
            environment: Self.variables(proxy.url).merging(
              ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]) { $1 })
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(result.lines.count == 30)
          #expect(proxy.log.connectionCount == 0)
        }
      }
    }

    @Test(
      "the password of an unusable proxy isn't printed",
      arguments: [
        "http://me:hunter2hunter2@127.0.0.1:99999", "http://me:hunter2hunter2@bad host:1",
        "nonsense://me:hunter2hunter2@127.0.0.1:1", "me:hunter2hunter2@127.0.0.1:99999",
        "http://me:hunter2hunter2@127.0.0.1:1", "http://me:hunt'er2@hunter2@[::1:1",
      ])
    func password(url: String) async throws {
      for options in [[], ["--verbose"], ["--json"]] {
        let result = try await IssuesProgram.run(
          ["apple/swift", "--retries", "0"] + options,
          environment: Self.variables(url).merging(["GH_TOKEN": IssuesProgram.token]) { $1 })
        #expect(result.status != .exited(0))
        #expect(!result.errorText.isEmpty)
        #expect(!result.errorText.contains("hunter2"), "\(result.errorText)")
        #expect(!result.outputText.contains("hunter2"), "\(result.outputText)")
      }
    }

    @Test("other requests use a proxy's tunnel, and the token stays inside it")
    func tunnel() async throws {
      try await withLoopbackServer { _ in
        .text("no", status: 403)
      } perform: { proxy in
        let result = try await IssuesProgram.run(
          ["apple/swift", "--retries", "0"],
          environment: ["https_proxy": proxy.url, "GH_TOKEN": IssuesProgram.token])
        #expect(result.status == .exited(6))
        let request = try #require(proxy.log.requests.first)
        #expect(request.method == "CONNECT")
        #expect(request.target == "api.github.com:443")
        #expect(request.headers["Authorization"] == nil)
      }
    }
  }
}
