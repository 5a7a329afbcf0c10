import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("Mistyped commands", .timeLimit(.minutes(5)))
  struct MistypedCommandTests {
    @Test(
      "a slip is told with what was meant",
      arguments: [
        (["lst"], "list"), (["lsit"], "list"), (["veiw"], "view"), (["serach"], "search"),
        (["hist"], "history"), (["Sync"], "sync"), (["brows"], "browse"),
        (["help", "lst"], "list"), (["mirror", "lst"], "list"), (["mirror", "remov"], "remove"),
        (["help", "cache", "cler"], "clear"), (["auth", "stat"], "status"),
        (["serach", "crash", "-L", "5"], "search"), (["lst", "apple/swift"], "list"),
        (["ls"], "list"), (["show", "12"], "view"),
      ])
    func slips(arguments: [String], meant: String) async throws {
      let result = try await IssuesProgram.run(arguments)
      let word = arguments.first { $0 != "help" && $0 != "mirror" && $0 != "cache" && $0 != "auth" }
      result.expectFailure(
        64, saying: ["There is no command '\(try #require(word))'; did you mean '\(meant)'?"])
      #expect(result.outputText.isEmpty)
    }

    @Test("a word that is neither a command nor a repository is told where to look for one")
    func word() async throws {
      try await IssuesProgram.run(["swift"]).expectFailure(
        64, saying: ["'swift' is neither a command nor a repository", "issues search-repos swift"])
      for arguments in [["help", "xyzzy"], ["help", "apple/swift"], ["mirror", "xyzzy"]] {
        try await IssuesProgram.run(arguments).expectFailure(64, saying: ["no such command"])
      }
    }

    @Test(
      "what is right, or something else, is none",
      arguments: [
        [], ["list"], ["help"], ["help", "help"], ["help", "mirror", "list"], ["mirror"],
        ["mirror", "list"], ["--stub"], ["apple/swift"], ["12"], ["#12"], ["-R", "apple/swift"],
        ["git@github.com:apple/swift"], ["apple/swift", "lst"], ["search", "lst"], [""], ["ä"],
        ["mirror", "--help"], ["help", "--help"], ["help", "list", "x"],
      ])
    func none(arguments: [String]) {
      #expect(MistypedCommand(in: arguments) == nil)
    }
  }
}
