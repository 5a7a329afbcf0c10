import TestSupport
import Testing

@testable import IssueMirror

@Suite("Snippets of matching text")
struct SnippetTests {
  @Test("matching words are marked anywhere in a snippet")
  func marks() throws {
    #expect(
      try Self.title("crash parser", "A Crash of the parser: crashed")
        == "A [Crash] of the [parser]: crashed")
    #expect(try Self.title("crash*", "A crash crashed") == "A [crash] [crashed]")
    #expect(try Self.title("\"of the\"", "the of the of the") == "the [of the] [of the]")
    #expect(try Self.title("user", "getUserName user_name") == "get[User]Name [user]_name")
    #expect(try Self.title("getusername", "x getUserName()") == "x [getUserName]()")
    #expect(
      try Self.title("getUserName", "get_user_name getUserName") == "[get_user_name] [getUserName]")
    #expect(try Self.title("本語", "日本語の本") == "日[本語]の本")
    #expect(
      try Self.title("cafe", "Café cafe\u{301}s cafe\u{301}!")
        == "[Café] cafe\u{301}s [cafe\u{301}]!")
    #expect(try Self.title("👍", "ok👍🏽👍") == "ok[👍🏽][👍]")
    #expect(try Self.title("-crash other", "crash other") == "crash [other]")
    #expect(try Self.title("zzz", "nothing here") == "nothing here")
    #expect(try Self.title("zzz", "") == "")
    #expect(try Self.title("👩", "👨‍👩‍👧 title") == "[👨‍👩‍👧] title")
    #expect(try Self.title("🇪", "🇩🇪 title") == "[🇩🇪] title")
  }

  @Test("an endless character is cut without delay")
  func endlessCharacters() throws {
    let marks = "a" + String(repeating: "\u{301}", count: 100) + " rest"
    for text in [marks, "crash \(marks)", "\(marks) crash"] {
      let piece = try Self.snippet("crash").best(of: text).map(\.text).joined()
      #expect(text.contains(piece.replacing("…", with: "")))
      #expect(piece.contains("crash") == text.contains("crash"))
    }
    let family = "ok " + String(repeating: "👨\u{200D}", count: 9_000)
    let piece = try Self.snippet("👨").best(of: family)
    #expect(piece.map(\.text).joined().utf8.count < 2 * Snippet.length)
    #expect(!piece.filter(\.isMatch).isEmpty)
    #expect(try Self.snippet("👨").whole(family).map(\.text).joined() == family)
  }

  @Test("the snippet of long text is the part with most of the words")
  func pieces() throws {
    let filler = String(repeating: "lorem ipsum ", count: 100)
    let text = "parser \(filler)the parser did crash. \(filler)"
    let parts = try Self.snippet("crash parser").best(of: text)
    #expect(parts.filter(\.isMatch).map(\.text) == ["parser", "crash"])
    #expect(parts.first?.text == "…")
    #expect(parts.last?.text == "…")
    #expect(parts.map(\.text).joined().utf8.count <= Snippet.length + 6)
  }

  @Test("a snippet starts at the beginning of its line if that is near")
  func lines() throws {
    let text = String(repeating: "a line before\n", count: 40) + "here it did crash\nand more"
    #expect(
      try Self.described(Self.snippet("crash").best(of: text))
        == "[…]here it did [crash]\nand more"
        .replacing("[…]", with: "…"))
  }

  @Test("parts of a snippet don't split characters, and add up to the text", arguments: 1...150)
  func characters(seed: UInt64) throws {
    var source = FuzzSource(seed: seed)
    let words = [
      "crash", "parser ", "e\u{301}", "👨‍👩‍👧", "🇩🇪🇫🇷", "\r\n", "日本語", "👍🏽", " ", "\u{200D}", "한국",
      "\u{301}",
    ]
    let text = source.text(upTo: 400, words: words)
    let query = source.pick([
      "crash", "parser crash", "語", "👩", "🇪", "e", "cra*", "국", "👍 OR crash",
    ])
    let snippet = try Self.snippet(query)
    let whole = snippet.whole(text)
    #expect(whole.map(\.text).joined() == text)
    #expect(Self.areWhole(whole, in: text))
    var piece = snippet.best(of: text)
    if piece.first?.text == "…" { piece.removeFirst() }
    if piece.last?.text == "…", !text.hasSuffix("…") { piece.removeLast() }
    #expect(text.contains(piece.map(\.text).joined()))
    #expect(piece.map { $0.text.count }.reduce(0, +) == piece.map(\.text).joined().count)
  }

  /// Whether every part begins where a character of the text does.
  private static func areWhole(_ parts: [SnippetPart], in text: String) -> Bool {
    var boundaries = Set([0])
    var offset = 0
    for character in text {
      offset += character.utf8.count
      boundaries.insert(offset)
    }
    var position = 0
    return parts.allSatisfy { part in
      position += part.text.utf8.count
      return boundaries.contains(position)
    }
  }

  private static func snippet(_ query: String) throws -> Snippet {
    Snippet(matcher: TextMatcher(SearchPhrases(try SearchQuery(parsing: query))))
  }

  private static func title(_ query: String, _ text: String) throws -> String {
    described(try snippet(query).whole(text))
  }

  private static func described(_ parts: [SnippetPart]) -> String {
    parts.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
  }
}
