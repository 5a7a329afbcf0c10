import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("--json at every position", .timeLimit(.minutes(5)))
  struct JSONOptionTests {
    /// Command lines with a field of their output.
    static let lines: [(arguments: [String], field: String)] = [
      (["list", "apple/swift"], "number"), (["apple/swift"], "number"),
      (["view", "swiftlang/swift", "85968"], "number"), (["user", "octocat"], "login"),
      (["repos", "octocat"], "full_name"), (["search-repos", "swift"], "full_name"),
      (["search", "--remote", "crash"], "number"), (["auth", "status"], "host"),
    ]

    @Test(
      "--json takes its fields before and after other options, joined or separate",
      arguments: lines)
    func fields(arguments: [String], field: String) async throws {
      let option = "--color"
      for form in [
        ["--json=\(field)", option, "never"], ["--json", field, option, "never"],
        [option, "never", "--json=\(field)"], [option, "never", "--json", field],
      ] {
        for line in [arguments + form, Self.inFront(form, of: arguments)] {
          let result = try await IssuesProgram.run(line + ["--stub"])
          #expect(result.status == .exited(0), "\(line): \(result.errorText)")
          let object = result.outputText.drop { $0 != "{" }.prefix { $0 != "," && $0 != "}" }
          #expect(object.hasPrefix("{\"\(field)\":"), "\(line): \(result.outputText.prefix(200))")
          #expect(result.outputText.hasPrefix("{") || result.outputText.contains("]"))
        }
      }
    }

    @Test("--jsonl prints one object per line, with the fields of --fields", arguments: lines)
    func jsonLines(arguments: [String], field: String) async throws {
      let array = try await IssuesProgram.run(arguments + ["--fields", field, "--stub"])
      let json = try await IssuesProgram.run(arguments + ["--json", field, "--stub"])
      #expect(array.outputText == json.outputText && array.status == .exited(0))
      let objects = array.outputText.split(separator: "\n").filter { $0.first == "{" }
        .map { $0.last == "," ? $0.dropLast() : $0 }
      #expect(!objects.isEmpty)
      for form in [["--jsonl", "--fields=\(field)"], ["--json", field, "--jsonl"]] {
        let result = try await IssuesProgram.run(arguments + form + ["--stub"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText == objects.map { "\($0)\n" }.joined())
      }
      let whole = try await IssuesProgram.run(arguments + ["--jsonl", "--stub"])
      #expect(whole.lines.count == objects.count)
      #expect(whole.lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
      let values = try await IssuesProgram.run(
        arguments + ["--jsonl", "-q", ".\(field)", "--stub"])
      #expect(values.lines.count == objects.count, "\(values.errorText)")
      #expect(values.lines.allSatisfy { !$0.contains("{") })
      let unknown = try await IssuesProgram.run(
        arguments + ["--jsonl", "--fields", "bogus", "--stub"])
      unknown.expectFailure(64, saying: ["'bogus'", field])
    }

    @Test("--jsonl prints each page on arrival, and an interrupted output is valid JSON lines")
    func streamedLines() async throws {
      let github = LoopbackGitHub(
        repositories: [
          .swift(issues: SyntheticIssues(count: 250, pullRequests: 0, closed: 0))
        ])
      let pages = Watched<[String]>([])
      github.intercept(
        times: 9,
        where: { request in
          guard request.path.hasSuffix("/issues") else { return false }
          return pages.update { pages in
            if !pages.contains(request.target) { pages.append(request.target) }
            return pages.firstIndex(of: request.target) == 1
          }
        }, response: { _, _ in LoopbackResponse(status: 404, body: Data("{}".utf8)) })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run([
          "swiftlang/swift", "--all", "--jsonl", "--fields", "number", "--api-url", server.url,
        ])
        #expect(result.lines.count == 100)
        #expect(result.lines.first == "{\"number\":250}" && result.lines.last == "{\"number\":151}")
        result.expectFailure(3, saying: ["it broke off after 100"])
      }
    }

    @Test("--jsonl prints comments on the line of their issue")
    func commentLines() async throws {
      let result = try await IssuesProgram.run([
        "view", "swiftlang/swift", "85968", "--jsonl", "--fields", "number,comments_list", "--stub",
      ])
      #expect(result.lines.count == 1, "\(result.errorText)")
      #expect(result.outputText.hasPrefix("{\"number\":85968,\"comments_list\":["))
    }

    @Test(
      "contradictory JSON options are refused",
      arguments: [
        (["--json", "number", "--fields", "title"], "leave one of them out"),
        (["--fields", ""], "--fields requires names"), (["-q", "."], "--jq requires --json"),
      ])
    func contradictions(options: [String], words: String) async throws {
      try await IssuesProgram.run(["apple/swift", "--stub"] + options)
        .expectFailure(64, saying: [words])
    }

    @Test("an unknown field is refused, before another option too", arguments: lines)
    func unknown(arguments: [String], field: String) async throws {
      for form in [["--json=bogus", "--color", "never"], ["--json", "\(field),bogus"]] {
        let result = try await IssuesProgram.run(arguments + form + ["--stub"])
        result.expectFailure(64, saying: ["'bogus'", field])
        #expect(result.outputText.isEmpty)
      }
    }

    @Test(
      "--json without fields doesn't consume the argument after it",
      arguments: [
        ["list", "--json", "apple/swift"], ["--json", "apple/swift", "--limit", "1"],
        ["--limit", "1", "--json", "apple/swift"], ["apple/swift", "--json", "--limit", "1"],
        ["view", "--json", "swiftlang/swift#85968"],
        ["view", "--json", "swiftlang/swift", "85968"],
        ["view", "swiftlang/swift", "--json", "85968"], ["user", "--json", "octocat"],
        ["repos", "--json", "octocat", "--limit", "1"], ["search-repos", "--json", "swift"],
        ["search", "--remote", "--json", "crash"],
      ])
    func alone(arguments: [String]) async throws {
      let result = try await IssuesProgram.run(arguments + ["--stub"])
      #expect(result.status == .exited(0), "\(arguments): \(result.errorText)")
      #expect(result.outputText.contains("{\"") && result.outputText.contains("_url\":"))
    }

    @Test(
      "the fields of --json aren't taken for a missing argument",
      arguments: [
        ["search", "--json", "number,title"], ["search", "--json", "a,b"],
        ["search", "--remote", "--json", "title"],
        ["search-repos", "--json", "full_name,html_url"],
        ["search-repos", "--json=name"], ["user", "--json", "login"], ["repos", "--json", "name"],
      ])
    func missingArgument(arguments: [String]) async throws {
      let result = try await IssuesProgram.run(arguments + ["--stub"])
      result.expectFailure(64, saying: ["Specify "])
      #expect(result.outputText.isEmpty)
    }

    @Test("sync --json has its own fields, and doesn't take a repository for one")
    func sync() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let first = try await scene.run([
          "sync", "--json=full_name,updated", "--api-url", server.url, "swiftlang/swift",
        ])
        #expect(
          first.outputText == "[\n{\"full_name\":\"swiftlang/swift\",\"updated\":0}\n]\n",
          "\(first.errorText)")
        let second = try await scene.run([
          "sync", "--json", "swiftlang/swift", "--api-url", server.url,
        ])
        #expect(second.outputText.contains("\"synced_to\":"), "\(second.errorText)")
        let wrong = try await scene.run([
          "sync", "--json=bogus", "--api-url", server.url, "swiftlang/swift",
        ])
        wrong.expectFailure(64, saying: ["'bogus'", "full_name"])
      }
    }

    @Test(
      "a repository's credential is printed only if its field is requested by name",
      arguments: [["repos", "a"], ["search-repos", "x"]])
    func credentials(arguments: [String]) async throws {
      let token = "AABBTEMPORARYTOKEN"
      let repository = """
        {"id":1,"full_name":"a/b","owner":{"login":"a"},"temp_clone_token":"\(token)","private":true,\
        "template_repository":{"full_name":"a/c","temp_clone_token":"\(token)"},"size":1}
        """
      let handler: LoopbackServer.Handler = { request in
        request.path.hasPrefix("/search")
          ? .json("{\"items\":[\(repository)]}") : .json("[\(repository)]")
      }
      try await withLoopbackServer(answering: handler) { server in
        func json(_ options: String...) async throws -> String {
          let result = try await IssuesProgram.run(
            arguments + options + ["--api-url", server.url, "--no-cache"])
          #expect(result.status == .exited(0), "\(result.errorText)")
          return result.outputText
        }
        let whole = repository.replacing("\"\(token)\"", with: "null")
        let all = try await json("--json")
        #expect(all == "[\n\(whole)\n]\n")
        let nested = try await json("--json=template_repository")
        #expect(nested.contains(#"{"full_name":"a/c","temp_clone_token":null}"#))
        let named = try await json("--json=temp_clone_token")
        #expect(named == "[\n{\"temp_clone_token\":\"\(token)\"}\n]\n")
      }
    }

    /// The command line with options in front of the subcommand's arguments.
    private static func inFront(_ options: [String], of arguments: [String]) -> [String] {
      let names = arguments.prefix { !$0.contains("/") && !$0.hasPrefix("--") }
      let count = ["user", "repos", "search-repos"].contains(arguments[0]) ? 1 : names.count
      return arguments.prefix(count) + options + arguments.dropFirst(count)
    }
  }
}
