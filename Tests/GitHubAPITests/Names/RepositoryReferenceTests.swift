import GitHubAPI
import Testing

@Suite("RepositoryReference")
struct RepositoryReferenceTests {
  @Test(
    "a repository reference is parsed from typed or pasted text",
    arguments: [
      ("swiftlang/swift", nil, "swiftlang/swift", nil),
      ("swiftlang/swift.git", nil, "swiftlang/swift", nil),
      ("github.com/o/r", "github.com", "o/r", nil),
      ("GitHub.com/o/r", "github.com", "o/r", nil),
      ("github.com./o/r", "github.com", "o/r", nil),
      ("www.github.com/o/r", "github.com", "o/r", nil),
      ("ghe.example.com:8443/o/r", "ghe.example.com:8443", "o/r", nil),
      ("localhost:8080/o/r", "localhost:8080", "o/r", nil),
      ("localhost/o/r", "localhost", "o/r", nil),
      ("[::1]:8080/o/r", "[::1]:8080", "o/r", nil),
      ("https://github.com/o/r", "github.com", "o/r", nil),
      ("HTTPS://GITHUB.COM/o/r/", "github.com", "o/r", nil),
      ("http://github.com/o/r.git", "github.com", "o/r", nil),
      ("https://github.com/o/r.git/", "github.com", "o/r", nil),
      ("https://github.com:443/o/r", "github.com", "o/r", nil),
      ("http://github.com:80/o/r", "github.com", "o/r", nil),
      ("https://ghe.example.com:8443/o/r", "ghe.example.com:8443", "o/r", nil),
      ("https://github.com/o/r?tab=readme", "github.com", "o/r", nil),
      ("https://github.com/o/r#readme", "github.com", "o/r", nil),
      ("https://github.com/o/r/issues", "github.com", "o/r", nil),
      ("https://github.com/o/r/issues/?q=is%3Aopen", "github.com", "o/r", nil),
      ("https://github.com/o/r/pulls", "github.com", "o/r", nil),
      ("https://github.com/o/r/issues/12", "github.com", "o/r", 12),
      ("https://github.com/o/r/issues/12/", "github.com", "o/r", 12),
      ("https://github.com/o/r/issues/12#issuecomment-3456", "github.com", "o/r", 12),
      ("https://github.com/o/r/pull/7", "github.com", "o/r", 7),
      ("https://codeberg.org/o/r/pulls/7", "codeberg.org", "o/r", 7),
      ("https://github.com/o/r/pull/7/commits/abc123", "github.com", "o/r", 7),
      ("git@github.com:o/r.git", "github.com", "o/r", nil),
      ("git@github.com:/o/r", "github.com", "o/r", nil),
      ("github.com:o/r.git", "github.com", "o/r", nil),
      ("org-123@github.com:o/r.git", "github.com", "o/r", nil),
      ("ssh://git@github.com/o/r.git", "github.com", "o/r", nil),
      ("ssh://git@github.com:22/o/r.git", "github.com", "o/r", nil),
      ("ssh://git@ssh.github.com:443/o/r.git", "github.com", "o/r", nil),
      ("ssh://github.com/o/r", "github.com", "o/r", nil),
      ("git://github.com/o/r.git", "github.com", "o/r", nil),
      ("git+ssh://git@github.com/o/r.git", "github.com", "o/r", nil),
    ] as [(String, String?, String, Int?)])
  func valid(text: String, host: String?, name: String, issueNumber: Int?) throws {
    let expected = RepositoryReference(
      host: host, name: try #require(RepositoryName(name)), issueNumber: issueNumber)
    #expect(try RepositoryReference(parsing: text) == expected)
    #expect(try RepositoryReference(remoteURL: text) == expected)
  }

  static let hostile = [
    "", " ", "swift", "/", "//", "a/", "/b", "a/b/", "a//b", "a/b/c/d", "a/b/c", "swift/issues/12",
    "../..", "./.", "github.com/../..", "github.com/o/..", "%2e%2e/%2e%2e", "o/%2e%2e",
    "https://github.com/%2e%2e/r", "https://github.com/o/r%2f..", "https://github.com/../r",
    "https://github.com/o/..", "https://github.com/o/r/..", "https://github.com/o/r/issues/..",
    "https://github.com/o/r/issues/12/..", "https://github.com/o//r", "https://github.com//o/r",
    "https://github.com/o/r//", "https://github.com/o", "https://github.com/", "https://github.com",
    "https:///o/r", "https://", "://", "https://github.com?/o/r", "https://github.com#/o/r",
    "https://github.com?@evil.example/o/r", "https://github.com\\@evil.example/o/r",
    "https://github.com/settings/actions/runs", "https://github.com/o/r/issues/0",
    "https://github.com/o/r/issues/-1", "https://github.com/o/r/issues/1x",
    "https://github.com/o/r/issues/99999999999999999999", "https://github.com/o/r/issues/new",
    "https://github.com/o/r/pull", "https://api.github.com/repos/o/r",
    "ftp://github.com/o/r", "file:///o/r", "javascript://github.com/o/r",
    "o/r?x=1", "o/r#12", "o/r\r\n", "o/r\n", "o/r\r\nX-Header: 1", "o\0/r", "o/r\u{1B}[31m",
    "\u{9B}31m/r",
    "o/r\u{202E}", "о/r", "o／r", "github。com/o/r", "https://gıthub.com/o/r",
    "https://github.com/o/é",
    "git@github.com:o", "git@github.com:", "git@:o/r", "@github.com:o/r", "git@github.com:o/r/x",
    "git@github.com:../r", "git@github.com:o/r?x", "git@git@github.com:o/r",
    "https://github.com:0/o/r", "https://github.com:99999/o/r", "https://github.com:x/o/r",
    "https://[::1/o/r", "https://[::g]/o/r", "https://-x.com/o/r", "https://a..b/o/r",
    "https://0x7f.1/o/r", "https://127.1/o/r", "https://2130706433/o/r", "https://127.0.0.256/o/r",
    "ssh://git@github.com/o/r?x", "ssh://git@github.com/o/r#x",
    "a:b/c/d", String(repeating: "a/", count: 2_000), "--help/x y",
  ]

  @Test(
    "other text is refused as a repository reference with a printable message", arguments: hostile)
  func invalid(text: String) throws {
    let typed = #expect(throws: InvalidInput.self) { try RepositoryReference(parsing: text) }
    let remote = #expect(throws: InvalidInput.self) { try RepositoryReference(remoteURL: text) }
    for error in [typed, remote] {
      let message = try #require(error?.message)
      #expect(error?.code == .repository)
      #expect(message.contains("OWNER/REPO, HOST/OWNER/REPO"))
      #expect(message.utf8.allSatisfy { (0x20...0x7E).contains($0) })
      #expect(message.utf8.count < 300)
    }
  }

  static let withSecrets = [
    "https://x-access-token:hunter2@github.com/o/r.git", "https://hunter2@github.com/o/r",
    "https://hunter2@evil@github.com/o/r", "http://me:hunter2@github.com/o/r",
    "git://hunter2@github.com/o/r", "ssh://git:hunter2@github.com/o/r",
    "git+https://hunter2@github.com/o/r",
  ]

  @Test("a secret pasted with an address is refused and never repeated", arguments: withSecrets)
  func secrets(text: String) throws {
    let error = #expect(throws: InvalidInput.self) { try RepositoryReference(parsing: text) }
    let message = try #require(error?.message)
    #expect(!message.contains("hunter2"))
    #expect(message.contains("remove the part before the @"))
  }

  @Test("a secret in a remote's URL is dropped", arguments: withSecrets)
  func remotes(text: String) throws {
    let reference = try RepositoryReference(remoteURL: text)
    #expect(reference.description == "github.com/o/r")
  }

  @Test(
    "a token in a name or in a broken address is never repeated",
    arguments: [
      "ghp_hunter2", "github_pat_11A_hunter2", "GHP_hunter2/x/y",
      "https://github.com/?token=hunter2",
      "https://me:hun/ter2@github.com/o/r", "git:hunter2@github.com:o/r",
    ])
  func brokenSecrets(text: String) throws {
    let error = #expect(throws: InvalidInput.self) { try RepositoryReference(parsing: text) }
    let message = try #require(error?.message)
    #expect(!message.contains("hunter2") && !message.contains("ter2"))
  }

  @Test("harmless text is repeated in the message, and the error can be caught by its code")
  func catching() {
    do {
      _ = try RepositoryReference(parsing: "swift")
      Issue.record("nothing was thrown")
    } catch InvalidInput.Code.repository {
      // This is the way to catch it.
    } catch {
      Issue.record("another error: \(error)")
    }
    let error = #expect(throws: InvalidInput.self) { try RepositoryReference(parsing: "swift") }
    #expect(error?.description.hasPrefix("\"swift\" is not a repository") == true)
  }
}
