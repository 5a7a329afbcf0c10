import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("Command lines in gh's syntax", .timeLimit(.minutes(5)))
  struct GHArgumentsTests {
    @Test(
      "an option and its value may follow flags in one argument",
      arguments: [
        (["-wlbug"], "issues?q=is%3Aissue%20state%3Aopen%20label%3Abug%20sort%3Acreated-desc"),
        (["-wRright/one"], "issues"), (["-wL5"], "issues"),
        (["-vwL5", "-R", "right/one"], "issues"),
        (["view", "12", "-cwRright/one"], "issues/12"), (["12", "-wRright/one"], "issues/12"),
      ])
    func joined(arguments: [String], page: String) async throws {
      let result = try await IssuesProgram.run(arguments, environment: ["GH_REPO": "right/one"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.outputText == "https://github.com/right/one/\(page)\n")
    }

    @Test(
      "the value of an option joined with flags is used",
      arguments: [(["-vL2"], 2), (["-vsclosed", "-vL3"], 3)])
    func values(arguments: [String], rows: Int) async throws {
      let result = try await IssuesProgram.run(["apple/swift", "--stub"] + arguments)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.lines.count == rows)
    }

    @Test(
      "an invalid argument is quoted as it was typed",
      arguments: [["-wxL5"], ["-wL"], ["-wLfive"]])
    func wrong(arguments: [String]) async throws {
      let result = try await IssuesProgram.run(["right/one"] + arguments)
      #expect(result.status == .exited(64))
      #expect(result.errorText.contains("'\(arguments[0])'"), "\(result.errorText)")
    }

    @Test("a body may begin with a hyphen, for example a list or a compiler flag")
    func texts() async throws {
      for text in ["- [ ] a", "-Wall breaks", "-Wall", "-- fixed", "---\na: 1\n---", "-1", "--a b"]
      {
        let result = try await IssuesProgram.run([
          "create", "apple/swift", "--stub", "-t", "x", "-b", text, "--json", "body", "-q",
          ".[].body",
        ])
        #expect(result.outputText == "\(text)\n", "\(result.errorText)")
      }
    }

    @Test(
      "every text option accepts a value that begins with a hyphen",
      arguments: [
        ["edit", "7", "--title", "- a", "--body", "- a"], ["comment", "7", "-b", "- a"],
        ["close", "7", "-c", "- a"], ["label", "create", "x", "-d", "- a"],
        ["label", "edit", "bug", "--name", "- a"], ["milestone", "create", "x", "-d", "- a"],
        ["milestone", "edit", "6.3", "-t", "- a", "--description", "- a"],
      ])
    func textOptions(arguments: [String]) async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(arguments + ["-R", "swiftlang/swift"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(scene.github.receipts.contains { "\($0)".contains("- a") })
      }
    }

    @Test("a query, a jq expression and a search text may begin with a hyphen")
    func otherTexts() async throws {
      let jq = try await IssuesProgram.run(
        ["apple/swift", "--stub", "--json", "number", "-q", "-length"])
      #expect(jq.outputText.hasPrefix("-"), "\(jq.errorText)")
      let similar = try await IssuesProgram.run(["similar", "-R", "a/b", "--text", "- crash"])
      #expect(!similar.errorText.contains("Missing value"), "\(similar.errorText)")
      let bulk = try await IssuesProgram.run(
        ["edit", "-R", "a/b", "--where", "-nonsense:x", "--add-label", "x"])
      bulk.expectFailure(64, saying: ["nonsense"])
    }

    @Test(
      "an option in place of a value is refused with the syntax for a literal value",
      arguments: [
        (["create", "-b", "--title", "x"], "write --body=--title"),
        (["create", "-t", "x", "-b", "-F", "a"], "write --body=-F"),
        (["list", "-S", "--web"], "write --search=--web"),
      ])
    func missingText(arguments: [String], advice: String) async throws {
      let result = try await IssuesProgram.run(arguments + ["-R", "a/b"])
      result.expectFailure(64, saying: [advice])
    }

    @Test(
      "'-' or '@FILE' as a value is refused, and the correct option is suggested",
      arguments: [
        (["comment", "7", "--body", "-"], "--body-file -"), (["edit", "7", "-b", "@-"], "-file -"),
        (["create", "-t", "x", "-b", "@/etc/passwd"], "--body-file FILE"),
        (["create", "-b", "x", "-t", "-"], "$(cat FILE)"),
        (["close", "7", "-c", "@-"], "$(cat FILE)"), (["reopen", "7", "-c", "-"], "$(cat FILE)"),
        (["label", "create", "x", "-d", "@-"], "$(cat FILE)"),
        (["milestone", "edit", "6.3", "-d", "-"], "$(cat FILE)"),
        (["outbox", "edit", "7", "-t", "@-"], "$(cat FILE)"),
      ])
    func markers(arguments: [String], advice: String) async throws {
      let place = arguments[0] == "outbox" ? [] : ["-R", "a/b"]
      let result = try await IssuesProgram.run(arguments + place)
      result.expectFailure(64, saying: ["no file is read for it", advice])
    }

    @Test("a mention is accepted as a value")
    func mention() async throws {
      let result = try await IssuesProgram.run([
        "create", "apple/swift", "--stub", "-t", "x", "-b", "@ada", "--json", "body", "-q",
        ".[].body",
      ])
      #expect(result.outputText == "@ada\n", "\(result.errorText)")
    }

    @Test("an option's name is a value after an equals sign")
    func nameAsText() async throws {
      let result = try await IssuesProgram.run(
        [
          "create", "apple/swift", "--stub", "--title=--title", "-b", "", "--jsonl", "--fields",
          "title",
        ])
      #expect(result.outputText == #"{"title":"--title"}"# + "\n", "\(result.errorText)")
    }

    @Test(
      "joined options are split into each possible command line",
      arguments: [
        (["a/b", "-wL5"], [["a/b", "-w", "-L5"]]),
        (["-wvL5"], [["-w", "-vL5"], ["-wv", "-L5"]]),
        (["-wL5", "--", "-wL5"], [["-w", "-L5", "--", "-wL5"]]),
        (["-L5"], []), (["--wL5"], []), (["-w"], []), (["-"], []), (["-123"], []), (["-1234"], []),
        (Array(repeating: "-wvcaL5", count: 3), []),
      ] as [([String], [[String]])])
    func forms(arguments: [String], lines: [[String]]) {
      #expect(GHArguments.separatingValues(in: arguments) == lines)
    }

    @Test(
      "--repo may precede a subcommand's name",
      arguments: [
        (["-R", "a/b", "view", "12"], ["view", "-R", "a/b", "12"]),
        (["-Ra/b", "view", "12"], ["view", "-Ra/b", "12"]),
        (["--repo=a/b", "mirror", "repair"], ["mirror", "repair", "--repo=a/b"]),
        (
          ["--repo", "a/b", "-R", "c/d", "sync", "-q"],
          ["sync", "--repo", "a/b", "-R", "c/d", "-q"]
        ),
        (["-R", "a/b", "lst"], ["lst", "-R", "a/b"]),
      ])
    func moved(arguments: [String], line: [String]) {
      #expect(GHArguments.movingRepository(in: arguments) == line)
    }

    @Test(
      "--repo stays in place unless it precedes a subcommand",
      arguments: [
        [], ["-R"], ["-R", "a/b"], ["-R", "view"], ["-R", "a/b", "12"],
        ["-R", "a/b", "-L5", "view"],
        ["-R", "a/b", "c/d"], ["view", "-R", "a/b", "12"], ["-L", "5", "-R", "a/b"],
      ])
    func unmoved(arguments: [String]) {
      #expect(GHArguments.movingRepository(in: arguments) == arguments)
    }
  }
}
