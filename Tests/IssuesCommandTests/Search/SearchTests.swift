import ArgumentParser
import IssueMirror
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("issues search", .timeLimit(.minutes(5)))
  struct SearchTests {
    private static let items = [
      FilledMirror.Item(
        number: 1, title: "Compiler crash when a macro expands to an empty switch",
        body: "It worked before.\n\nThe stack dump:\n\n1. `swift-frontend`", labels: ["bug"]),
      FilledMirror.Item(
        number: 2, title: "Slow type checker",
        body:
          "No crash, but a minute for this line, and the next, and all of those that come after it."
      ),
      FilledMirror.Item(
        number: 3, title: "Evil \u{1B}[31m crash\u{202E} title", isClosed: true,
        labels: ["\u{9B}x"],
        closedAt: Date(timeIntervalSinceNow: -86_400)),
      FilledMirror.Item(number: 4, title: "日本語の識別子を含む診断メッセージ"),
    ]

    private func mirror() async throws -> FilledMirror {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b", items: Self.items,
        comments: [
          FilledMirror.comment(
            11, on: 4, of: "a/b", body: "Here it is a crash with \u{1B}]8;;x\u{7}")
        ])
      return filled
    }

    @Test(
      "a terminal gets search results with the matching text",
      arguments: [
        ("search-mirror-80.txt", 80, [:]), ("search-mirror-40.txt", 40, [:]),
        ("search-mirror-80-palette.txt", 80, ["NO_COLOR": "", "TERM": "xterm-256color"]),
      ] as [(String, Int, [String: String])])
    func terminal(name: String, columns: Int, environment: [String: String]) async throws {
      let result = try await mirror().run(
        ["search", "crash", "sort:created-asc"],
        environment: IssuesProgram.plainTerminal.merging(environment) { $1 },
        connection: .terminal(columns: columns, rows: 40))
      #expect(result.status == .exited(0), "\(result.errorText)")
      if environment.isEmpty {
        for line in result.screen.split(separator: "\n") {
          #expect(HostileText.dangers(in: String(line)).isEmpty, "\(line)")
        }
      }
      try CommandSnapshot.expect(result.screen, named: name)
    }

    @Test("a pipe gets a line for each search result, and nothing else")
    func pipe() async throws {
      let result = try await mirror().run(["search", "crash macro"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.errorText.isEmpty)
      let line = try #require(result.lines.first)
      #expect(result.lines.count == 1)
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      #expect(
        cells.dropLast(2) == [
          "a/b", "1", "OPEN", "Compiler crash when a macro expands to an empty switch", "bug",
        ])
      #expect(cells.dropLast().last?.hasSuffix("Z") == true && cells.last == "issue")
    }

    @Test(
      "a word after a minus sign is excluded from the search, wherever it is",
      arguments: [
        (["crash", "-macro"], ["2", "3", "4"]), (["-macro", "crash"], ["2", "3", "4"]),
        (["-macro crash"], ["2", "3", "4"]), (["crash", "-label:bug"], ["2", "3", "4"]),
        (["-is:closed", "crash", "-macro"], ["2", "4"]), (["-crash"], []), (["診断メッセージ", "-日"], []),
        (["crash", "--", "-macro"], ["2", "3", "4"]),
        (["-macro", "-R", "a/b", "crash"], ["2", "3", "4"]),
        (["-macro", "-R=a/b", "crash"], ["2", "3", "4"]),
      ])
    func minus(words: [String], numbers: [String]) async throws {
      let result = try await mirror().run(["search", "sort:created-asc"] + words)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(
        result.lines.map { String($0.split(separator: "\t")[1]) }.sorted() == numbers)
    }

    @Test("a search word that looks like an option is parsed as one")
    func options() async throws {
      let help = IssuesCommand.helpMessage(for: SearchCommand.self)
      let letters = help.matches(of: /(?:^|[ ,])-([A-Za-z])\b/.anchorsMatchLineEndings())
      #expect(Set(letters.compactMap(\.output.1.first)) == SearchCommand.shortOptions)
      let result = try await mirror().run(["search", "crash", "-x"])
      #expect(result.status == .exited(64) && result.outputText.isEmpty)
      #expect(result.errorText.hasPrefix("issues: Unknown option '-x'"))
      let attached = try await mirror().run(["search", "-L1", "is:open", "-Ra/b"])
      #expect(attached.status == .exited(0), "\(attached.errorText)")
      #expect(attached.lines.count == 1)
      try await mirror().run(["search", "crash", "--macro"]).expectFailure(
        64, saying: ["'--macro'"])
      let short = try await mirror().run(["search", "-h"])
      #expect(short.outputText.hasPrefix("USAGE: issues search "))
    }

    @Test("JSON has each search result's address and matching text")
    func json() async throws {
      let result = try await mirror().run([
        "search", "frontend", "--json", "number,repository,snippet",
      ])
      #expect(result.status == .exited(0), "\(result.errorText)")
      struct Found: Decodable {
        var number: Int
        var repository: String
        var snippet: String
      }
      let list = try JSONDecoder().decode([Found].self, from: result.output)
      #expect(list.map(\.number) == [1])
      #expect(list.first?.repository == "a/b")
      #expect(list.first?.snippet.contains("swift-frontend") == true)
      let none = try await mirror().run(["search", "nosuchword", "--json"])
      #expect(none.outputText == "[]\n")
    }

    @Test("a search covers the named repositories, or all, and names each result's repository")
    func repositories() async throws {
      let filled = try await mirror()
      try await filled.add("c/d", items: [FilledMirror.Item(number: 7, title: "Another crash")])
      try await filled.add(
        "e/f", on: "ghe.example.com", items: [FilledMirror.Item(number: 9, title: "A third crash")])
      func found(_ arguments: [String]) async throws -> Set<String> {
        let result = try await filled.run(["search", "crash", "is:open"] + arguments)
        #expect(result.status == .exited(0), "\(result.errorText)")
        return Set(
          result.lines.map { $0.split(separator: "\t").prefix(2).joined(separator: "#") })
      }
      #expect(
        try await found([]) == ["a/b#1", "a/b#2", "a/b#4", "c/d#7", "ghe.example.com/e/f#9"])
      #expect(try await found(["-R", "c/d"]) == ["c/d#7"])
      #expect(
        try await found(["--repo", "C/D", "-R", "a/b"]) == ["a/b#1", "a/b#2", "a/b#4", "c/d#7"])
      #expect(try await found(["-R", "ghe.example.com/e/f"]) == ["ghe.example.com/e/f#9"])
      #expect(
        try await found(["--api-url", "https://ghe.example.com/api/v3"])
          == ["ghe.example.com/e/f#9"])
      try await filled.run(["search", "x", "--api-url", "http://127.0.0.1:5"])
        .expectFailure(3, saying: ["nothing of 127.0.0.1:5 is mirrored"])
      try await filled.run(["search", "x", "-R", "ghe.example.com/e/f", "-R", "a/b"])
        .expectFailure(64, saying: ["several"])
      for option in [["--stub"], ["--wait", "5m"], ["--retries", "0"], ["--timeout", "2s"]] {
        try await filled.run(["search", "x"] + option).expectFailure(
          64, saying: ["\(option[0]) only makes sense with --remote"])
      }
    }

    @Test("in a clone, a search covers its repository")
    func clone() async throws {
      let filled = try await mirror()
      try await filled.add("c/d", items: [FilledMirror.Item(number: 7, title: "Another crash")])
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", "git init -q; git remote add origin https://github.com/c/d"],
        environment: IssuesProgram.environment, workingDirectory: filled.folder.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      let result = try await filled.run(
        ["search", "crash"], workingDirectory: filled.folder.path)
      #expect(result.lines.map { $0.hasPrefix("c/d\t7\t") } == [true])
    }

    @Test("--limit cuts a search without a notice in a pipe")
    func limit() async throws {
      let filled = try await mirror()
      let cut = try await filled.run(["search", "crash", "--limit", "2"])
      #expect(cut.status == .exited(0))
      #expect(cut.lines.count == 2)
      #expect(cut.errorText.isEmpty)
      for arguments in [
        ["--limit", "4"], ["--limit", "2", "--all"], ["--limit", "9223372036854775807"],
        ["--limit", "9223372036854775807", "sort:created"],
      ] {
        let all = try await filled.run(["search", "crash"] + arguments)
        #expect(all.lines.count == 4)
        #expect(all.errorText.isEmpty)
      }
    }

    @Test("--all prints all matches, and a limited search says that not all were ranked")
    func many() async throws {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b", items: (1...1_300).map { FilledMirror.Item(number: $0, title: "crash \($0)") })
      let all = try await filled.run(["search", "crash", "--all"])
      #expect(all.status == .exited(0))
      #expect(all.lines.count == 1_300)
      #expect(all.errorText.isEmpty, "\(all.errorText)")
      let some = try await filled.run(["search", "crash", "--limit", "5"])
      #expect(some.lines.count == 5)
      #expect(some.errorText.contains("Only the newest matches were ranked; --all"))
      let list = try await filled.run(["list", "a/b", "--offline", "-S", "crash", "-L", "5"])
      #expect(list.lines.count == 5)
      #expect(list.errorText.contains("Only the newest matches were ranked; --all"))
      let sorted = try await filled.run(["search", "crash", "sort:created", "--limit", "5"])
      #expect(!sorted.errorText.contains("compared"))
    }

    @Test(
      "results beyond GitHub's maximum are reported, with an exit status",
      arguments: ["--all", "-L 2000"])
    func remoteCap(option: String) async throws {
      let github = LoopbackGitHub(repositories: [
        .swift(issues: SyntheticIssues(count: 1_300, pullRequests: 0))
      ])
      try await withLoopbackServer(answering: github.handler) { server in
        let place = ["--remote", "-R", "swiftlang/swift", "--api-url", server.url]
        let result = try await IssuesProgram.run(
          ["search", "state:all"] + place + option.split(separator: " ").map(String.init))
        result.expectFailure(
          1, saying: ["it ends at 1,000 of 1,300", "created:2025", "issues sync"])
        #expect(result.lines.count == 1_000)
        let some = try await IssuesProgram.run(["search", "state:all", "--limit", "200"] + place)
        #expect(some.status == .exited(0))
      }
    }

    @Test("a search without results succeeds, and a terminal shows the searched repositories")
    func nothing() async throws {
      let filled = try await mirror()
      let pipe = try await filled.run(["search", "nosuchword"])
      #expect(pipe.status == .exited(0))
      #expect(pipe.output.isEmpty && pipe.errorText.isEmpty)
      let screen = try await filled.run(
        ["search", "nosuchword"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: 100, rows: 30)
      ).screen
      #expect(screen.contains("Nothing in a/b matches nosuchword."))
      #expect(
        screen.contains(
          "From the mirror of a/b, synced about 3 hours ago: 'issues sync a/b' updates"))
    }

    @Test("a search in an unmirrored repository names two remedies, and creates no mirror")
    func missing() async throws {
      let filled = try await mirror()
      for arguments in [["-R", "no/such"], ["repo:no/such"], ["repo:a/b", "repo:no/such"]] {
        try await filled.run(["search", "x"] + arguments).expectFailure(
          3, saying: ["no/such", "issues sync no/such", "--remote"])
      }
      let scratch = try ScratchFolder()
      try await IssuesProgram.run(["search", "x"], environment: ["XDG_DATA_HOME": scratch.path])
        .expectFailure(3, saying: ["nothing is mirrored", "issues sync", "--remote"])
      #expect(scratch.names.isEmpty)
    }

    @Test("an incomplete mirror is searched, and reported as incomplete")
    func incomplete() async throws {
      let filled = try FilledMirror()
      try await filled.add("a/b", items: Self.items, isComplete: false)
      let result = try await filled.run(["search", "crash"])
      #expect(!result.lines.isEmpty)
      #expect(
        result.errorText.contains(
          "The mirror of a/b is incomplete: 'issues sync a/b' continues it."))
    }

    @Test("--remote queries the server in the syntax of its own search")
    func remote() async throws {
      var routes = RouteTable()
      let object = Self.items[0].json
      routes.on(
        "/search/issues",
        .json(#"{"total_count":1,"incomplete_results":false,"items":[\#(object)]}"#))
      try await withLoopbackServer(answering: routes.handler) { server in
        let result = try await IssuesProgram.run([
          "search", "crash", "is:open", "--remote", "-R", "a/b", "--api-url", server.url,
        ])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.count == 1)
        #expect(result.lines.first?.contains("a/b\t1\tOPEN\tCompiler crash") == true)
        let request = try #require(server.log.requests.first)
        #expect(request.path == "/search/issues")
        #expect(request.queryValue("q") == "crash is:open repo:a/b")
      }
    }

    @Test(
      "--remote passes GitHub's syntax on unchanged",
      arguments: [
        (["org:apple", "user:octocat language:swift"], "org:apple user:octocat language:swift"),
        (["reactions:>10 reason:completed"], "reactions:>10 reason:completed"),
        (["linked:pr", "project:apple/12"], "linked:pr project:apple/12"),
        (["archived:false draft:true"], "archived:false draft:true"),
        (["author:@me created:>@today-7d"], "author:@me created:>@today-7d"),
        (["created:2024", "sort:reactions-+1"], "created:2024 sort:reactions-+1"),
        (
          ["(is:open AND (label:bug OR label:crash))", "-linked:pr"],
          "(is:open AND (label:bug OR label:crash)) -linked:pr"
        ),
        (["NOT  crash"], "NOT  crash"), (["\"a  (b) OR\" 日本語"], "\"a  (b) OR\" 日本語"),
        (["nosuch:thing", "no:project"], "nosuch:thing no:project"),
        (["state:all", "\"open"], "state:all \"open"),
      ])
    func untouched(words: [String], query: String) async throws {
      var routes = RouteTable()
      routes.on(
        "/search/issues", .json(#"{"total_count":0,"incomplete_results":false,"items":[]}"#))
      try await withLoopbackServer(answering: routes.handler) { server in
        let result = try await IssuesProgram.run(
          ["search", "--remote", "--api-url", server.url] + words)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let request = try #require(server.log.requests.first)
        #expect(request.queryValue("q") == query)
        #expect(request.queryValue("advanced_search") == "true")
      }
    }

    @Test("--remote replaces the words for times that GitHub doesn't know")
    func times() async throws {
      var routes = RouteTable()
      routes.on(
        "/search/issues", .json(#"{"total_count":0,"incomplete_results":false,"items":[]}"#))
      try await withLoopbackServer(answering: routes.handler) { server in
        let words = ["updated:>=yesterday", "(Closed:today OR created:<7d)", #""created:today""#]
        let result = try await IssuesProgram.run(
          ["search", "--remote", "--api-url", server.url] + words)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let query = try #require(server.log.requests.first?.queryValue("q"))
        let time = #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"#
        let expected = try Regex(
          #"updated:>=\#(time) \(Closed:\#(time)\.\.\#(time) OR created:<\#(time)\) "created:today""#
        )
        #expect(try expected.wholeMatch(in: query) != nil, "\(query)")
      }
    }

    @Test(
      "an OR in a remote search stays within the repositories of --repo and of the clone",
      arguments: [
        (["crash OR hang"], "(crash OR hang) repo:c/d"),
        (["crash OR hang", "-R", "a/b", "-R", "e/f"], "(crash OR hang) (repo:a/b OR repo:e/f)"),
        (["crash", "-R", "a/b", "-R", "e/f"], "crash (repo:a/b OR repo:e/f)"),
        (["\"this OR that\""], "\"this OR that\" repo:c/d"),
        (["crash"], "crash repo:c/d"), (["crash", "repo:x/y"], "crash repo:x/y"),
        (["(user:@me OR org:apple)"], "(user:@me OR org:apple)"),
        (["\"org:apple\""], "\"org:apple\" repo:c/d"),
      ])
    func places(words: [String], query: String) async throws {
      let scratch = try ScratchFolder()
      var routes = RouteTable()
      routes.on(
        "/search/issues", .json(#"{"total_count":0,"incomplete_results":false,"items":[]}"#))
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", "git init -q; git remote add origin https://github.com/c/d"],
        environment: IssuesProgram.environment, workingDirectory: scratch.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      try await withLoopbackServer(answering: routes.handler) { server in
        let result = try await IssuesProgram.run(
          ["search", "--remote", "--api-url", server.url] + words, workingDirectory: scratch.path)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(server.log.requests.first?.queryValue("q") == query)
      }
    }

    @Test("a remote search finds an issue in each of two repositories")
    func remoteRepositories() async throws {
      let github = LoopbackGitHub(repositories: [
        .swift(issues: SyntheticIssues(count: 20)),
        LoopbackRepository(id: 2, owner: "ada", name: "engine", issues: SyntheticIssues(count: 30)),
      ])
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run([
          "search", "state:all", "--remote", "-R", "swiftlang/swift", "-R", "ada/engine", "--all",
          "--api-url", server.url,
        ])
        #expect(result.status == .exited(0), "\(result.errorText)")
        // The loopback server numbers issues of both alike, and a list of GitHub's takes those for one issue.
        #expect(
          Set(result.lines.map { $0.prefix { $0 != "\t" } })
            == ["\(server.host)/swiftlang/swift", "\(server.host)/ada/engine"])
      }
    }

    @Test("a qualifier unknown to the mirror is refused, with --remote as a remedy")
    func unknownWord() async throws {
      try await IssuesProgram.run(["search", "org:apple"]).expectFailure(
        64, saying: ["org:apple", "--remote"])
    }

    @Test("a failed server is reported by a search as by other lists")
    func remoteFailure() async throws {
      try await withLoopbackServer { _ in
        GitHubError.badCredentials.response(now: 1_800_000_000)
      } perform: { server in
        try await IssuesProgram.run([
          "search", "crash", "--remote", "--api-url", server.url, "--retries", "0",
        ]).expectFailure(4, saying: ["token"])
      }
    }

    @Test(
      "search --web opens the server's search",
      arguments: [
        (["-R", "a/b"], "https://github.com/a/b/issues?q=crash%20is%3Aopen"),
        ([], "https://github.com/search?q=crash%20is%3Aopen&type=issues"),
        (["org:apple"], "https://github.com/search?q=crash%20is%3Aopen%20org%3Aapple&type=issues"),
      ])
    func web(arguments: [String], url: String) async throws {
      let result = try await IssuesProgram.run(["search", "crash", "is:open", "--web"] + arguments)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.outputText == "\(url)\n")
    }

    @Test(
      "an invalid search is refused",
      arguments: [
        ["search"], ["search", ""], ["search", "nosuch:thing"], ["search", "\"open"],
        ["search", "x", "--json", "no-such"], ["search", "x", "-R", "a"],
      ])
    func usage(arguments: [String]) async throws {
      try await IssuesProgram.run(arguments).expectFailure(64, saying: [])
    }
  }
}
