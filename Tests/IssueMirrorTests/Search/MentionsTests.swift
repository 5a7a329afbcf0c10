import GitHubAPI
import Testing

@testable import IssueMirror

@Suite("Logins mentioned in text")
struct MentionsTests {
  @Test(
    "the mentioned logins match those that a filter finds",
    arguments: [
      ("@octocat", ["octocat"]), ("ask @Octo-Cat, or (@hubot)", ["octo-cat", "hubot"]),
      ("me@octocat.org", []), ("-@octocat _@octocat 1@octocat", []),
      ("@octocats", ["octocats"]), ("@dependabot[bot] said", ["dependabot", "dependabot[bot]"]),
      ("@dependabot[bot]x", ["dependabot"]), ("@", []), ("@@hubot", ["hubot"]),
      ("ü@hubot", ["hubot"]),
      ("@\(String(repeating: "a", count: 40))", []), ("@a@b", ["a"]), ("@ÄÖ", []),
    ] as [(String, Set<String>)])
  func logins(text: String, logins: Set<String>) throws {
    #expect(Mentions.logins(in: text) == logins)
    for login in logins.union(["octocat", "hubot", "b", "dependabot", "dependabot[bot]"]) {
      let username = try #require(Username(login))
      #expect(IssueFilter.text(text, mentions: username) == logins.contains(login), "\(login)")
    }
  }
}
