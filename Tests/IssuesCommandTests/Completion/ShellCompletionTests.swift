import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Completion in shells", .timeLimit(.minutes(5)))
  struct ShellCompletionTests {
    private static let bash = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Presses the tabulator in bash, as bash does: with the words of the line and what stands before the
    /// cursor; prints what is offered, a line each.
    private static let press = """
      source "$script"
      complete -p issues >/dev/null || exit 9
      COMP_WORDS=("$issues" "$@")
      COMP_CWORD=$#
      COMP_LINE="$issues ${line:-$*}"
      COMP_POINT=${#COMP_LINE}
      COMPREPLY=()
      _issues issues "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """

    private let scratch: ScratchFolder

    init() async throws {
      scratch = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      // A name that reads as options is offered nowhere but behind --.
      let names = "apple/swift\n-rf/swift\nswiftlang/swift\nghe.example.com/team/project\n"
      try scratch.write(Data(names.utf8), to: "issues/repositories")
    }

    /// A debug build takes seconds to make one.
    private static let scripts = ["bash", "zsh", "fish"].map { shell in
      (shell, Task { try await IssuesProgram.run(["--generate-completion-script", shell]) })
    }

    private static func script(for shell: String) async throws -> CommandRun.Result {
      try await #require(scripts.first { $0.0 == shell }).1.value
    }

    /// What bash offers for the last of the words, which may be empty.
    /// The line needs to be given where it isn't the words with a blank between two.
    private func offered(
      _ words: [String], line: String = "", environment more: [String: String] = [:]
    ) async throws -> [String] {
      let bash = try #require(Self.bash)
      let script = try await Self.script(for: "bash")
      let path = try scratch.write(script.output, to: "issues.bash")
      let environment = IssuesProgram.environment.merging([
        "XDG_STATE_HOME": scratch.path, "XDG_CACHE_HOME": scratch["cache"],
        "https_proxy": "http://127.0.0.1:9", "script": path,
        "issues": try BuiltProducts.path(of: "issues"), "line": line,
      ]) { $1 }.merging(more) { $1 }
      let result = try await CommandRun.run(
        bash, ["-c", Self.press, "bash"] + words, environment: environment)
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
      return result.lines.filter { !$0.isEmpty }
    }

    @Test(
      "bash: the argument of the list is completed, named or not",
      .enabled(if: bash != nil, "there is no bash"),
      arguments: [
        (["apple/sw"], ["apple/swift"]), (["list", "apple/sw"], ["apple/swift"]),
        (["app"], ["apple/swift"]), (["swiftlang/"], ["swiftlang/swift"]),
        (["--state", "open", "app"], ["apple/swift"]), (["--all", "apple/"], ["apple/swift"]),
        (["list", ""], ["apple/swift", "swiftlang/swift", "ghe.example.com/team/project"]),
        (["ghe.example.com/t"], ["ghe.example.com/team/project"]), (["zzz/"], []),
        (["--stub", "appl"], ["apple/swift"]), (["--", "appl"], ["apple/swift"]),
        (["--", "-r"], ["-rf/swift"]), (["view", "apple/sw"], ["apple/swift"]),
        (["open", "swiftl"], ["swiftlang/swift"]), (["view", "apple/swift", "1"], []),
        (["view", "apple/swift", ""], []), (["open", "apple/swift", "swi"], []),
      ])
    func names(words: [String], expected: [String]) async throws {
      #expect(try await offered(words) == expected)
    }

    @Test(
      "bash: a name with a colon is completed though bash takes it apart there",
      .enabled(if: bash != nil, "there is no bash"),
      arguments: [
        ("stats 127", ["stats", "127"], "127.0.0.1:8080/octo/cat"),
        ("stats 127.0.0.1:", ["stats", "127.0.0.1", ":"], "8080/octo/cat"),
        (
          "mirror remove 127.0.0.1:8080/o", ["mirror", "remove", "127.0.0.1", ":", "8080/o"],
          "8080/octo/cat"
        ),
        ("stats 127.0.0.1\\:80", ["stats", "127.0.0.1\\:80"], "127.0.0.1:8080/octo/cat"),
        (
          "stats 127.0.0.1:8080/octo/cat --we",
          ["stats", "127.0.0.1", ":", "8080/octo/cat", "--we"], "--weeks"
        ),
        ("search error: --rem", ["search", "error", ":", "--rem"], "--remote"),
      ])
    func colons(line: String, words: [String], expected: String) async throws {
      let filled = try FilledMirror()
      try await filled.add("octo/cat", on: "127.0.0.1:8080", items: [])
      #expect(
        try await offered(words, line: line, environment: filled.environment) == [expected])
    }

    @Test(
      "bash: owners of mirrored repositories on the usual host are completed",
      .enabled(if: bash != nil, "there is no bash"),
      arguments: [
        ("sync --org oc", ["sync", "--org", "oc"], ["octo"]),
        ("mirror add --org=o", ["mirror", "add", "--org", "=", "o"], ["octo"]),
        ("org:oc", ["org", ":", "oc"], ["octo"]),
        ("list user:o", ["list", "user", ":", "o"], ["octo"]),
        ("sync --org el", ["sync", "--org", "el"], []),
      ])
    func owners(line: String, words: [String], expected: [String]) async throws {
      let filled = try FilledMirror()
      try await filled.add("octo/cat", items: [])
      try await filled.add("octo/dog", id: 2, items: [])
      try await filled.add("elsewhere/cat", on: "ghe.example.com", id: 3, items: [])
      #expect(
        try await offered(words, line: line, environment: filled.environment) == expected)
    }

    @Test(
      "bash: a view is completed though bash takes its name apart",
      .enabled(if: bash != nil, "there is no bash"),
      arguments: [
        ("@tri", ["@", "tri"], ["@triage"]), ("@", ["@"], ["@triage", "@old-crashes"]),
        ("list @o", ["list", "@", "o"], ["@old-crashes"]),
        ("search @t", ["search", "@", "t"], ["@triage"]), ("search tri", ["search", "tri"], []),
        ("@zzz", ["@", "zzz"], []),
      ])
    func views(line: String, words: [String], expected: [String]) async throws {
      let text = "[views.triage]\n[views.old-crashes]\nlimit = 5\n[keys]\nnosuch = 1\n"
      try scratch.write(Data(text.utf8), to: "issues/config.toml")
      #expect(
        try await offered(words, line: line, environment: ["XDG_CONFIG_HOME": scratch.path])
          == expected)
    }

    @Test(
      "bash: options of the default subcommand are completed without its name",
      .enabled(if: bash != nil, "there is no bash"),
      arguments: [
        (["--sta"], ["--state"]), (["--inc"], ["--include-pull-requests"]),
        (["--state", ""], ["open", "closed", "all"]), (["--vers"], ["--version"]),
        (["apple/swift", "--so"], ["--sort"]),
        (["apple/swift", "--sort", "c"], ["created", "comments"]),
        (["view", "apple/swift", "--comm"], ["--comments"]), (["open", "--pr"], ["--print"]),
      ])
    func options(words: [String], expected: [String]) async throws {
      #expect(try await offered(words) == expected)
    }

    @Test(
      "bash: a value behind = is completed",
      .enabled(if: bash != nil, "there is no bash"),
      arguments: [
        ("--state=", ["--state", "="], ["open", "closed", "all"]),
        ("--state=c", ["--state", "=", "c"], ["closed"]),
        ("apple/swift --sort=up", ["apple/swift", "--sort", "=", "up"], ["updated"]),
        ("--state=open app", ["--state", "=", "open", "app"], ["apple/swift"]),
        ("view --color=al", ["view", "--color", "=", "al"], ["always"]),
        ("--repo=apple/sw", ["--repo", "=", "apple/sw"], ["apple/swift"]),
        ("--json=numb", ["--json", "=", "numb"], ["number"]),
        ("--json numb", ["--json", "numb"], ["number"]),
        ("--json number,tit", ["--json", "number,tit"], ["number,title"]),
        ("view 1 --json comments_l", ["view", "1", "--json", "comments_l"], ["comments_list"]),
        ("stats --json wee", ["stats", "--json", "wee"], ["weeks"]),
        ("cache info --json ent", ["cache", "info", "--json", "ent"], ["entries"]),
      ])
    func attachedValues(line: String, words: [String], expected: [String]) async throws {
      #expect(try await offered(words, line: line) == expected)
    }

    @Test(
      "bash: behind help stand the names of subcommands",
      .enabled(if: bash != nil, "there is no bash"),
      arguments: [
        (["help", "vi"], ["view"]), (["help", "mirror", "rem"], ["remove"]),
        (["help", "list", ""], []), (["help", "cache", ""], ["info", "clear"]),
      ])
    func help(words: [String], expected: [String]) async throws {
      #expect(try await offered(words).filter { !$0.hasPrefix("-") } == expected)
    }

    private static let fish = ["/usr/bin/fish", "/usr/local/bin/fish", "/opt/homebrew/bin/fish"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(
      "fish: values behind = and names behind help",
      .enabled(if: fish != nil, "there is no fish"),
      arguments: [
        ("issues --state=c", ["--state=closed"]),
        ("issues list --state ", ["open", "closed", "all"]), ("issues help vi", ["view"]),
        ("issues help --a", ["--all"]), ("issues help mirror rem", ["remove"]),
        ("issues --json=nu", ["--json=number"]),
        ("issues view --json number,state_r", ["number,state_reason"]),
      ])
    func behindEqualsSignInFish(line: String, expected: [String]) async throws {
      let fish = try #require(Self.fish)
      let script = try await Self.script(for: "fish")
      let path = try scratch.write(script.output, to: "issues.fish")
      let folder = try BuiltProducts.path(of: "issues").dropLast("/issues".count)
      let result = try await CommandRun.run(
        fish, ["--no-config", "-c", "source $script; complete -C $line"],
        environment: IssuesProgram.environment.merging([
          "HOME": scratch.path, "script": path, "line": line,
          "PATH": "\(folder):/usr/bin:/bin",
        ]) { $1 })
      #expect(result.status == .exited(0), "\(result.errorText)")
      let offered = result.lines.map { String($0.prefix { $0 != "\t" }) }
      #expect(Set(offered) == Set(expected))
    }

    @Test(
      "fish: the subcommand of a line is found once, and its other conditions only follow then",
      .enabled(if: fish != nil, "there is no fish"))
    func conditionsInFish() async throws {
      let fish = try #require(Self.fish)
      let script = try await Self.script(for: "fish")
      let path = try scratch.write(script.output, to: "issues.fish")
      let count = """
        source $script
        functions -c __issues_parse_tokens __issues_parse_line
        function __issues_parse_tokens -S; echo x >>$counts; __issues_parse_line; end
        complete -C 'issues label list --so'
        """
      let result = try await CommandRun.run(
        fish, ["--no-config", "-c", count],
        environment: IssuesProgram.environment.merging([
          "HOME": scratch.path, "script": path, "counts": scratch["counts"],
        ]) { $1 })
      #expect(result.outputText.hasPrefix("--sort"), "\(result.errorText)")
      let counts = String(
        decoding: try Data(contentsOf: URL(filePath: scratch["counts"])), as: UTF8.self)
      // Of more than a thousand conditions.
      #expect(counts.split(separator: "\n").count < 100)
    }

    private static let zsh = ["/bin/zsh", "/usr/bin/zsh", "/usr/local/bin/zsh"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(
      "zsh: values behind = and names behind help",
      .enabled(
        if: zsh != nil && TmuxSession.isAvailable, "there is no zsh, or no tmux to type in"))
    func behindEqualsSignInZsh() async throws {
      let zsh = try #require(Self.zsh)
      let script = try await Self.script(for: "zsh")
      let path = try scratch.write(script.output, to: "_issues")
      let window = try await TmuxSession(
        columns: 80, rows: 24,
        environment: ["PATH": "/usr/bin:/bin", "HOME": scratch.path, "LC_ALL": "C.UTF-8"])
      window.type("PS1='%%%%' exec \(zsh) -f")
      window.press("Enter")
      try await window.see("%%")
      window.type("autoload -Uz compinit; compinit -u -D; source \(path); clear; echo re''ady")
      window.press("Enter")
      try await window.see("ready")
      for (typed, completed) in [
        ("issues --state=cl", "--state=closed"), ("issues -sal", "-sall"),
        ("issues list --sort up", "--sort updated"), ("issues help vi", "help view"),
        ("issues help mirror rem", "help mirror remove"),
      ] {
        window.type(typed)
        window.press("Tab")
        try await window.see(completed)
        window.press("C-u")
      }
    }

    @Test(
      "bash: subcommands are completed as before", .enabled(if: bash != nil, "there is no bash"))
    func subcommands() async throws {
      #expect(try await offered(["se"]) == ["search-repos", "search"])
      #expect(try await offered(["comp"]) == ["complete"])
      #expect(try await offered(["cache", "in"]) == ["info"])
      #expect(try await offered(["search-repos", "--li"]) == ["--limit"])
      let all = try await offered([""])
      #expect(
        Set(all).isSuperset(of: [
          "list", "view", "open", "user", "repos", "history", "help", "--help",
        ]))
      #expect(!all.contains("apple/swift"))
    }

    @Test(
      "each shell's script knows which subcommand is meant where none is named",
      arguments: [
        ("bash", #"unparsed_words=(list "${unparsed_words[@]}")"#),
        ("zsh", #"words=("${words[1]}" list "${(@)words[2,-1]}")"#),
        ("fish", "set unparsed_tokens $unparsed_tokens[1] list $unparsed_tokens[2..]"),
      ])
    func scripts(shell: String, change: String) async throws {
      let result = try await Self.script(for: shell)
      #expect(result.status == .exited(0))
      #expect(result.outputText.split(separator: change).count == 2)
      let names =
        "list mine browse view context tree ready open create comment edit close reopen lock unlock "
        + "react pin unpin transfer delete inbox user repos search-repos search similar sync mirror "
        + "worker outbox export stats sql mcp skill auth label milestone "
        + "cache config history complete help"
      #expect(result.outputText.contains(names))
      // What asks the command for names.
      for subcommand in ["list", "browse", "view", "open"] {
        #expect(result.outputText.contains("---completion \(subcommand) -- positional@0"))
      }
    }

    @Test(
      "the command answers the scripts with names alone, and the zsh's with its mark at the end")
    func answers() async throws {
      for (shell, lines) in [("bash", ["apple/swift"]), ("zsh", ["apple/swift", " "])] {
        let result = try await IssuesProgram.run(
          ["---completion", "list", "--", "positional@0", "1", "8", "issues", "apple/sw"],
          environment: [
            "XDG_STATE_HOME": scratch.path, "https_proxy": "http://127.0.0.1:9",
            "SAP_SHELL": shell,
          ])
        #expect(result.status == .exited(0))
        #expect(result.lines == lines)
        #expect(result.errorText.isEmpty)
      }
    }

    @Test("a line that names another server asks none", arguments: ["--api-url", "--stub"])
    func otherServer(option: String) async throws {
      try await withLoopbackServer { _ in
        .stall
      } perform: { server in
        let result = try await IssuesProgram.run(
          ["---completion", "list", "--", "positional@0", "2", "8", "issues", option, "apple/sw"],
          environment: ["XDG_STATE_HOME": scratch.path, "https_proxy": server.url])
        #expect(result.lines == ["apple/swift"])
        #expect(server.log.connectionCount == 0)
      }
    }
  }
}
