import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("Mistyped commands", .timeLimit(.minutes(5)))
  struct MistypedCommandTests {
    @Test(
      "a mistyped command gets the intended command as a suggestion",
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

    @Test(
      "a command of gh or hub gets the equivalent command as a suggestion",
      arguments: [
        ("status", "issues inbox"), ("issue list", "Leave out 'issue'"), ("pr view 1", "gh pr"),
        ("new", "issues create"), ("login", "issues auth status"), ("auth login", "gh auth login"),
        ("auth token", "issues auth status"), ("config list", "'issues config' shows"),
        ("config set a b", "issues config edit"), ("version", "issues --version"),
        ("completion -s zsh", "--generate-completion-script"), ("notifications", "issues inbox"),
        ("list --app x", "--author app/NAME"), ("-M 3", "--milestone"), ("-c ada", "--author"),
        ("-@ ada", "--mention"), ("-o updated", "--sort"), ("-d 2026-01-31", "--since"),
        ("-^", "--order asc"), ("-f %t", "--json with --jq"), ("comment 12 --web", "issues open"),
        ("search a --owner b", "org:NAME"), ("search a --label b", "label:NAME"),
        ("edit 12 --label b", "--add-label"), ("list -t x", "Templates are not supported"),
        ("create -p x", "such as swiftlang/5"), ("edit 12 --remove-project x", "gh issue edit"),
      ])
    func foreign(line: String, advice: String) async throws {
      let result = try await IssuesProgram.run(line.split(separator: " ").map(String.init))
      result.expectFailure(64, saying: [advice])
      #expect(!result.errorText.contains("id you mean"))
      #expect(result.outputText.isEmpty)
    }

    @Test("an option is suggested only if its spelling is similar")
    func alike() async throws {
      try await IssuesProgram.run(["list", "--lable", "x"]).expectFailure(
        64, saying: ["Did you mean '--label'?"])
      for arguments in [["view", "12", "--was"], ["search", "a", "--ole", "x"]] {
        let result = try await IssuesProgram.run(arguments)
        result.expectFailure(64, saying: ["Unknown option '\(arguments[2])'"])
        #expect(!result.errorText.contains("Did you mean"), "\(result.errorText)")
      }
    }

    @Test("the error for an unknown word suggests a search for repositories")
    func word() async throws {
      try await IssuesProgram.run(["swift"]).expectFailure(
        64, saying: ["'swift' is neither a command nor a repository", "issues search-repos swift"])
      for arguments in [["help", "xyzzy"], ["help", "apple/swift"], ["mirror", "xyzzy"]] {
        try await IssuesProgram.run(arguments).expectFailure(64, saying: ["There is no command"])
      }
    }

    @Test(
      "a correct or unrelated word doesn't get a suggestion",
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
