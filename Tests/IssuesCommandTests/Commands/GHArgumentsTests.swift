import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("What gh accepts of a command line", .timeLimit(.minutes(5)))
  struct GHArgumentsTests {
    @Test(
      "an option with its value may follow flags in one word",
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

    @Test("the value counts", arguments: [(["-vL2"], 2), (["-vsclosed", "-vL3"], 3)])
    func values(arguments: [String], rows: Int) async throws {
      let result = try await IssuesProgram.run(["apple/swift", "--stub"] + arguments)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.lines.count == rows)
    }

    @Test(
      "a word that is wrong is told as it was typed",
      arguments: [["-wxL5"], ["-wL"], ["-wLfive"]])
    func wrong(arguments: [String]) async throws {
      let result = try await IssuesProgram.run(["right/one"] + arguments)
      #expect(result.status == .exited(64))
      #expect(result.errorText.contains("'\(arguments[0])'"), "\(result.errorText)")
    }

    @Test(
      "which command lines are tried",
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
      "--repo may stand before a subcommand's name",
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
      "what else begins so stays as it is",
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
