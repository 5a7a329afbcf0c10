import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Lists saved as views", .timeLimit(.minutes(5)))
  struct SavedViewTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func run(_ arguments: [String], _ server: LoopbackServer? = nil) async throws
      -> CommandRun.Result
    {
      try await IssuesProgram.run(
        arguments + (server.map { ["--api-url", $0.url] } ?? []),
        environment: SeveralRepositoriesTests.token.merging(
          ["XDG_CONFIG_HOME": scratch.path, "NO_COLOR": "1"]) { $1 })
    }

    private var text: String {
      get throws {
        String(
          decoding: try Data(contentsOf: URL(filePath: scratch["issues/config.toml"])),
          as: UTF8.self)
      }
    }

    private func write(_ text: String) throws {
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      try scratch.write(Data(text.utf8), to: "issues/config.toml")
    }

    @Test(
      "a list is saved with its filter, order, repositories and limit",
      arguments: [
        (["a/b"], ["query = \"is:open\"", "repositories = [\"a/b\"]"]),
        (
          ["a/b", "c/d", "-s", "closed", "-l", "good first issue", "--sort", "updated", "-L", "7"],
          [
            #"query = "is:closed label:\"good first issue\"""#, "sort = \"updated-desc\"",
            "repositories = [\"a/b\", \"c/d\"]", "limit = 7",
          ]
        ),
        (["-s", "all", "-a", "@me"], ["query = \"assignee:@me\""]),
        (
          ["-R", "a/b", "-S", "crash OR hang", "-m", "6.3"],
          ["query = \"(crash OR hang) is:open milestone:6.3\"", "repositories = [\"a/b\"]"]
        ),
        (["org:acme", "-a", "none"], ["query = \"org:acme is:open no:assignee\""]),
        (["user:ada"], ["query = \"user:ada is:open\""]),
        (["org:acme", "a/b"], ["query = \"(org:acme OR repo:a/b) is:open\""]),
        (
          ["https://github.com/a/b/issues?q=is%3Aclosed+label%3Abug"],
          [
            "query = \"is:closed label:bug\"", "sort = \"created-desc\"",
            "repositories = [\"github.com/a/b\"]",
          ]
        ),
      ])
    func lines(list: [String], lines: [String]) async throws {
      let result = try await run(list + ["--save", "@triage"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.outputText.isEmpty)
      let expected = (["[views.triage]"] + lines).joined(separator: "\n") + "\n"
      #expect(try text.hasSuffix("\n\n\(expected)"))
      // It says what it wrote, and where.
      for line in lines { #expect(result.errorText.contains(line)) }
      #expect(result.errorText.contains(scratch["issues/config.toml"]))
      #expect(try await run(["config"]).status == .exited(0))
    }

    @Test("a saved view shows the same issues as its list")
    func sameRows() async throws {
      let github = SeveralRepositoriesTests.github()
      try await withLoopbackServer(answering: github.handler) { server in
        for list in [
          ["acme/repo-1", "-l", "bug", "--order", "asc"],
          ["acme/repo-1", "acme/repo-2", "-s", "all"],
          ["org:acme", "--sort", "comments", "-L", "9"],
        ] {
          let saved = try await run(["list"] + list + ["--save", "x", "--force"])
          #expect(saved.status == .exited(0), "\(saved.errorText)")
          let shown = try await run(list, server)
          let view = try await run(["@x"], server)
          #expect(view.status == .exited(0), "\(view.errorText)")
          let own = view.lines.map { $0.split(separator: "\t").prefix(4) }
          #expect(own == shown.lines.map { $0.split(separator: "\t").prefix(4) })
          #expect(!own.isEmpty)
        }
      }
    }

    @Test("--force replaces only the view, and the rest of the file is unchanged")
    func replacing() async throws {
      let before = "# mine\ntheme = \"ansi\"   # as at work\n\n[views.a]\nquery = \"is:open\"\n"
      let after = "\n# the next one\n[views.b]\nquery = \"is:closed\"\n"
      try write("\(before)limit = 3\n\(after)")
      try await run(["x/y", "--save", "@a"]).expectFailure(
        64, saying: ["a view @a already exists: is:open", "--force"])
      #expect(try text == "\(before)limit = 3\n\(after)")
      let result = try await run(["x/y", "--save", "@a", "--force"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(try text == "\(before)repositories = [\"x/y\"]\n\(after)")
      let added = try await run(["x/y", "--save", "@c"])
      #expect(added.status == .exited(0), "\(added.errorText)")
      #expect(try text.hasPrefix("\(before)repositories = [\"x/y\"]\n\(after)\n[views.c]\n"))
    }

    @Test("a configuration file keeps its CRLF and byte order mark")
    func lineEnds() async throws {
      let before = "\u{FEFF}[views.a]\r\nquery = \"is:open\"\r\n"
      try write("\(before)limit = 3\r\n\r\n[keys]\r\n")
      for view in ["@a", "@b"] {
        let result = try await run(["x/y", "--save", view, "--force"])
        #expect(result.status == .exited(0), "\(result.errorText)")
      }
      let view = "query = \"is:open\"\r\nrepositories = [\"x/y\"]\r\n"
      let expected = "\u{FEFF}[views.a]\r\n\(view)\r\n[keys]\r\n\r\n[views.b]\r\n\(view)"
      #expect(try Array(text.utf8) == Array(expected.utf8))
    }

    @Test("a view without a table of its own isn't overwritten")
    func inline() async throws {
      let text = "views.a.query = \"is:open\"\n"
      try write(text)
      try await run(["x/y", "--save", "@a", "--force"]).expectFailure(
        1, saying: ["can't be written", "issues config edit"])
      #expect(try self.text == text)
    }

    @Test("an invalid configuration file isn't changed")
    func wrongFile() async throws {
      try write("theme = 3\n")
      try await run(["x/y", "--save", "@a"]).expectFailure(78, saying: ["config.toml:1"])
      #expect(try text == "theme = 3\n")
    }

    @Test("a symbolic link to the configuration stays a link")
    func link() async throws {
      try write("")
      let path = scratch["issues/config.toml"]
      try FileManager.default.moveItem(atPath: path, toPath: scratch["dotfile"])
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: scratch["dotfile"])
      let result = try await run(["x/y", "--save", "@a"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == scratch["dotfile"])
      #expect(try text.contains("[views.a]"))
    }

    @Test(
      "a list that can't be a view is refused, and nothing is written",
      arguments: [
        (["a/b", "--save", "@me"], "@me is you"),
        (["a/b", "--save", "1x"], "starting with a letter"),
        (["a/b", "--force"], "only makes sense with --save"),
        (["a/b", "--json", "--save", "@x"], "leave out --json"),
        (["a/b", "--group-by", "label", "--save", "@x"], "leave out --group-by"),
        (["@x", "--save", "@y"], "is already a view"),
        (["a/b", "-S", "\"open", "--save", "@x"], "a view can't express that"),
        (["a/b", "-S", "x sort:updated", "--sort", "created", "--save", "@x"], "its own order"),
      ])
    func refused(arguments: [String], words: String) async throws {
      let result = try await run(arguments)
      #expect(result.status == .exited(64), "\(result.errorText)")
      #expect(result.errorText.contains(words), "\(result.errorText)")
      #expect(!FileManager.default.fileExists(atPath: scratch["issues/config.toml"]))
    }
  }
}
