import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Views on the command line", .timeLimit(.minutes(5)))
  struct ViewListTests {
    private let scratch: ScratchFolder

    init() throws {
      scratch = try ScratchFolder()
      try configure(
        """
        [views.triage]
        query = "is:open label:bug"
        sort = "created-asc"
        repositories = "swiftlang/swift"
        limit = 3
        [views.words]
        query = "crash is:closed"
        repositories = "swiftlang/swift"
        [views.both]
        query = "is:open crash"
        repositories = ["swiftlang/swift", "a/b"]
        [views.mine]
        query = "assignee:@me"
        repositories = "all"
        [views.here]
        query = "is:closed"
        """)
    }

    private func configure(_ text: String) throws {
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      try scratch.write(Data(text.utf8), to: "issues/config.toml")
    }

    private func run(
      _ arguments: [String], _ server: LoopbackServer? = nil,
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        arguments + (server.map { ["--api-url", $0.url] } ?? []),
        environment: ["XDG_CONFIG_HOME": scratch.path, "NO_COLOR": "1"], connection: connection)
    }

    @Test("a view of one repository is shown as a list if possible")
    func list() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let view = try await run(["@triage"], server)
        #expect(view.status == .exited(0), "\(view.errorText)")
        let list = try await run(
          ["swiftlang/swift", "-l", "bug", "--order", "asc", "-L", "3"], server)
        #expect(view.lines == list.lines)
        #expect(view.lines.count == 3)
        #expect(server.log.requests.allSatisfy { $0.path != "/search/issues" })
        #expect(try await run(["list", "@triage"], server).lines == list.lines)
        // A word behind --json isn't taken for fields.
        let json = try await run(["--json", "@triage"], server)
        #expect(json.status == .exited(0), "\(json.errorText)")
      }
    }

    @Test(
      "options replace or narrow the view's own",
      arguments: [
        (["@triage", "-L", "1"], ["swiftlang/swift", "-l", "bug", "--order", "asc", "-L", "1"]),
        (
          ["@triage", "-s", "closed"],
          ["swiftlang/swift", "-l", "bug", "--order", "asc", "-s", "closed", "-L", "3"]
        ),
        (
          ["@triage", "--sort", "updated"],
          ["swiftlang/swift", "-l", "bug", "--sort", "updated", "-L", "3"]
        ),
        (["@triage", "-R", "a/b", "--all"], ["a/b", "-l", "bug", "--order", "asc", "--all"]),
        (
          ["@triage", "-l", "compiler"],
          ["swiftlang/swift", "-l", "bug", "-l", "compiler", "--order", "asc", "-L", "3"]
        ),
        (["@here", "-R", "swiftlang/swift"], ["swiftlang/swift", "-s", "closed"]),
      ])
    func options(view: [String], list: [String]) async throws {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [.swift()]
      configuration.anyRepository = SyntheticIssues(count: 20)
      let github = LoopbackGitHub(configuration)
      try await withLoopbackServer(answering: github.handler) { server in
        let shown = try await run(view, server)
        #expect(shown.status == .exited(0), "\(shown.errorText)")
        let expected = try await run(list, server)
        #expect(shown.lines == expected.lines)
      }
    }

    @Test(
      "a view that a list can't express becomes a search",
      arguments: [
        (["@words"], "repo:swiftlang/swift crash is:closed is:issue sort:created-desc"),
        (
          ["@words", "-S", "macro"],
          "repo:swiftlang/swift crash is:closed macro is:issue sort:created-desc"
        ),
        (
          ["@words", "-s", "open"], "repo:swiftlang/swift crash is:issue is:open sort:created-desc"
        ),
        (["@both"], "is:open crash is:issue (repo:swiftlang/swift OR repo:a/b)"),
        (
          ["@both", "-A", "ada"],
          "is:open crash is:issue author:ada (repo:swiftlang/swift OR repo:a/b)"
        ),
        (["@both", "-R", "c/d"], "repo:c/d is:open crash is:issue sort:created-desc"),
        (["@mine"], "assignee:@me is:issue"),
        (["search", "@both", "--remote"], "is:open crash (repo:swiftlang/swift OR repo:a/b)"),
        (
          ["search", "@triage", "hang", "--remote"],
          "is:open label:bug sort:created-asc hang repo:swiftlang/swift"
        ),
        (
          ["search", "@triage", "sort:updated", "--remote"],
          "is:open label:bug sort:updated repo:swiftlang/swift"
        ),
        (["search", "@mine", "--remote"], "assignee:@me"),
      ])
    func search(arguments: [String], query: String) async throws {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [.swift()]
      configuration.anyRepository = SyntheticIssues(count: 2)
      let github = LoopbackGitHub(configuration)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await run(arguments, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let request = try #require(server.log.requests.last { $0.path == "/search/issues" })
        #expect(request.queryValue("q") == query)
      }
    }

    @Test("a missing view and an invalid configuration are refused")
    func wrong() async throws {
      try await run(["@triag"]).expectFailure(
        64, saying: ["no view @triag", "Did you mean @triage?"])
      try await run(["search", "@xyzzy"]).expectFailure(64, saying: ["@triage, @words, @both"])
      try configure("[views.triage]\nqurey = \"x\"\n")
      for arguments in [["@triage"], ["search", "@triage"], ["@other"]] {
        try await run(arguments).expectFailure(
          78,
          saying: ["config.toml:2:1: there is no setting of a view 'qurey'", "issues config edit"])
      }
      try FileManager.default.removeItem(atPath: scratch["issues/config.toml"])
      try await run(["@triage"]).expectFailure(64, saying: ["no view @triage", "has no views"])
    }

    @Test("the configured columns apply to a terminal and not to a pipe")
    func columns() async throws {
      try configure("columns = [\"author\", \"comments\", \"created\"]")
      let arguments = ["swiftlang/swift", "-L", "3"]
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let terminal = try await run(
          arguments, server, connection: .terminal(columns: 120, rows: 30))
        let header = terminal.screen.split(separator: "\n").first { $0.hasPrefix("ID") }
        #expect(
          header?.split(separator: " ") == ["ID", "TITLE", "AUTHOR", "COMMENTS", "CREATED"])
        let whole = try await run(
          arguments + ["--assignees"], server, connection: .terminal(columns: 140, rows: 30))
        #expect(whole.screen.contains("ASSIGNEES"))
        let pipe = try await run(arguments, server)
        try configure("nosuch = 1\ntheme = 3")
        #expect(try await run(arguments, server).output == pipe.output)
        let other = try await run(arguments, server, connection: .terminal(columns: 120, rows: 30))
        #expect(other.screen.contains("LABELS") && !other.screen.contains("config.toml"))
        try configure("columns = [\"autor\"]")
        let wrong = try await run(arguments, server, connection: .terminal(columns: 120, rows: 30))
        #expect(wrong.status == .exited(0))
        #expect(wrong.screen.contains("config.toml:1:11: there is no column 'autor'"))
        #expect(wrong.screen.contains("LABELS"))
        #expect(try await run(arguments, server).output == pipe.output)
        #expect(try await !run(arguments, server).errorText.contains("config.toml"))
      }
    }

    @Test("a mirrored list has the same columns as the server's")
    func mirroredColumns() async throws {
      try configure("columns = [\"author\", \"milestone\", \"comments\", \"created\", \"updated\"]")
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        let arguments = ["swiftlang/swift", "--api-url", server.url, "-L", "9", "-s", "all"]
        let environment = ["XDG_CONFIG_HOME": scratch.path, "NO_COLOR": "1"]
        let terminal = CommandRun.Connection.terminal(columns: 150, rows: 40)
        let online = try await scene.run(
          arguments, environment: environment, connection: terminal)
        let offline = try await scene.run(
          arguments + ["--offline"], environment: environment, connection: terminal)
        #expect(online.screen.contains("MILESTONE"))
        #expect(offline.screen.hasSuffix(online.screen), "\(offline.screen)")
      }
    }
  }
}
