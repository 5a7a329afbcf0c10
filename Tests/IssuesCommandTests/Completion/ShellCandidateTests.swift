import Testing

@testable import IssuesCommand

@Suite("Shell completion candidates")
struct ShellCandidateTests {
  @Test(
    "harmless names are unchanged",
    arguments: [
      "bug", "good first issue", "area/parser", "C++", "S: needs-review", "v1.2.3", "日本語", "🐛 bug",
      "étude", "octocat", "12", "@ada", "a,b",
    ])
  func harmless(name: String) {
    #expect(ShellCandidate(name)?.text == name)
  }

  @Test(
    "a candidate unsafe for a shell is dropped",
    arguments: [
      "$(touch /tmp/x)", "`id`", "${IFS}", "a;b", "a|b", "a&b", "a>b", "a<b", "a'b", "a\"b", "a\\b",
      "{a,b}", "*", "?", "a!b", "#a", "~root", "-rf", "--force", "", " a", "a ", "a  b", "a\tb",
      "a\nb", "a\u{1B}[31m", "a\u{9B}b", "\u{202E}a", "a\u{A0}b", "a\u{3000}b", "%s", "a=b",
      "(a)", "[a]", "^a",
    ])
  func harmful(name: String) {
    #expect(ShellCandidate(name) == nil)
  }

  @Test(
    "an overlong name is dropped, and a long description is cut to protect zsh")
  func long() throws {
    let name = String(repeating: "a", count: 200)
    #expect(ShellCandidate(name)?.text == name)
    #expect(ShellCandidate("\(name)a") == nil)
    #expect(ShellCandidate(String(repeating: "a", count: 20_000)) == nil)
    // One character for a person, thousands for a shell.
    #expect(ShellCandidate("é" + String(repeating: "\u{301}", count: 20_000)) == nil)
    let detail = String(repeating: "e\u{301}", count: 10_000)
    let candidate = try #require(ShellCandidate("a", detail: detail))
    #expect(candidate.detail.unicodeScalars.count == 200)
  }

  @Test("a candidate and its description form one harmless line")
  func lines() throws {
    let candidate = try #require(ShellCandidate("a:b", detail: "Crash\n\u{1B}[31m: now\there"))
    #expect(candidate.line == "a:b\tCrash ^[[31m: now here")
    #expect(try #require(ShellCandidate("12")).line == "12")
  }
}
