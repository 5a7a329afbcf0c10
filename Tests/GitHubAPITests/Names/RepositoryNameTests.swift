import GitHubAPI
import Testing

@Suite("RepositoryName")
struct RepositoryNameTests {
  @Test(
    "a repository name is split into its owner and its name, and joined again",
    arguments: [
      ("swiftlang/swift", "swiftlang", "swift"), ("a/b", "a", "b"),
      ("apple/swift.git", "apple", "swift"), ("-ACE-/x", "-ACE-", "x"),
      ("0----0/a_b-c.d", "0----0", "a_b-c.d"), ("mona_acme/.github", "mona_acme", ".github"),
      ("o/...", "o", "..."), ("o/r.github", "o", "r.github"), ("o/git", "o", "git"),
      ("o/r.GIT", "o", "r.GIT"),
    ])
  func valid(text: String, owner: String, name: String) throws {
    let repository = try #require(RepositoryName(text))
    #expect(repository.owner == owner)
    #expect(repository.name == name)
    #expect(repository.description == "\(owner)/\(name)")
    #expect(RepositoryName(repository.description) == repository)
  }

  @Test(
    "other text is refused as a repository name",
    arguments: [
      "", "/", "swift", "a/", "/b", "a/b/c", "a//b", "../..", "./.", "a/..", "a/.", "../b",
      "%2e%2e/b", "a/%2e%2e", "a/b?x", "a/b#1", "a/b ", " a/b", "a b/c", "a/b\r\n", "a/b\n",
      "a\0/b",
      "a/b\u{7F}", "a/b\u{85}", "а/b", "a/ｂ", "a/b\u{301}", "a/b\u{200D}", "a/b\u{202E}", "a:b/c",
      "a@b/c", "a\\b/c", "a/.git", "a/..git", "a/...git", "a/b.git.git", "a/b/", "a+b/c", "é/b",
    ])
  func invalid(text: String) {
    #expect(RepositoryName(text) == nil)
  }

  @Test("an owner has up to 39 characters, and a repository has up to 100")
  func lengths() {
    let owner = String(repeating: "o", count: 39)
    let name = String(repeating: "r", count: 100)
    #expect(RepositoryName(owner: owner, name: name) != nil)
    #expect(RepositoryName(owner: owner, name: name + ".git") != nil)
    #expect(RepositoryName(owner: owner + "o", name: name) == nil)
    #expect(RepositoryName(owner: owner, name: name + "r") == nil)
  }

  @Test("a slash within the owner or the name is refused")
  func parts() {
    #expect(RepositoryName(owner: "a/b", name: "c") == nil)
    #expect(RepositoryName(owner: "a", name: "b/../c") == nil)
  }

  @Test("only letters, digits and three punctuation marks of ASCII are accepted")
  func everyASCIICharacter() {
    for code in UInt8(0)...127 {
      let character = Character(Unicode.Scalar(code))
      let isAllowed = character.isLetter || character.isNumber || "._-".contains(character)
      #expect((RepositoryName("a\(character)/b") != nil) == isAllowed)
      #expect((RepositoryName("a/\(character)b") != nil) == isAllowed)
    }
  }
}

@Suite("Username")
struct UsernameTests {
  @Test(
    "the logins of users, managed users, old accounts and bots are accepted",
    arguments: [
      "octocat", "a", "mona_acme", "-ACE-", "gil--", "shipit[bot]", "0----0",
      String(repeating: "u", count: 39), String(repeating: "u", count: 39) + "[bot]",
    ])
  func valid(text: String) throws {
    #expect(Username(text)?.description == text)
    #expect(try Username(parsing: text).login == text)
  }

  @Test(
    "other text is refused as a login with a printable message",
    arguments: [
      "", "[bot]", "a[bot]b", "a[bot][bot]", "a..b", ".a", "..", "a/b", "a b", "@octocat", "a%2e",
      "a\r\n",
      "\u{1B}]0;x\u{7}", "оctocat", "a?b", "a#b", String(repeating: "u", count: 40),
    ])
  func invalid(text: String) {
    #expect(Username(text) == nil)
    let error = #expect(throws: InvalidInput.self) { try Username(parsing: text) }
    #expect(error?.code == .username)
    #expect(error?.message.contains("A-Z a-z 0-9") == true)
    #expect(error?.message.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
  }
}
