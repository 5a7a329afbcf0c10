import ArgumentParser
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("--help", .timeLimit(.minutes(5)))
  struct HelpTests {
    private static let commands: [(type: any ParsableCommand.Type, words: [String])] = {
      var commands: [(any ParsableCommand.Type, [String])] = []
      func add(_ command: any ParsableCommand.Type, _ words: [String]) {
        commands.append((command, words))
        for next in command.configuration.subcommands where next.configuration.shouldDisplay {
          add(next, words + [next._commandName])
        }
      }
      add(IssuesCommand.self, [])
      return commands
    }()

    @Test("each help text matches its snapshot, fits on a screen, and has examples")
    func help() throws {
      #expect(Self.commands.count > 80)
      for (command, words) in Self.commands {
        let help = ShortHelp(of: command, named: ["issues"] + words)
        #expect(help.lines.count <= 45, "\(words)")
        #expect(help.lines.allSatisfy { $0.count <= 80 }, "\(words)")
        #expect(help.lines[0].hasPrefix("USAGE: issues"), "\(words)")
        let examples = help.lines.drop { $0 != "EXAMPLES:" }.dropFirst().prefix { !$0.isEmpty }
        #expect((1...5).contains(examples.count), "\(words)")
        #expect(help.lines.contains("LEARN MORE:"), "\(words)")
        try CommandSnapshot.expect(
          help.text + "\n", named: (["help"] + words).joined(separator: "-") + ".txt")
      }
    }

    @Test("each short help shows or mentions every option")
    func complete() {
      for (command, words) in Self.commands.dropFirst() {
        let help = ShortHelp(of: command, named: ["issues"] + words)
        let names = help.text.matches(of: /--[a-z-]+/).map { String($0.output) }
        for argument in CommandArgument.all(of: command)
        where argument.shouldDisplay && !SharedOptions.include(argument) {
          let typed = argument.typedNames.filter { $0.hasPrefix("--") }
          guard !typed.isEmpty,
            !["--help", "--version", "--no-plain"].contains(where: typed.contains)
          else {
            continue
          }
          #expect(typed.contains(where: names.contains), "\(words) \(typed)")
        }
      }
    }

    @Test(
      "-h, --help and 'help' show the help of the given subcommand",
      arguments: [
        (["--help"], "help.txt"), (["-h"], "help.txt"), (["help"], "help.txt"),
        (["list", "--help"], "help-list.txt"), (["apple/swift", "-h"], "help-list.txt"),
        (["-R", "apple/swift", "view", "--help"], "help-view.txt"),
        (["view", "12", "-h"], "help-view.txt"),
        (["label", "create", "-h"], "help-label-create.txt"),
        (["cache"], "help-cache.txt"), (["outbox", "--help"], "help-outbox.txt"),
        (["outbox", "send", "--json-errors", "-h"], "help-outbox-send.txt"),
      ])
    func meant(arguments: [String], name: String) async throws {
      let result = try await IssuesProgram.run(arguments)
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
      try CommandSnapshot.expect(result.outputText, named: name)
    }

    @Test(
      "'help' shows the full page of a subcommand or a shared topic",
      arguments: [
        (["list"], "ISSUES-LIST(1)", ["SYNOPSIS", "DESCRIPTION", "FOLLOWING", "EXAMPLES"]),
        (["label", "create"], "ISSUES-LABEL-CREATE(1)", ["OPTIONS", "  Shared options"]),
        (["options"], "ISSUES-OPTIONS(1)", ["  Output", "  Connection", "  Mirror"]),
        (["issues"], "ISSUES(1)", ["ENVIRONMENT", "FILES", "EXIT STATUS"]),
      ])
    func page(words: [String], title: String, headings: [String]) async throws {
      let result = try await IssuesProgram.run(["help"] + words)
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
      #expect(result.lines.first == title)
      #expect(result.lines.count { $0.hasSuffix("(1)") && !$0.hasPrefix(" ") } == 1)
      for heading in headings { #expect(result.lines.contains(heading), "\(heading)") }
      #expect(result.lines.allSatisfy { $0.count <= 80 })
    }

    @Test("'help' on a topic shows only the sections of that topic")
    func topic() async throws {
      for (topic, headings) in [
        ("environment", ["ENVIRONMENT", "FILES"]), ("exit-status", ["EXIT STATUS"]),
        ("exit-codes", ["EXIT STATUS"]),
      ] {
        let result = try await IssuesProgram.run(["help", topic])
        #expect(result.status == .exited(0))
        #expect(result.lines.filter { $0.first?.isLetter == true } == headings)
      }
    }

    @Test("a long help page is shown in the pager")
    func paged() async throws {
      let result = try await IssuesProgram.run(
        ["help", "list"], environment: ["PAGER": "sed -n 's/^/| /; 1p'"],
        connection: .terminal(columns: 60, rows: 24))
      #expect(result.screen.contains("| \u{1B}[1mISSUES-LIST(1)"), "\(result.screen)")
    }

    @Test("a short help line contains the description's first clause, and more if it fits")
    func clauses() {
      let clauses = Clauses("Filter by it; '*' for any. It is a name. (default: all)")
      #expect(clauses.fitting(80) == "Filter by it (default: all)")
      #expect(clauses.fitting(20) == "Filter by it")
      let plain = Clauses("Filter by it; '*' for any. It is a name.")
      #expect(plain.fitting(80) == "Filter by it; '*' for any. It is a name")
      #expect(plain.fitting(30) == "Filter by it; '*' for any")
      #expect(plain.fitting(5) == "Filter by it")
      #expect(
        Clauses("Sort.", values: ["a", "b"], defaultValue: "a").fitting(80)
          == "Sort {a|b} (default: a)")
    }

    @Test("lines in the lists of variables and statuses aren't wrapped")
    func unwrapped() throws {
      let help = IssuesCommand.helpMessage(columns: 80)
      let lists = try #require(
        help.firstMatch(of: /ENVIRONMENT:\n(.*?)\nUSAGE:/.dotMatchesNewlines())
      ).output.1
      let entries = lists.split(separator: "\n").filter { !$0.hasSuffix(":") }
      #expect(entries.count > 15)
      #expect(entries.allSatisfy { $0.hasPrefix("  ") })
    }

    @Test("--version prints a version number")
    func version() async throws {
      let result = try await IssuesProgram.run(["--version"])
      #expect(result.status == .exited(0))
      #expect(result.outputText.wholeMatch(of: /\d+\.\d+\.\d+(-[a-z0-9.]+)?\n/) != nil)
    }

    @Test("'--version -v' prints each library's version", arguments: ["--verbose", "-v"])
    func libraryVersions(verbose: String) async throws {
      let result = try await IssuesProgram.run(["--version", verbose])
      #expect(result.status == .exited(0))
      let lines = result.outputText.split(separator: "\n").map(String.init)
      let names = ["issues", "Swift", "SQLite", "ncurses", "cmark-gfm", "libcurl"]
      try #require(lines.count == names.count, "\(lines)")
      for (line, name) in zip(lines, names) {
        #expect(line.hasPrefix(name))
        #expect(line.contains(/\b\d+\.\d+\.\d+/), "\(line)")
      }
      // The library that checks certificates is one of libcurl's.
      #expect(
        lines[5].contains(/(OpenSSL|GnuTLS|LibreSSL|BoringSSL|mbedTLS|wolfSSL|SecureTransport)/))
    }
  }
}
