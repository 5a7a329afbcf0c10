import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("PAGER", .timeLimit(.minutes(5)))
  struct PagerRunTests {
    @Test("the pager gets the table, with its colors")
    func table() async throws {
      let arguments = ["swiftlang/swift", "--stub"]
      let plain = try await IssuesProgram.run(
        arguments, connection: .terminal(columns: 80, rows: 24))
      let paged = try await IssuesProgram.run(
        arguments, environment: ["PAGER": "sed 's/^/| /'"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(paged.status == .exited(0))
      let lines = plain.screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(paged.screen == lines.map { "| \($0)\n" }.joined())
    }

    @Test(
      "neither a shell nor a pager in the current folder is run, whatever PATH says",
      arguments: ["", ".", "bin"])
    func hostileFolder(folder: String) async throws {
      let scratch = try ScratchFolder()
      let script = """
        set -e; mkdir bin; printf '#!/bin/sh\\ntouch ran\\nexec /bin/cat\\n' > sh; chmod +x sh
        cp sh mypager; cp sh mypager bin
        """
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", script], environment: IssuesProgram.environment,
        workingDirectory: scratch.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      for pager in ["mypager", "sed 's/^/| /'", "{ mypager || cat; }"] {
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--stub"],
          environment: ["PATH": "\(folder):/usr/bin:/bin", "PAGER": pager],
          connection: .terminal(columns: 80, rows: 24), workingDirectory: scratch.path)
        #expect(result.screen.contains("#85968"), "\(result.screen)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/ran"))
    }

    @Test("GH_PAGER comes before PAGER, and an empty value disables the pager")
    func variables() async throws {
      let paged = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub"], environment: ["GH_PAGER": "sed 's/^/| /'", "PAGER": "true"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(paged.screen.contains("| Showing 5 open issues"))
      let unpaged = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub"], environment: ["GH_PAGER": "", "PAGER": "sed 's/^/| /'"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(unpaged.screen.hasPrefix("\nShowing 5 open issues"))
    }

    @Test("notices appear below the rows in the pager, and --verbose messages after it")
    func notices() async throws {
      let end = "sed -u '$d'; echo end of pager"
      let cut = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub", "--limit", "2"],
        environment: ["PAGER": "sed 's/^/| /'", "NO_COLOR": "1"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(
        cut.screen.hasSuffix("| \n| Stopped at the limit of 2: for more use --limit or --all.\n"))
      let verbose = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub", "--verbose"], environment: ["PAGER": end, "NO_COLOR": "1"],
        connection: .terminal(columns: 80, rows: 24))
      let parts = verbose.screen.split(separator: "end of pager\n")
      #expect(parts.count == 2)
      #expect(parts.first?.contains("GET") == false)
      #expect(parts.last?.contains("GET") == true)
    }

    @Test("a list piped into a pager prints its notices into the pager, not on the terminal")
    func pipedIntoPager() async throws {
      var environment = IssuesProgram.environment(["GH_FORCE_TTY": "80", "NO_COLOR": "1"])
      environment["issues"] = try BuiltProducts.path(of: "issues")
      let run = try CommandRun(
        "/bin/sh", ["-c", #""$issues" swiftlang/swift --stub --limit 2 | sed 's/^/| /'"#],
        environment: environment, connection: .terminal(columns: 80, rows: 24))
      let screen = try await run.result().screen
      #expect(screen.hasPrefix("| \n| Showing 2 open issues in swiftlang/swift\n| \n"))
      #expect(screen.hasSuffix("| \n| Stopped at the limit of 2: for more use --limit or --all.\n"))
    }

    @Test("quitting the pager early ends the command without a message")
    func left() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--all", "--api-url", server.url],
          environment: ["PAGER": "head -n 3", "NO_COLOR": "1"],
          connection: .terminal(columns: 80, rows: 24))
        #expect(result.status == .exited(0))
        #expect(result.screen == "\nShowing open issues in swiftlang/swift\n\n")
      }
    }

    @Test("a pager that the shell can't run is a failure")
    func notRunnable() async throws {
      let result = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub"], environment: ["PAGER": "{ nonexistent-pager; }"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(result.status == .exited(74))
      #expect(result.screen.contains("issues: PAGER can't be run: { nonexistent-pager; }"))
    }

    @Test("a missing pager is skipped, and a pipe gets none")
    func absent() async throws {
      let missing = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub"], environment: ["PAGER": "/nonexistent/pager"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(missing.status == .exited(0))
      #expect(missing.screen.contains("#85968"))
      let pipe = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub"], environment: ["PAGER": "sed 's/^/| /'"])
      #expect(pipe.lines.count == 5)
      #expect(!pipe.outputText.contains("| "))
    }

    @Test("an error is printed after the pager has exited")
    func error() async throws {
      try await withLoopbackServer { _ in
        .json(#"{"message":"Not Found"}"#, status: 404)
      } perform: { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url],
          environment: ["PAGER": "sed -u '$d'; echo end of pager", "NO_COLOR": "1"],
          connection: .terminal(columns: 80, rows: 24))
        #expect(result.status == .exited(3))
        #expect(result.screen.hasPrefix("end of pager\nissues: "))
      }
    }
  }
}
