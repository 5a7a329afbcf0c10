import Testing

@testable import IssuesCommand

@Suite("The names of branches")
struct BranchNameTests {
  @Test(
    "the name of an issue's branch consists of the letters and digits of its title",
    arguments: [
      ("It crashes: on Linux!", "12-it-crashes-on-linux"), ("", "12"), ("…/..", "12"),
      ("--upload-pack=evil", "12-upload-pack-evil"), ("a@{1}~^:?*[\\b..c.lock", "12-a-1-b-c-lock"),
      ("\u{1B}]0;x\u{7}a\u{202E}b\u{200B}c", "12-0-x-a-b-c"), ("日本語 タイトル", "12-日本語-タイトル"),
      ("$(touch x); `y`", "12-touch-x-y"),
      (String(repeating: "ab ", count: 60), "12-" + String(repeating: "ab-", count: 16) + "ab"),
    ])
  func titles(title: String, name: String) throws {
    #expect(BranchName(of: 12, titled: title).description == name)
    #expect(BranchName(name) != nil)
  }

  @Test(
    "a name that git refuses, or that could be an option, is refused",
    arguments: [
      "", "-x", "@", "HEAD", "a..b", "a b", "a\tb", "a~", "a^", "a:b", "a?", "a*", "a[b", "a\\b",
      "/a", "a/", "a//b", ".a", "a/.b", "a.lock", "a.lock/b", "a.", "a@{b", "a\u{1B}b", "a\0b",
      String(repeating: "a", count: 245),
    ])
  func invalid(name: String) {
    #expect(BranchName(name) == nil)
    #expect(throws: CommandFailure.self) { try BranchName(parsing: name) }
  }

  @Test(
    "other names are accepted", arguments: ["a", "release/6.2", "a-b_c", "12-x", "ä", "a@b", "x.y"])
  func valid(name: String) {
    #expect(BranchName(name)?.description == name)
  }
}
