import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues complete", .timeLimit(.minutes(5)))
  struct CompleteTests {
    private let scratch: ScratchFolder

    init() throws {
      scratch = try ScratchFolder()
    }

    /// The host that stands before the names of a server of a test.
    private func host(_ server: LoopbackServer) -> String {
      String(server.url.drop { $0 != "/" }.dropFirst(2))
    }

    /// Writes a history: names on a server, and lines as they are.
    private func remember(_ names: [String], on server: LoopbackServer? = nil) throws {
      let prefix = server.map { "\(host($0))/" } ?? ""
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      let text = names.map { "\(prefix)\($0)\n" }.joined()
      try scratch.write(Data(text.utf8), to: "issues/repositories")
    }

    private func complete(
      _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["complete"] + arguments,
        environment: ["XDG_STATE_HOME": scratch.path].merging(environment) { $1 },
        isProcess: true)
    }

    /// Runs the command until it was in time for so many names: on a machine that is busy with other things
    /// an answer may come too late.
    private func complete(
      _ arguments: [String], untilLines count: Int, environment: [String: String] = [:]
    ) async throws -> CommandRun.Result {
      var result = try await complete(arguments, environment: environment)
      for _ in 0..<50 where result.lines.count < count {
        result = try await complete(arguments, environment: environment)
      }
      return result
    }

    private static func search(_ names: [String]) -> LoopbackResponse {
      let items = names.enumerated().map { #"{"id":\#($0.offset),"full_name":"\#($0.element)"}"# }
      return .json(#"{"total_count":9,"items":[\#(items.joined(separator: ","))]}"#)
    }

    @Test("completion lists visited repositories, then the user's own, then search results")
    func sources() async throws {
      var routes = RouteTable()
      routes.on(
        "/user/repos", .json(#"[{"id":1,"full_name":"me/swift"},{"id":2,"full_name":"a/x"}]"#))
      routes.on("/search/repositories", Self.search(["swift/swift", "Apple/Swift", "zoo/swift"]))
      try await withLoopbackServer(answering: routes.handler) { server in
        try remember(["foo/bar", "old/my-swift", "apple/swift"], on: server)
        let result = try await complete(
          ["swi", "--api-url", server.url], untilLines: 5,
          environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
        #expect(result.status == .exited(0))
        #expect(
          result.lines == ["apple/swift", "old/my-swift", "swift/swift", "me/swift", "zoo/swift"])
        #expect(result.errorText.isEmpty)
        #expect(
          server.log.requests.allSatisfy {
            $0.headers["Authorization"] == "Bearer \(IssuesProgram.token)"
          })
      }
    }

    @Test("completion of empty input lists visited repositories without a search")
    func empty() async throws {
      try await withLoopbackServer { _ in
        .json("{}", status: 500)
      } perform: { server in
        try remember(["foo/bar", "apple/swift"], on: server)
        let result = try await complete(["--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.lines == ["foo/bar", "apple/swift"])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("completion offers the last response when the server is slow")
    func stored() async throws {
      let isSilent = Watched(false)
      try await withLoopbackServer { _ in
        if isSilent.current { return .stall }
        return Self.search(["a/swift"]).with { $0.headers.add("ETag", "\"1\"") }
      } perform: { server in
        let environment = ["XDG_CACHE_HOME": scratch.path]
        let arguments = ["swi", "--api-url", server.url]
        let first = try await complete(arguments, untilLines: 1, environment: environment)
        #expect(first.lines == ["a/swift"])
        isSilent.update { $0 = true }
        let second = try await complete(arguments, untilLines: 1, environment: environment)
        #expect(second.status == .exited(0))
        #expect(second.lines == ["a/swift"])
      }
    }

    @Test("completion doesn't wait for a late response")
    func late() async throws {
      try await withLoopbackServer { _ in
        Self.search(["late/swift"]).after(.seconds(20))
      } perform: { server in
        try remember(["apple/swift"], on: server)
        let result = try await complete(["swi", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.outputText == "apple/swift\n")
        #expect(result.errorText.isEmpty)
      }
    }

    @Test("a late response is cached and completes the next time", .timeLimit(.minutes(3)))
    func nextTime() async throws {
      try await withLoopbackServer { _ in
        // Without an entity tag, as GitHub answers searches.
        Self.search(["late/swift"]).after(.milliseconds(400))
      } perform: { server in
        try remember(["apple/swift"], on: server)
        let environment = ["XDG_CACHE_HOME": scratch.path]
        let arguments = ["swi", "--api-url", server.url]
        let first = try await complete(arguments, environment: environment)
        #expect(first.lines == ["apple/swift"])
        // That of the command, and that of the process that nobody waits for.
        try await server.log.waitForOutcome(.answered)
        let second = try await complete(arguments, untilLines: 2, environment: environment)
        #expect(second.status == .exited(0))
        #expect(second.lines == ["apple/swift", "late/swift"])
        #expect(second.errorText.isEmpty)
      }
    }

    @Test("a background request of a completion doesn't keep the shell's pipe open")
    func background() async throws {
      try await withLoopbackServer { _ in
        .stall
      } perform: { server in
        try remember(["apple/swift"], on: server)
        // The descriptor 9 is a pipe too, as a shell may have some.
        let result = try await IssuesProgram.shell(
          #"{ "$issues" complete "$@" 9>&1; } | cat"#, ["swi", "--api-url", server.url],
          environment: ["XDG_STATE_HOME": scratch.path])
        #expect(result.outputText == "apple/swift\n")
        // The second is still waiting: the command didn't wait for it.
        let requests = try await server.log.requests(count: 2)
        #expect(requests.count == 2)
        #expect(server.log.entries.last?.outcome == .pending)
      }
    }

    @Test(
      "completion prints known names with status 0 despite network faults",
      arguments: [
        .stall, .reset, .closeWithoutAnswering, .json("{"), .json("[]"), .json(""),
        .text("<html>", status: 503, contentType: "text/html"), .json("{}", status: 401),
        .json("{}", status: 302, headers: ["Location": "https://192.0.2.1/"]),
        .raw("SSH-2.0-OpenSSH_9.6\r\n"),
        GitHubError.primaryRateLimit(status: 403, reset: 900).response(now: 1_800_000_000),
        LoopbackResponse.json("{").with { $0.framing = .declaredLength(5000) },
        LoopbackResponse.json(String(repeating: " ", count: 10_000)).dripping(
          1, every: .seconds(1)),
      ] as [LoopbackResponse])
    func faults(response: LoopbackResponse) async throws {
      try await withLoopbackServer { _ in
        response
      } perform: { server in
        try remember(["apple/swift"], on: server)
        let result = try await complete(
          ["swi", "--api-url", server.url],
          environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
        #expect(result.status == .exited(0))
        #expect(result.outputText == "apple/swift\n")
        #expect(result.errorText.isEmpty)
      }
    }

    @Test(
      "completion prints known names offline or behind a silent proxy",
      arguments: [true, false])
    func proxy(isSilent: Bool) async throws {
      try remember(["apple/swift", "ghe.example.com/a/swift"])
      try await withLoopbackServer { _ in
        .stall
      } perform: { server in
        let result = try await complete(
          ["swi"], environment: ["https_proxy": isSilent ? server.url : "http://127.0.0.1:9"])
        #expect(result.status == .exited(0))
        #expect(result.lines == ["apple/swift", "ghe.example.com/a/swift"])
        #expect(result.errorText.isEmpty)
      }
    }

    @Test("completion doesn't run gh, and an invalid token doesn't cause a request")
    func tokens() async throws {
      try remember(["apple/swift"])
      let gh = "\(scratch.path)/gh"
      try scratch.write(Data("#!/bin/sh\necho started > \(scratch.path)/started\n".utf8), to: "gh")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: gh)
      try await withLoopbackServer { _ in
        .stall
      } perform: { server in
        for token in ["t\u{1}oken", ""] {
          let connections = server.log.connectionCount
          let result = try await complete(
            ["swi"],
            environment: ["PATH": scratch.path, "https_proxy": server.url, "GH_TOKEN": token])
          #expect(result.status == .exited(0))
          #expect(result.outputText == "apple/swift\n")
          #expect(result.errorText.isEmpty)
          if !token.isEmpty { #expect(server.log.connectionCount == connections) }
        }
      }
      #expect(!scratch.names.contains("started"))
    }

    @Test("invalid names from any source don't reach the prompt")
    func hostile() async throws {
      let names = ["a/swift\\u001b[31m", "../swift", "a b/swift", "a/swift\\n", "swift", "a/swift"]
      var routes = RouteTable()
      routes.on("/search/repositories", Self.search(names))
      try await withLoopbackServer(answering: routes.handler) { server in
        try remember(["b/swift\u{1B}[31m", "$(id)/swift", "`id`/swift", "c/swift"], on: server)
        let result = try await complete(["swi", "--api-url", server.url], untilLines: 2)
        #expect(result.lines == ["c/swift", "a/swift"])
      }
    }

    @Test("completion with --stub uses sample data and neither network nor history")
    func stub() async throws {
      try await withLoopbackServer { _ in
        .stall
      } perform: { server in
        try remember(["apple/swift-of-mine"])
        let result = try await complete(
          ["apple/sw", "--stub"], untilLines: 1, environment: ["https_proxy": server.url])
        #expect(result.status == .exited(0))
        #expect(result.lines.contains("apple/swift-collections"))
        #expect(result.lines.allSatisfy { $0.hasPrefix("apple/sw") })
        #expect(!result.lines.contains("apple/swift-of-mine"))
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("a closed pipe ends a completion quietly")
    func closedPipe() async throws {
      try remember((0..<400).map { "apple/swift-\($0)" })
      let result = try await IssuesProgram.start(
        ["complete", "swi"],
        environment: ["XDG_STATE_HOME": scratch.path, "https_proxy": "http://127.0.0.1:9"],
        closesOutputAfter: 5
      ).result()
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
    }

    @Test("only wrong usage gives completion a nonzero exit status")
    func usage() async throws {
      try await complete(["a", "b"]).expectFailure(64, saying: ["b"])
      try await complete(["a", "--api-url", "ftp://x"]).expectFailure(64, saying: ["use one"])
    }
  }
}
