import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite(
    "The start screen", .timeLimit(.minutes(5)),
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct StartScreenTests {
    @Test("the start screen opens places by rows, tab keys and configured keys")
    func start() async throws {
      let scratch = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      let text = """
        [keys]
        next = "t"
        [views.bugs]
        query = "is:open label:bug"
        repositories = "swiftlang/swift"
        [views.both]
        query = "is:open crash"
        repositories = ["swiftlang/swift", "a/b"]
        """
      try scratch.write(Data(text.utf8), to: "issues/config.toml")
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [.swift()]
      configuration.anyRepository = SyntheticIssues(count: 5)
      let github = LoopbackGitHub(configuration)
      try await withLoopbackServer(answering: github.handler) { server in
        let environment = IssuesProgram.environment(["XDG_CONFIG_HOME": scratch.path])
        let window = try await ScriptedScreenTests.window(environment: environment)
        window.type("$issues browse --api-url \(server.url)")
        window.press("Enter")
        try await window.see("the views") {
          $0.contains("Start") && $0.contains("1 bugs") && $0.contains("2 both")
        }
        window.press("Down")
        window.type("t")
        window.press("Enter")
        try await window.see("issues of both repositories") {
          $0.contains("swiftlang/swift#") && $0.contains("both · is:open crash")
        }
        window.press("q")
        try await window.see("the start") { $0.contains("Start") }
        window.type("1")
        try await window.see("the bugs") { $0.contains("labelled “bug”") && $0.contains("#") }
        window.type("0")
        try await window.see("the start, with what was opened") {
          $0.contains("recent") && $0.contains("swiftlang/swift")
        }
        window.press("q")
        try await window.see("the prompt") { $0.hasSuffix("\n$") }
      }
    }

    @Test("the hint that the screen exists is given once")
    func hint() throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_STATE_HOME": scratch.path]
      #expect(ScreenHint.take(environment: environment)?.contains("'issues browse'") == true)
      #expect(ScreenHint.take(environment: environment) == nil)
      #expect(ScreenHint.take(environment: [:]) == nil)
    }

    @Test("tmux refuses copied text if it neither takes it nor passes it on")
    func tmuxClipboard() async throws {
      let scratch = try ScratchFolder()
      let environment = ["PATH": "\(scratch.path):/usr/bin:/bin", "TMUX": "/tmp/tmux,1,0"]
      for (script, refuses) in [
        ("echo external; echo off", true), ("echo off; echo off", true),
        ("echo on; echo off", false), ("echo external; echo on", false),
        ("echo external; exit 1", false),
      ] {
        try scratch.write(Data("#!/bin/sh\n\(script)\n".utf8), to: "tmux")
        chmod(scratch["tmux"], 0o755)
        #expect(await TmuxClipboard.refuses(environment: environment) == refuses, "\(script)")
      }
      #expect(await !TmuxClipboard.refuses(environment: ["PATH": scratch.path]))
    }

    @Test("the screen uses the configured columns, theme and keys")
    func settings() async throws {
      let scratch = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      let text = """
        theme = "mine"
        refresh = "30s"
        columns = ["updated", "author"]
        [keys]
        reload = "R"
        palette = "ctrl-k"
        [themes.mine]
        column-title = "magenta"
        """
      try scratch.write(Data(text.utf8), to: "issues/config.toml")
      let environment = IssuesProgram.environment(["XDG_CONFIG_HOME": scratch.path])
      let window = try await ScriptedScreenTests.window(
        columns: 140, environment: environment)
      window.type("$issues browse --stub apple/swift")
      window.press("Enter")
      try await window.see("the chosen columns") {
        $0.contains("updated  author") && !$0.contains("labels")
      }
      #expect(try await window.screen(styled: true).contains("35mupdated"))
      try await window.see("the chosen key of a hint") { $0.contains("R reload") }
      window.press("C-k")
      try await window.see("the palette") { $0.contains("what to do") }
      window.press("Escape")
      try await window.see("the list") { !$0.contains("what to do") }
      window.type("q")
      try await window.see("the prompt") { $0.hasSuffix("\n$") }
    }

    @Test("'plain = true' makes the screen plain unless --no-plain is given")
    func plain() async throws {
      let scratch = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      try scratch.write(Data("plain = true\n".utf8), to: "issues/config.toml")
      let environment = IssuesProgram.environment(["XDG_CONFIG_HOME": scratch.path])
      let window = try await ScriptedScreenTests.window(columns: 120, environment: environment)
      for (option, isPlain) in [("", true), ("--no-plain", false), ("--plain", true)] {
        window.type("$issues browse --stub \(option) apple/swift")
        window.press("Enter")
        try await window.see("the list, \(isPlain ? "in words" : "with glyphs")") {
          $0.hasPrefix("Search: apple/swift") == isPlain && $0.contains(isPlain ? " open, " : "● #")
        }
        window.type("q")
        try await window.see("the prompt") { $0.hasSuffix("\n$") }
      }
    }

    @Test("an invalid configuration stops the screen before it opens")
    func wrong() async throws {
      let scratch = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      try scratch.write(Data("colums = []\n".utf8), to: "issues/config.toml")
      let result = try await IssuesProgram.run(
        ["browse", "--stub"], environment: ["XDG_CONFIG_HOME": scratch.path],
        connection: .terminal(columns: 80, rows: 24))
      #expect(result.status == .exited(78))
      #expect(result.screen.contains("config.toml:1:1: there is no setting 'colums'"))
    }
  }
}
