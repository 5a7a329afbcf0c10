import HTTPTargets
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues config", .timeLimit(.minutes(5)))
  struct ConfigCommandTests {
    private let scratch: ScratchFolder

    init() throws {
      scratch = try ScratchFolder()
    }

    private var environment: [String: String] { ["XDG_CONFIG_HOME": scratch.path] }
    private var path: String { "\(scratch.path)/issues/config.toml" }

    private func write(_ text: String) throws {
      try write(Data(text.utf8))
    }

    private func write(_ data: Data) throws {
      mkdir(scratch["issues"], 0o700)
      try scratch.write(data, to: "issues/config.toml")
    }

    private func run(
      _ arguments: [String] = [], _ more: [String: String] = [:]
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["config"] + arguments, environment: environment.merging(more) { $1 })
    }

    @Test("without a file, 'config' shows the file's path and the defaults")
    func absent() async throws {
      let result = try await run()
      #expect(result.status == .exited(0))
      #expect(
        result.lines == [
          "file\t\(path)", "theme\tby the terminal's background\tdefault", "refresh\t3m\tdefault",
          "columns\tthose that fit\tdefault", "plain\tfalse\tdefault",
          "images\tfalse\tdefault",
        ])
      #expect(try await run(["path"]).lines == [path])
      let home = try await IssuesProgram.run(
        ["config", "path"], environment: ["HOME": "/home/ada"])
      #expect(home.lines == ["/home/ada/.config/issues/config.toml"])
    }

    @Test("'config' shows each setting of the file with its line")
    func shown() async throws {
      try write(
        """
        theme = "solarized"
        refresh = "90s"

        [keys]
        reload = ["R", "ctrl-r"]
        [views.triage]
        query = "is:open no:label"
        sort = "created-asc"
        repositories = "all"
        """)
      let result = try await run()
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
      #expect(
        result.lines.dropFirst() == [
          "theme\tsolarized\t1", "refresh\t90s\t2", "columns\tthose that fit\tdefault",
          "plain\tfalse\tdefault", "images\tfalse\tdefault", "keys.reload\tR ^R\t5",
          "views.triage\tis:open no:label sort:created-asc in all repositories\t6",
        ])
      let json = try await run(["--json", "refresh,views,problems"])
      #expect(
        json.lines == [
          #"{"refresh":90,"views":[{"everywhere":true,"name":"triage","query":"is:open no:label","sort":"created-asc"}],"problems":[]}"#
        ])
    }

    @Test("'config' reports each problem with its line and column, and exits with status 78")
    func wrong() async throws {
      try write("colums = []\n[keys]\nreload = \"q\"\n")
      let result = try await run()
      #expect(result.status == .exited(78))
      #expect(
        result.errorLines == [
          "\(path):1:1: there is no setting 'colums'; did you mean 'columns'?",
          "\(path):3:10: the key q already means 'back': choose another, or give 'back' another key too",
          "issues: the configuration has 2 problems",
        ])
      #expect(result.lines.first == "file\t\(path)")
      let json = try await run(["--json", "problems", "--jq", ".problems[] | .line, .column"])
      #expect(json.status == .exited(78))
      #expect(json.lines == ["1", "1", "3", "10"])
    }

    @Test("a folder, a pipe, and an oversized, non-UTF-8 or unreadable file are reported")
    func strange() async throws {
      mkdir(scratch["issues"], 0o700)
      mkdir(path, 0o700)
      try await expectProblem(": it is a folder")
      rmdir(path)
      mkfifo(path, 0o600)
      try await expectProblem(": it isn't a regular file")
      unlink(path)
      try write(String(repeating: "# long\n", count: 10_000))
      try await expectProblem(": it is larger than 64 KiB")
      try write(Data("theme = \"ansi\"\nrefresh = \"".utf8) + [0xE9] + Data("\"\n".utf8))
      try await expectProblem(":2:12: it isn't in UTF-8")
      if geteuid() != 0 {
        chmod(path, 0)
        try await expectProblem(": it can't be read (Permission denied)")
      }
    }

    private func expectProblem(
      _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let result = try await run()
      #expect(result.status == .exited(78), sourceLocation: sourceLocation)
      #expect(
        result.errorLines.first?.hasPrefix("\(path)\(words)") == true, "\(result.errorText)",
        sourceLocation: sourceLocation)
    }

    @Test("'config init' writes a valid file with every setting commented out, and only once")
    func start() async throws {
      #expect(try await run(["init"]).status == .exited(0))
      #expect(try await run().lines.dropFirst().allSatisfy { $0.hasSuffix("\tdefault") })
      let again = try await run(["init"])
      again.expectFailure(64, saying: ["already exists", "issues config edit"])
      // Every line of it is right once it takes effect.
      let written = try #require(scratch.contents("issues/config.toml"))
      let text = String(decoding: written, as: UTF8.self)
      let lines = text.split(separator: "\n").compactMap { line -> String? in
        let text = line.drop { $0 == "#" || $0 == " " }
        return text.first == "[" || text.contains(" = ") ? String(text) : nil
      }
      try write(lines.joined(separator: "\n"))
      let whole = try await run()
      #expect(whole.status == .exited(0), "\(whole.errorText)")
      #expect(whole.lines.contains { $0.hasPrefix("views.triage\t") })
    }

    @Test(
      "root doesn't create files in another user's folder and reports the reason",
      .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func otherUsersFolder() async throws {
      chown(scratch.path, 65_534, 65_534)
      defer { chown(scratch.path, geteuid(), getegid()) }
      for arguments in [
        ["config", "init"], ["mirror", "add", "a/b"], ["list", "a/b", "--save", "@x"],
      ] {
        let result = try await IssuesProgram.run(
          arguments, environment: ["HOME": scratch.path, "EDITOR": "true"],
          connection: .terminal(columns: 80, rows: 20))
        #expect(result.status == .exited(74), "\(arguments): \(result.screen)")
        #expect(result.screen.contains("another user's"), "\(arguments): \(result.screen)")
      }
      for directory in [UserDirectory.cache, .configuration, .data, .state] {
        directory.makeIfNamed(
          in: [
            "XDG_CACHE_HOME": scratch["a"], "XDG_CONFIG_HOME": scratch["b"],
            "XDG_DATA_HOME": scratch["c"], "XDG_STATE_HOME": scratch["d"],
          ])
      }
      #expect(scratch.names.isEmpty)
    }

    @Test("the example in the help is a valid configuration")
    func helpExample() async throws {
      let help = try await IssuesProgram.run(["help", "config"]).lines
      let start = try #require(help.firstIndex { $0.hasPrefix("      theme = ") })
      let end = try #require(help.firstIndex { $0.hasPrefix("    'issues list") })
      try write(help[start..<end].joined(separator: "\n"))
      let result = try await run()
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.lines.count { !$0.hasSuffix("\tdefault") } == 11, "\(result.outputText)")
    }

    @Test("the examples in configuration.md are valid, and the page names all roles")
    func page() async throws {
      let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Documentation/configuration.md")
      let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
      let examples = text.components(separatedBy: "```toml\n").dropFirst()
      #expect(examples.count >= 3)
      for example in examples {
        try write(String(example.prefix { $0 != "`" }))
        let result = try await run()
        #expect(result.status == .exited(0), "\(example): \(result.errorText)")
      }
      // An unknown role is answered with all of them.
      try write("[themes.mine]\nxyzzyxyzzy = \"red\"\n")
      let problem = try await run().errorText
      let roles = try #require(problem.firstMatch(of: /there are ([a-z0-9, -]+)/)).1
      for role in roles.split(separator: ", ") where !role.hasPrefix("person") {
        #expect(text.contains("`\(role)`"), "\(role)")
      }
    }

    @Test("'config edit' opens the file and checks it afterward")
    func edited() async throws {
      let editor = #"sh -c 'echo "nosuch = 1" >> "$1"' sh"#
      let result = try await run(["edit"], ["EDITOR": editor])
      #expect(result.status == .exited(78), "\(result.errorText)")
      #expect(result.errorText.contains("there is no setting 'nosuch'"))
      let written = try #require(scratch.contents("issues/config.toml"))
      #expect(result.errorText.contains("config.toml:\(written.count { $0 == 0x0A }):1: "))
      let right = try await run(["edit"], ["EDITOR": #"sh -c 'echo "theme = \"ansi\"" > "$1"' sh"#])
      #expect(right.status == .exited(0), "\(right.errorText)")
      #expect(try await run().lines.contains("theme\tansi\t1"))
    }
  }
}
