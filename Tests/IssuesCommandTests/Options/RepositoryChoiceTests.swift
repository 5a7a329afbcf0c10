import GitHubAPI
import Testing

@testable import IssuesCommand

@Suite("The choice of the repository")
struct RepositoryChoiceTests {
  @Test(
    "an argument, --repo, or equal values of both choose the repository",
    arguments: [
      (nil, nil, nil), ("o/r", nil, "o/r"), (nil, "o/r", "o/r"), ("o/r", "O/R", "o/r"),
      (nil, "ghe.example.com/o/r", "ghe.example.com/o/r"),
      (nil, "https://github.com/o/r", "github.com/o/r"),
      ("o/r", "github.com/o/r", "github.com/o/r"), ("github.com/o/r", "o/r", "github.com/o/r"),
      ("https://github.com/o/r/issues/1", "o/r", "github.com/o/r"),
    ] as [(String?, String?, String?)])
  func accepted(argument: String?, option: String?, expected: String?) throws {
    let choice = try RepositoryChoice(parsing: argument, option: option)
    #expect(choice.named?.description == expected)
  }

  @Test(
    "two different repositories or an invalid one are refused",
    arguments: [
      ("o/r", "o/x"), ("o/r", "x/r"), ("github.com/o/r", "ghe.example.com/o/r"), (nil, ""),
      (nil, "r"), (nil, "o/r/12"), ("r", "o/r"),
    ] as [(String?, String)])
  func refused(argument: String?, option: String) {
    #expect(throws: (any Error).self) {
      try RepositoryChoice(parsing: argument, option: option)
    }
  }

  @Test("the command line takes precedence over GH_REPO, and an empty GH_REPO is ignored")
  func order() async throws {
    let environment = ["GH_REPO": "ghe.example.com/of/environment", "PATH": "/nonexistent"]
    let typed = try RepositoryChoice(parsing: "o/r", option: nil)
    #expect(try await "\(typed.reference(environment: environment))" == "o/r")
    let nothing = try RepositoryChoice(nil, option: nil)
    #expect(
      try await "\(nothing.reference(environment: environment))"
        == "ghe.example.com/of/environment")
    await #expect(throws: GitRemotes.Failure.gitUnavailable) {
      try await nothing.reference(environment: ["GH_REPO": "", "PATH": "/nonexistent"])
    }
  }
}
