import GitHubAPI
import Testing

@Suite("IssueReference")
struct IssueReferenceTests {
  @Test(
    "an issue reference is parsed from typed or pasted text",
    arguments: [
      ("12", nil, nil, 12), ("#12", nil, nil, 12), ("1", nil, nil, 1),
      ("9223372036854775807", nil, nil, .max),
      ("o/r#12", nil, "o/r", 12), ("github.com/o/r#12", "github.com", "o/r", 12),
      ("ghe.example.com:8443/o/r#7", "ghe.example.com:8443", "o/r", 7),
      ("https://github.com/o/r/issues/12", "github.com", "o/r", 12),
      ("https://github.com/o/r/issues/12#issuecomment-3456", "github.com", "o/r", 12),
      ("https://github.com/o/r/pull/7/files?w=1#diff-1", "github.com", "o/r", 7),
      ("HTTPS://GHE.example.com/o/r/issues/12/", "ghe.example.com", "o/r", 12),
    ] as [(String, String?, String?, Int)])
  func valid(text: String, host: String?, name: String?, number: Int) throws {
    let repository = name.flatMap(RepositoryName.init).map {
      RepositoryReference(host: host, name: $0)
    }
    #expect((repository == nil) == (name == nil))
    let issue = try IssueReference(parsing: text)
    #expect(issue == IssueReference(repository: repository, number: number))
    #expect(try IssueReference(parsing: "\(issue)") == issue)
  }

  @Test(
    "other text is refused with the accepted forms",
    arguments: [
      "", "#", "0", "#0", "012", "-1", "+1", "1 ", " 1", "1.0", "x", "o/r", "o/r#", "o/r#x",
      "o/r#0", "o/r#1#", "9223372036854775808", "１２", "1\n", "1\u{301}", "#1\u{301}", "\u{1B}[1m1",
      "https://github.com/o/r", "https://github.com/o/r/issues", "https://github.com/o/r/pulls",
    ])
  func invalid(text: String) {
    let error = #expect(throws: InvalidInput.self) { try IssueReference(parsing: text) }
    #expect(error?.code == .issue)
    #expect(error?.message.contains("use its number, OWNER/REPO#NUMBER, or the address") == true)
    #expect(error?.message.unicodeScalars.contains { $0.value < 0x20 } == false)
  }

  @Test(
    "an invalid repository name is refused with the message for repositories",
    arguments: [
      "../..#1", "o#1", "##1", "o/r/x/y#1", "#1#2", "a b/c#1", "%2e%2e/x#1", "o/r?x#1",
      "https://github.com/o/..", "file:///etc/passwd", "https://user:pass@github.com/o/r/issues/1",
      "https://github.com/o/r/issues/0", "https://github.com/o/r/settings/1",
    ])
  func repositories(text: String) {
    let error = #expect(throws: InvalidInput.self) { try IssueReference(parsing: text) }
    #expect(error?.code == .repository)
    #expect(error?.message.contains("pass@") == false)
  }
}
