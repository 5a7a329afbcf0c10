import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("One issue", .timeLimit(.minutes(5)))
  struct ViewTests {
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 20, pullRequests: 0, closed: 0))

    /// A GitHub whose issue 7 has so many comments.
    private static func github(comments: Int = 0) -> LoopbackGitHub {
      let github = LoopbackGitHub(repositories: [repository])
      github.changeIssue(7, of: repository) { issue in
        issue.title = "It crashes"
        issue.body = "One\r\n\r\n\ttwo"
        issue.comments = comments
        issue.author = "ada"
        issue.labels = [.init("bug", color: "d73a4a"), .init("help wanted", color: "008672")]
        issue.assignees = ["grace-h", "tony"]
        issue.milestone = 2
      }
      return github
    }

    /// The paths and queries that a server was asked for.
    private static func targets(_ server: LoopbackServer) -> [String] {
      server.log.requests.map(\.target)
    }

    private static let issuePath = "/repos/swiftlang/swift/issues/7"

    @Test("a pipe gets a line for each field of an issue, and the text quoted")
    func plain() async throws {
      try await withLoopbackServer(answering: Self.github(comments: 3).handler) { server in
        let result = try await IssuesProgram.run(
          ["view", "swiftlang/swift", "7", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.errorText.isEmpty)
        #expect(
          result.outputText == """
            title:\tIt crashes
            state:\tOPEN
            author:\tada
            labels:\tbug, help wanted
            comments:\t3
            assignees:\tgrace-h, tony
            milestone:\t6.3
            number:\t7
            kind:\tissue
            --
            > One
            >\u{20}
            > \ttwo

            """)
        // The issue, and nothing else.
        #expect(Self.targets(server) == [Self.issuePath])
      }
    }

    @Test(
      "an issue is accepted in every common form",
      arguments: [
        ["view", "swiftlang/swift", "7"], ["view", "swiftlang/swift", "#7"],
        ["view", "swiftlang/swift#7"], ["view", "https://github.com/swiftlang/swift/issues/7"],
        ["view", "https://github.com/swiftlang/swift/pull/7/files#diff"], ["swiftlang/swift#7"],
        ["https://github.com/swiftlang/swift/issues/7#issuecomment-1"],
        ["--color", "never", "https://github.com/swiftlang/swift/issues/7"],
      ])
    func names(arguments: [String]) async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await IssuesProgram.run(arguments + ["--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.lines.first == "title:\tIt crashes")
        #expect(Self.targets(server) == [Self.issuePath])
      }
    }

    @Test(
      "with options for lists only, an issue's address shows its repository's list",
      arguments: [
        ["list", "https://github.com/swiftlang/swift/issues/7"],
        ["https://github.com/swiftlang/swift/issues/7", "--limit", "30"],
      ])
    func list(arguments: [String]) async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await IssuesProgram.run(arguments + ["--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.numbers == Array((1...20).reversed()))
        #expect(
          result.errorLines == ["This is the repository's list. 'issues view' shows issue #7."])
      }
    }

    @Test("struck text keeps its tildes without styles")
    func struckText() async throws {
      let github = Self.github()
      github.changeIssue(7, of: Self.repository) { $0.body = "It ~~works~~ crashes." }
      try await withLoopbackServer(answering: github.handler) { server in
        for (environment, text) in [
          (["NO_COLOR": "1"], "It ~~works~~ crashes."),
          ([:], "It \u{1B}[9mworks\u{1B}[0m crashes."),
        ] {
          let result = try await IssuesProgram.run(
            ["view", "swiftlang/swift", "7", "--api-url", server.url], environment: environment,
            connection: .terminal(columns: 80, rows: 24))
          #expect(result.status == .exited(0))
          #expect(result.screen.contains("\n\(text)\n"), "\(result.screen)")
        }
      }
    }

    @Test("in a clone, a number alone names an issue")
    func clone() async throws {
      let scratch = try ScratchFolder()
      let script = """
        cd "$clone" && git init -q . && git remote add origin https://github.com/apple/swift.git \
          && "$issues" view 7 "$@"
        """
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await IssuesProgram.shell(
          script, ["--api-url", server.url], environment: ["clone": scratch.path])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.first == "title:\tIt crashes")
      }
      let outside = try await IssuesProgram.run(["view", "7", "--api-url", "http://127.0.0.1:9"])
      outside.expectFailure(64, saying: ["not inside a git repository"])
    }

    @Test("all comments follow the issue, each once, from every page", arguments: [0, 1, 250])
    func comments(count: Int) async throws {
      let (result, targets) = try await withLoopbackServer(
        answering: Self.github(comments: count).handler
      ) { server in
        let result = try await IssuesProgram.run(
          ["view", "swiftlang/swift", "7", "--comments", "--api-url", server.url])
        return (result, Self.targets(server))
      }
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
      let said = result.lines.filter { $0.hasPrefix("> Comment ") }
      let all = (0..<count).map { "> Comment \($0 + 1): I see this too." }
      #expect(said == all)
      let lines = count == 0 ? 1 : 2 + 2 * count
      #expect(result.lines.filter { $0 == "--" }.count == lines)
      #expect(result.lines.filter { $0 == "association:\tcontributor" }.count == count)
      // Requested together with the issue, before its comment count is known.
      let pages = targets.filter { $0.contains("/comments") }
      #expect(pages.count == max(1, (count + 99) / 100))
      #expect(Set(pages).count == pages.count)
    }

    @Test("the first comments are printed before the next page arrives")
    func streaming() async throws {
      let gate = Gate()
      let github = Self.github(comments: 150)
      try await withLoopbackServer { request in
        let response = await github.handler(request)
        return request.queryValue("page") == nil ? response : response.held(by: gate)
      } perform: { server in
        let run = try IssuesProgram.start(
          ["view", "swiftlang/swift", "7", "--comments", "--api-url", server.url])
        try await run.waitFor("Comment 100: ")
        #expect(!gate.isOpen)
        gate.open()
        let result = try await run.result()
        #expect(result.status == .exited(0))
        #expect(result.outputText.contains("Comment 150: "))
      }
    }

    @Test("the status line names the pending request, and is erased afterwards")
    func statusLine() async throws {
      let gate = Gate()
      let github = Self.github(comments: 150)
      try await withLoopbackServer { request in
        let response = await github.handler(request)
        return request.queryValue("page") == nil ? response : response.held(by: gate)
      } perform: { server in
        let run = try IssuesProgram.start(
          ["view", "swiftlang/swift", "7", "--comments", "--api-url", server.url],
          environment: IssuesProgram.plainTerminal, connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("\rLoading the comments on swiftlang/swift#7… 100 so far")
        gate.open()
        let result = try await run.result()
        #expect(result.status == .exited(0))
        #expect(!result.screen.contains("so far"))
        #expect(!result.screen.contains("\u{1B}"))
      }
    }

    @Test("an issue of a renamed repository is shown, with the new name")
    func renamed() async throws {
      try await withLoopbackServer(answering: Self.github(comments: 2).handler) { server in
        let result = try await IssuesProgram.run(
          ["view", "apple/swift", "7", "--comments", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.errorText == "apple/swift#7 is now swiftlang/swift#7.\n")
        #expect(result.lines.filter { $0.hasPrefix("> Comment ") }.count == 2)
      }
    }

    @Test("a transferred issue is shown with its comments in the new repository")
    func transferred() async throws {
      let github = Self.github(comments: 2)
      try await withLoopbackServer { request in
        guard request.path.hasPrefix("/repos/old/place/issues/3") else {
          return await github.handler(request)
        }
        return request.path.hasSuffix("/comments")
          ? .json("{}", status: 404)
          : LoopbackResponse(status: 301, headers: ["Location": Self.issuePath])
      } perform: { server in
        let result = try await IssuesProgram.run(
          ["view", "old/place#3", "--comments", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.errorText == "old/place#3 is now swiftlang/swift#7.\n")
        #expect(result.lines.filter { $0.hasPrefix("> Comment ") }.count == 2)
      }
    }

    @Test("viewing an issue records its repository in the history, with the server's spelling")
    func history() async throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_STATE_HOME": scratch.path]
      try await withLoopbackServer(answering: Self.github().handler) { server in
        _ = try await IssuesProgram.run(
          ["view", "Apple/Swift", "7", "--api-url", server.url], environment: environment)
        _ = try await IssuesProgram.run(
          ["view", "no/where", "7", "--api-url", server.url], environment: environment)
        let history = try await IssuesProgram.run(["history"], environment: environment)
        #expect(history.lines == ["\(server.url.dropFirst("http://".count))/swiftlang/swift"])
      }
    }

    @Test("a second view of an issue transfers nothing")
    func cache() async throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_CACHE_HOME": scratch.path]
      let statuses = Watched<[Int]>([])
      let github = Self.github()
      try await withLoopbackServer { request in
        let response = await github.handler(request)
        statuses.update { $0.append(response.status) }
        return response
      } perform: { server in
        let arguments = ["view", "swiftlang/swift", "7", "--api-url", server.url]
        let first = try await IssuesProgram.run(arguments, environment: environment)
        let second = try await IssuesProgram.run(arguments, environment: environment)
        #expect(first.outputText == second.outputText)
        #expect(statuses.read { $0 } == [200, 304])
      }
    }

    @Test("the pager gets the issue's page, with colors and without hyperlinks")
    func pager() async throws {
      let github = Self.github()
      github.changeIssue(7, of: Self.repository) {
        $0.body = "See [the page](https://example.com/x)."
      }
      try await withLoopbackServer(answering: github.handler) { server in
        let arguments = ["view", "swiftlang/swift", "7", "--api-url", server.url]
        let terminal = CommandRun.Connection.terminal(columns: 80, rows: 24)
        let kitty = ["KITTY_WINDOW_ID": "1"]
        let paged = try await IssuesProgram.run(
          arguments, environment: kitty.merging(["PAGER": "sed 's/^/| /'"]) { $1 },
          connection: terminal)
        #expect(paged.status == .exited(0))
        #expect(paged.screen.hasPrefix("| \n| \u{1B}[1mIt crashes"))
        #expect(!paged.screen.contains("\u{1B}]8;"))
        #expect(paged.screen.contains("https://example.com/x"))
        let plain = try await IssuesProgram.run(
          arguments, environment: kitty, connection: terminal)
        #expect(plain.screen.contains("\u{1B}]8;;https://example.com/x\u{1B}\\"))
      }
    }

    @Test("without --comments, a terminal gets the number of comments and a hint")
    func hint() async throws {
      for (count, words) in [
        (0, nil), (1, "is 1 comment: see it"), (12, "are 12 comments: see them"),
      ] {
        try await withLoopbackServer(answering: Self.github(comments: count).handler) { server in
          let result = try await IssuesProgram.run(
            ["view", "swiftlang/swift", "7", "--api-url", server.url],
            environment: IssuesProgram.plainTerminal, connection: .terminal(columns: 80, rows: 24))
          #expect(result.status == .exited(0))
          let hint = words.map { "\nThere \($0) with --comments.\n" }
          let address = "View this issue: \(server.url)/swiftlang/swift/issues/7\n"
          #expect(result.screen.hasSuffix((hint ?? "\n") + address))
          #expect(result.screen.contains("--comments") == (hint != nil))
        }
      }
    }
  }
}
