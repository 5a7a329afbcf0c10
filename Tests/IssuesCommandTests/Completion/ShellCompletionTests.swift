import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Completion in shells", .timeLimit(.minutes(5)))
  struct ShellCompletionTests {
    private let scratch: ScratchFolder

    init() throws {
      scratch = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      // A name that reads as options is offered nowhere but behind --.
      let names = "apple/swift\n-rf/swift\nswiftlang/swift\nghe.example.com/team/project\n"
      try scratch.write(Data(names.utf8), to: "issues/repositories")
      let views = "[views.triage]\n[views.old-crashes]\nlimit = 5\n[keys]\nnosuch = 1\n"
      try scratch.write(Data(views.utf8), to: "issues/config.toml")
    }

    private var environment: [String: String] {
      [
        "XDG_STATE_HOME": scratch.path, "XDG_CONFIG_HOME": scratch.path,
        "https_proxy": "http://127.0.0.1:9",
      ]
    }

    private func offered(
      _ line: String, environment more: [String: String] = [:]
    ) async throws -> [String] {
      let result = try await IssuesProgram.run(
        ["---complete", "--", line], environment: environment.merging(more) { $1 })
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
      return result.lines.map { String($0.prefix { $0 != "\t" }) }
    }

    @Test(
      "the repository argument is completed with and without 'list'",
      arguments: [
        ("apple/sw", ["apple/swift"]), ("list apple/sw", ["apple/swift"]),
        ("app", ["apple/swift"]), ("--state open app", ["apple/swift"]),
        ("list ", ["apple/swift", "swiftlang/swift", "ghe.example.com/team/project"]),
        ("ghe.example.com/t", ["ghe.example.com/team/project"]), ("zzz/", []),
        ("--repo=apple/sw", ["--repo=apple/swift"]), ("--state=open app", ["apple/swift"]),
        ("-- -r", ["-rf/swift"]), ("view apple/sw", ["apple/swift"]),
        ("view apple/swift 1", []), ("open apple/swift swi", []),
      ])
    func names(line: String, expected: [String]) async throws {
      #expect(try await offered("issues \(line)") == expected)
    }

    @Test(
      "owners of mirrored repositories on the default host are completed",
      arguments: [
        ("sync --org oc", ["octo"]), ("mirror add --org=o", ["--org=octo"]),
        ("org:oc", ["org:octo"]), ("list user:o", ["user:octo"]), ("sync --org el", []),
      ])
    func owners(line: String, expected: [String]) async throws {
      let filled = try FilledMirror()
      try await filled.add("octo/cat", items: [])
      try await filled.add("octo/dog", id: 2, items: [])
      try await filled.add("elsewhere/cat", on: "ghe.example.com", id: 3, items: [])
      #expect(
        try await offered("issues \(line)", environment: filled.environment) == expected)
    }

    @Test(
      "views are completed even if another setting is invalid",
      arguments: [
        ("@tri", ["@triage"]), ("@", ["@triage", "@old-crashes"]), ("list @o", ["@old-crashes"]),
        ("search @t", ["@triage"]), ("search tri", []), ("@zzz", []),
      ])
    func views(line: String, expected: [String]) async throws {
      #expect(try await offered("issues \(line)") == expected)
    }

    @Test("a line with another server isn't completed online", arguments: ["--api-url", "--stub"])
    func otherServer(option: String) async throws {
      try await withLoopbackServer { _ in
        .stall
      } perform: { server in
        let line = "issues \(option == "--stub" ? option : "\(option)=\(server.url)") apple/sw"
        let offered = try await offered(line, environment: ["https_proxy": server.url])
        #expect(offered == ["apple/swift"])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("completion scripts exist for bash, zsh and fish only")
    func scripts() async throws {
      for option in [["bash"], ["zsh"], ["fish"]].map({ ["--generate-completion-script"] + $0 }) {
        let result = try await IssuesProgram.run(option)
        #expect(result.status == .exited(0))
        #expect(result.outputText.contains(" ---complete -- "))
        #expect(
          try await IssuesProgram.run([option.joined(separator: "=")]).output == result.output)
      }
      for options in [[], ["tcsh"]] {
        try await IssuesProgram.run(["--generate-completion-script"] + options)
          .expectFailure(64, saying: ["bash, zsh and fish"])
      }
    }

    private static let shells = [
      ("bash", "bash --norc --noprofile", "source"),
      ("zsh", "zsh -f", "autoload -Uz compinit; compinit -u -D; source"),
      ("fish", "fish --no-config", "source"),
    ].filter { shell in
      ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(shell.0)")
      }
    }

    @Test(
      "a shell passes a completed value to the program as one argument",
      .enabled(if: TmuxSession.isAvailable, "there is no tmux to type in"), arguments: shells)
    func shell(name: String, start: String, load: String) async throws {
      let filled = try FilledMirror()
      try await filled.add(
        "octo/cat", on: "127.0.0.1:8080", items: [FilledMirror.Item(number: 1, title: "x")])
      let labels = ["good first issue", "area: db,cache", "$(touch stolen)"]
      try await filled.add(
        "octo/dog", id: 2, items: [FilledMirror.Item(number: 12, title: "It's", labels: labels)])
      let script = try scratch.write(
        try await IssuesProgram.run(["--generate-completion-script", name]).output, to: "script")
      let program = try BuiltProducts.path(of: "issues")
      let environment = environment.merging(filled.environment) { $1 }.merging([
        "PATH": "\(program.dropLast("/issues".count)):/usr/local/bin:/usr/bin:/bin",
        "HOME": scratch.path, "LC_ALL": "C.UTF-8",
      ]) { $1 }
      let window = try await TmuxSession(columns: 120, rows: 50, environment: environment)
      try Data().write(to: URL(filePath: "\(window.folder)/my report.md"))
      window.type("exec \(start)")
      window.press("Enter")
      window.type("\(load) \(script); clear; echo re''ady")
      window.press("Enter")
      try await window.see("ready")
      for (typed, passed) in [
        ("--sta", "<--state>"), ("--state=cl", "<--state=closed>"), ("-sal", "<-sall>"),
        ("help mirror rem", "<help><mirror><remove>"), ("apple/sw", "<apple/swift>"),
        ("@tri", "<@triage>"), ("stats 127.0.0.1:80", "<stats><127.0.0.1:8080/octo/cat>"),
        ("view octo/dog ", "<view><octo/dog><12>"),
        ("list octo/dog -l go", "<-l><good first issue>"),
        ("list octo/dog --label=\"go", "<--label=good first issue>"),
        ("list octo/dog -l are", "<-l><\"area: db,cache\">"),
        ("list octo/dog -l \\$", "<-l><$>"),
        ("create -F my", "<-F><my report.md>"),
        ("create --body-file=my", "<--body-file=my report.md>"),
      ] {
        window.type("issues \(typed)")
        window.press("Tab", "C-a")
        window.type("printf '<%s>' ")
        window.press("Enter")
        try await window.see(passed)
      }
      #expect(!FileManager.default.fileExists(atPath: "\(window.folder)/stolen"))
    }
  }
}
