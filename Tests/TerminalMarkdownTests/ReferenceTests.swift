import StyledText
import Testing

@testable import TerminalMarkdown

@Suite("References")
struct ReferenceTests {
  private static let repository = "https://github.com/apple/swift"

  /// The linked texts, each with its target.
  private static func links(in text: String) -> [String] {
    Rendering.lines(text, width: 300, links: .hyperlinks).flatMap(\.runs).compactMap { run in
      run.link.map { "\(run.text.string) \($0.url)" }
    }
  }

  @Test(
    "users, issues and commits link to their pages",
    arguments: [
      ("#12", "#12 https://github.com/apple/swift/issues/12"),
      ("(#12)", "#12 https://github.com/apple/swift/issues/12"),
      ("日本語#12", "#12 https://github.com/apple/swift/issues/12"),
      ("a/b#3.", "a/b#3 https://github.com/a/b/issues/3"),
      ("@octocat's", "@octocat https://github.com/octocat"),
      ("@a-b,", "@a-b https://github.com/a-b"),
      ("@org/team", "@org/team https://github.com/orgs/org/teams/team"),
      ("since 1a2b3c4.", "1a2b3c4 https://github.com/apple/swift/commit/1a2b3c4"),
      (
        "0123456789abcdef0123456789abcdef01234567",
        "0123456789abcdef0123456789abcdef01234567 "
          + "https://github.com/apple/swift/commit/0123456789abcdef0123456789abcdef01234567"
      ),
    ])
  func found(text: String, link: String) {
    #expect(Self.links(in: text) == [link])
  }

  @Test(
    "text that only resembles a reference isn't linked",
    arguments: [
      "a#1", "#", "#x", "#1a", "##", "#123456789012", "`#1`", "a/#1", "/a#1", "a/b/c#1", "../x#1",
      "a@b", "@", "@-a", "@a-", "x/@a", "`@octocat`", "1234567", "deadbeef", "1a2b3c", "x1a2b3c4",
      "1a2b3c4-5d", "1A2B3C4", "```\n#1 @octocat 1a2b3c4\n```",
      "0123456789abcdef0123456789abcdef012345678",
    ])
  func text(text: String) {
    #expect(Self.links(in: text) == [])
  }

  @Test(
    "the plain address of an issue is shortened to a reference",
    arguments: [
      ("https://github.com/apple/swift/issues/12", "#12"),
      ("https://github.com/apple/swift/pull/12#issuecomment-9", "#12 (comment)"),
      ("<https://github.com/o/r.x/discussions/3>", "o/r.x#3"),
      ("[text](https://github.com/apple/swift/issues/12)", "text"),
    ])
  func issueAddress(text: String, shown: String) {
    let document = Rendering.document(text, links: .hyperlinks)
    #expect(document.lines.map(\.plain) == [shown])
    #expect(document.links.count == 1)
    #expect(text.contains(document.links.first?.target.url ?? "-"))
  }

  @Test(
    "other addresses are unchanged",
    arguments: [
      "https://github.com/apple/swift/issues/12/x", "https://github.com/apple/swift/issues/012",
      "https://github.com/apple/swift/issues/", "https://github.com/apple/swift/pull/12/files",
      "https://github.com/apple/swift/issues/12?a", "https://github.com/apple/swift/issues/12#x",
      "https://other.example/apple/swift/issues/12", "http://github.com/apple/swift/issues/12",
      "https://github.com.example/apple/swift/issues/12", "https://github.com/apple/issues/12",
    ])
  func otherAddress(text: String) {
    #expect(Rendering.text(text, links: .hyperlinks) == text)
  }

  @Test("references inside a link aren't linked")
  func inLink() {
    #expect(Self.links(in: "[#1 @a](https://x.example)") == ["#1 @a https://x.example"])
  }

  @Test(
    "emoji names become emoji",
    arguments: [
      (":tada:", "🎉"), (":+1:", "👍"), (":tada::rocket:", "🎉🚀"), ("a :heart: b", "a ❤️ b"),
      (":no_such:", ":no_such:"), (":tada", ":tada"), ("`:tada:`", ":tada:"), ("x:b:y", "x:b:y"),
      ("::", "::"), ("std::tada::x", "std::tada::x"), ("[:tada:](https://x.example)", "🎉 [1]"),
    ])
  func emoji(text: String, shown: String) {
    #expect(Rendering.lines(text).first?.plain == shown)
  }

  @Test("emoji names are unchanged without Unicode")
  func names() {
    #expect(Rendering.text(":tada:", isUnicode: false) == ":tada:")
  }

  @Test("every emoji is a single harmless character")
  func table() {
    for entry in EmojiShortcodes.table.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
      let words = entry.split(separator: " ")
      #expect(words.count > 1)
      for name in words.dropFirst() {
        #expect(name.utf8.count <= EmojiShortcodes.longestName)
        #expect(EmojiShortcodes.emoji(named: String(name)) == words.first.map { String($0) })
      }
      let emoji = String(words.first ?? "")
      #expect(emoji.count == 1)
      #expect(TerminalText(emoji).string == emoji)
    }
  }

  @Test(
    "an image or link address is a web address or a path in the repository",
    arguments: [
      ("https://x.example/a b", "https://x.example/a%20b"),
      ("//x.example/a", "https://x.example/a"),
      ("docs/x.md", "https://github.com/apple/swift/blob/HEAD/docs/x.md"),
      ("/docs/x.md?a#b", "https://github.com/apple/swift/blob/HEAD/docs/x.md?a#b"),
      ("./a/../b", "https://github.com/apple/swift/blob/HEAD/b"),
      ("../../issues", "https://github.com/apple/swift/issues"),
      ("../../../other", nil), ("/../../../x", nil), ("a\\..\\b", nil), ("%2e%2e/%2E%2E/x", nil),
      ("#place", nil), ("?query", nil), ("", nil), ("javascript:alert(1)", nil),
      ("mailto:a@b", nil),
      ("JaVaScRiPt:x", nil), ("file:///etc/passwd", nil), ("vbscript:x", nil),
      ("data:text/html,x", nil),
      ("docs/ü.md", "https://github.com/apple/swift/blob/HEAD/docs/%C3%BC.md"),
    ] as [(String, String?)])
  func addresses(written: String, url: String?) {
    #expect(LinkAddress.resolve(written, below: Self.repository)?.url == url)
  }
}
