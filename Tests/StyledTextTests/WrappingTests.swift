import StyledText
import TestSupport
import TestTraits
import Testing

@Suite("Wrapping", .tags(.heavy), .ownThread)
struct WrappingTests {
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    DisplayWidth.prepare()
    return StyledLine(text).wrapped(to: width).map(\.plain)
  }

  @Test(
    "a line breaks between words",
    arguments: [
      ("", 5, [""]),
      ("one two", 7, ["one two"]),
      ("one two", 6, ["one", "two"]),
      ("one two three", 8, ["one two", "three"]),
      ("one   two", 4, ["one", "two"]),
      ("  one two", 5, ["  one", "two"]),
      ("one two  ", 9, ["one two  "]),
      ("one two  ", 7, ["one two"]),
      ("      one", 4, ["one"]),
      ("abcdefgh", 3, ["abc", "def", "gh"]),
      ("a abcdefgh", 4, ["a", "abcd", "efgh"]),
      ("100\u{A0}km far", 6, ["100\u{A0}km", "far"]),
      ("one two", 0, ["o", "n", "e", "t", "w", "o"]),
    ])
  func words(text: String, width: Int, lines: [String]) {
    #expect(Self.wrapped(text, width) == lines)
  }

  @Test(
    "an overlong word breaks after hyphens and slashes",
    arguments: [
      ("state-of-the-art", 10, ["state-of-", "the-art"]),
      ("a state-of-the-art b", 16, ["a", "state-of-the-art", "b"]),
      ("https://x.example/one/two", 20, ["https://x.example/", "one/two"]),
      ("see https://x.example/a?b=c&d=e", 20, ["see", "https://x.example/a?", "b=c&d=e"]),
      ("2024-01-01", 6, ["2024-0", "1-01"]),
      ("x --option", 8, ["x", "--option"]),
    ])
  func insideWords(text: String, width: Int, lines: [String]) {
    #expect(Self.wrapped(text, width) == lines)
  }

  @Test(
    "a line breaks between ideographs, except before punctuation",
    arguments: [
      ("日本語", 4, ["日本", "語"]),
      ("日本語", 5, ["日本", "語"]),
      ("日本語。", 6, ["日本", "語。"]),
      ("日本「語」", 6, ["日本", "「語」"]),
      ("キャット", 4, ["キャ", "ット"]),
      ("abc日本", 5, ["abc日", "本"]),
      ("日本abc", 5, ["日本", "abc"]),
      ("한국어", 4, ["한국", "어"]),
      ("日", 1, ["日"]),
    ])
  func ideographs(text: String, width: Int, lines: [String]) {
    #expect(Self.wrapped(text, width) == lines)
  }

  @Test("a cluster shown as one character never breaks")
  func clusters() {
    for cluster in ["👨‍👩‍👧‍👦", "🇩🇪", "e\u{301}", "👍🏽", "❤️", "1️⃣"] {
      let columns = DisplayWidth.columns(of: cluster)
      for width in columns...(3 * columns) {
        let lines = Self.wrapped(String(repeating: cluster, count: 7), width)
        #expect(lines.joined() == String(repeating: cluster, count: 7))
        #expect(lines.allSatisfy { $0.allSatisfy { String($0) == cluster } })
      }
    }
  }

  @Test("an overlong cluster of letters breaks between the letters")
  func endless() {
    let lines = Self.wrapped(String(repeating: "क्", count: 5_000), 40)
    #expect(lines.count == 125)
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) == 40 })
  }

  @Test("styles and links continue on the next line")
  func styles() throws {
    let link = try #require(WebLink("https://x.example"))
    let line = StyledLine(runs: [
      .init("one "), .init("two three", style: .heading, link: link), .init(" four"),
    ])
    #expect(
      line.wrapped(to: 8) == [
        StyledLine(runs: [.init("one "), .init("two", style: .heading, link: link)]),
        StyledLine(runs: [.init("three", style: .heading, link: link)]),
        StyledLine(runs: [.init("four")]),
      ])
  }

  @Test("a word can consist of several runs")
  func runs() {
    let line = StyledLine(runs: [.init("ab"), .init("cd", style: .heading), .init("ef gh")])
    #expect(line.wrapped(to: 6).map(\.plain) == ["abcdef", "gh"])
    #expect(line.wrapped(to: 3).map(\.plain) == ["abc", "def", "gh"])
  }

  @Test("the first line and the following lines have separate indents")
  func indents() {
    let lines = StyledLine("one two three").wrapped(
      to: 8, indent: StyledLine("- "), hangingIndent: StyledLine("    "))
    #expect(lines.map(\.plain) == ["- one", "    two", "    thre", "    e"])
    let tight = StyledLine("ab").wrapped(
      to: 2, indent: StyledLine("---"), hangingIndent: StyledLine("---"))
    #expect(tight.map(\.plain) == ["---a", "---b"])
  }

  @Test("a line broken at any character keeps its spaces")
  func anywhere() {
    let line = StyledLine("a  b   cd")
    #expect(line.broken(to: 3).map(\.plain) == ["a  ", "b  ", " cd"])
    #expect(
      line.broken(to: 5, hangingIndent: StyledLine("> ")).map(\.plain) == ["a  b ", ">   c", "> d"])
  }

  @Test("random lines fit the width and keep all letters and characters intact")
  func random() {
    DisplayWidth.prepare()
    let failure = FuzzTest("wrapping", iterations: 2_000).run { source in
      let runs = (0..<source.number(in: 1...4)).map { _ in
        StyledLine.Run(
          source.text(
            upTo: 60, words: ["word", " ", "  ", "-", "/", "漢字", "。", "「", "👨‍👩‍👧", "e\u{301}"]))
      }
      let line = StyledLine(runs: runs)
      let width = source.number(in: 2...40)
      let isInk = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
      let ink = line.plain.unicodeScalars.filter(isInk)
      let wrapped = line.wrapped(to: width)
      try check(
        wrapped.flatMap { $0.plain.unicodeScalars.filter(isInk) } == Array(ink), line.plain)
      let broken = line.broken(to: width)
      try check(
        broken.map(\.plain).joined().unicodeScalars.elementsEqual(line.plain.unicodeScalars),
        line.plain)
      for line in wrapped + broken {
        try check(line.columns <= width, "\(line.plain.debugDescription) at \(width)")
      }
    }
    #expect(failure == nil)
  }

  @Test("a paragraph of a megabyte is wrapped in one pass", .timeLimit(.minutes(5)))
  func megabyte() {
    DisplayWidth.prepare()
    let words = StyledLine(String(repeating: "word ", count: 200_000))
    #expect(words.wrapped(to: 80).count == 12_500)
    let letters = StyledLine(String(repeating: "x", count: 80_000))
    #expect(letters.wrapped(to: 80).count == 1_000)
    let runs = StyledLine(runs: (0..<16_000).map { _ in .init("word ") })
    #expect(runs.wrapped(to: 80).count == 1_000)
  }
}
