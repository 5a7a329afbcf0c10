import StyledText
import TestSupport
import TestTraits
import Testing

@testable import TerminalMarkdown

@Suite("Highlighted code", .tags(.heavy), .ownThread, .timeLimit(.minutes(5)))
struct CodeLexerTests {
  private static let names = [
    "swift", "c", "c++", "rust", "go", "python", "js", "ts", "java", "sh", "json", "yaml", "diff",
    "crash",
  ]

  /// Parts in brackets, with the first letters of their kinds.
  private static func marked(_ code: String, _ name: String) throws -> String {
    var lexer = CodeLexer(try #require(CodeLanguage(named: name)))
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      let bytes = Array(line.utf8)
      return lexer.parts(of: bytes).map { part, range in
        let text = String(decoding: bytes[range], as: UTF8.self)
        return part == .plain ? text : "\("\(part)".prefix(1))[\(text)]"
      }.joined()
    }.joined(separator: "\n")
  }

  @Test(
    "keywords, strings, numbers and comments are distinguished",
    arguments: [
      ("swift", "let a = 1", "k[let] a = n[1]"),
      ("swift", "\"a \\(f(\"b\") + (1)) c\" d", "s[\"a \\(]f(s[\"b\"]) + (n[1])s[) c\"] d"),
      ("swift", "\"a \\(f\nlet", "s[\"a \\(]f\nk[let]"),
      (
        "swift", "\"\"\"\na \"b\" \\(c)\n\"\"\" let",
        "s[\"\"\"]\ns[a \"b\" \\(]cs[)]\ns[\"\"\"] k[let]"
      ),
      ("swift", "/* a /* b */ c\nd */ let", "c[/* a /* b */ c]\nc[d */] k[let]"),
      ("swift", "#if os(Linux) @main let", "m[#if] os(t[Linux]) m[@main] k[let]"),
      ("swift", "1...5 0x1F 1e-5 1_0.5 a1", "n[1]...n[5] n[0x1F] n[1e-5] n[1_0.5] a1"),
      ("swift", "letter lets `let`", "letter lets `k[let]`"),
      ("c", "/* a /* b */ int", "c[/* a /* b */] t[int]"),
      ("c", "'a' '\\'' '\\x41' don't", "s['a'] s['\\''] s['\\x41'] don't"),
      ("c++", "1'000'000 'a'", "n[1'000'000] s['a']"),
      ("rust", "&'a str 'x' '\\u{1F600}' 'é'", "&t['a] t[str] s['x'] s['\\u{1F600}'] s['é']"),
      ("go", "`a\nb` c", "s[`a]\ns[b`] c"),
      ("python", "'''a\n'b' ''' # c", "s['''a]\ns['b' '''] c[# c]"),
      ("js", "`a ${ {b: `c`} } d` e", "s[`a ${] {b: s[`c`]} s[} d`] e"),
      ("sh", "a#b # c $HOME \"$x\"", "a#b c[# c $HOME \"$x\"]"),
      ("sh", "echo $HOME ${x}", "echo t[$HOME] t[${x}]"),
      ("json", "{\"a\" : \"b\", \"c\\\"\": 1}", "{t[\"a\"] : s[\"b\"], t[\"c\\\"\"]: n[1]}"),
      ("yaml", "- a b: it's # c", "- t[a b]: it's c[# c]"),
      ("yaml", "'a: b': 1", "s['a: b']: n[1]"),
      ("diff", "+let\n-let\n let\n@@ -1 +1 @@", "a[+let]\nr[-let]\n let\nm[@@ -1 +1 @@]"),
      (
        "log", "a:1:2: error: b\n#0 0x00ff 12 f\nerror",
        "a:1:2: e[error]: b\nm[#0] n[0x00ff] 12 f\nerror"
      ),
      ("C++,linenos", "int", "t[int]"), ("swift", "", ""),
    ])
  func parts(name: String, code: String, marked: String) throws {
    #expect(try Self.marked(code, name) == marked)
  }

  @Test("an unclosed string ends with its line, except in languages with multiline strings")
  func open() throws {
    for name in Self.names where !["rust", "diff", "crash"].contains(name) {
      #expect(try Self.marked("\"a\nb", name).hasSuffix("\nb"), "\(name)")
    }
    #expect(try Self.marked("\"a\nb", "rust") == "s[\"a]\ns[b]")
  }

  @Test("an overlong line stays plain and doesn't close open strings or comments")
  func long() throws {
    let line = String(repeating: "\"1 ", count: CodeLexer.maximumLine)
    #expect(try Self.marked("let\n\(line)\nlet", "swift") == "k[let]\n\(line)\nk[let]")
    #expect(try Self.marked("/*\n\(line)\n*/", "swift") == "c[/*]\n\(line)\nc[*/]")
  }

  @Test("combining marks stay with their characters")
  func marks() throws {
    let accent = "\u{301}"
    #expect(try Self.marked("\"a\"\(accent)b", "swift") == "s[\"a\"\(accent)]b")
    #expect(try Self.marked("1\u{FE0F}\u{20E3} 2", "swift") == "n[1\u{FE0F}\u{20E3}] n[2]")
  }

  @Test(
    "code without a language is recognized only if its kind is obvious",
    arguments: [
      ("", "--- a\n+++ b\n-x", true), ("text", "diff --git a/x b/x", true), ("", "--- a\nb", false),
      ("", "{\n  \"a\": 1\n}", true), ("", "{ a: 1 }", false), ("", "[1]", false),
      ("", "x.c:1:2: error: y", true), ("", "no error", false), ("", "#0  0x00ff in main", true),
      ("", "3   libx.so   0x00ff main", true), ("", "let x = 1", false), ("", "", false),
      ("unheard", "--- a\n+++ b", false),
    ])
  func guesses(name: String, code: String, isKnown: Bool) {
    let lines = code.split(separator: "\n").map(String.init)
    #expect((CodeLanguage(of: lines, in: name) != nil) == isKnown)
  }

  /// A line that counts how often its bytes are read.
  private struct CountingLine: RandomAccessCollection {
    final class Counter { var looks = 0 }

    let bytes: ArraySlice<UInt8>
    let counter: Counter

    var startIndex: Int { bytes.startIndex }
    var endIndex: Int { bytes.endIndex }
    subscript(index: Int) -> UInt8 {
      counter.looks += 1
      return bytes[index]
    }
  }

  private static let hostile = [
    "\"", "'", "`", "/*", "*/", "//", "\\", "\"\\(", "`${", "(", ")", "{", "\"\"\"", "'\\", "#",
    "#[", "r#", "@", "1.", "1e-", "a", "é", "\u{301}", "'a", "-", "+", ": ", "\":", "$", "${", "0x",
  ]

  /// The number of looks at the bytes of a text, repeated to `size` bytes in lines of `length`.
  private static func looks(
    at piece: String, size: Int, length: Int, in language: CodeLanguage
  ) -> Int {
    let line = Array(String(repeating: piece, count: length / piece.utf8.count).utf8)
    let counter = CountingLine.Counter()
    var lexer = CodeLexer(language)
    for _ in 0..<size / line.count {
      let parts = lexer.parts(of: CountingLine(bytes: line[...], counter: counter))
      #expect(parts.reduce(0) { $0 + $1.range.count } == line.count)
    }
    return counter.looks
  }

  @Test("each byte of unclosed code is read only a few times", arguments: names.sampled(every: 4))
  func cost(name: String) throws {
    let language = try #require(CodeLanguage(named: name))
    for piece in Self.hostile {
      for length in [60, CodeLexer.maximumLine] {
        let looks = Self.looks(at: piece, size: 1 << 12, length: length, in: language)
        #expect(looks <= 40 << 12, "\(looks >> 12) looks at a byte of \(piece)")
      }
    }
  }

  @Test("the cost of highlighting unclosed strings grows linearly")
  func megabyte() {
    let piece = "\"\\("
    let small = Self.looks(at: piece, size: 1 << 16, length: 64, in: .swift)
    let large = Self.looks(at: piece, size: 1 << 20, length: 64, in: .swift)
    #expect(large <= 17 * small)
    #expect(small >= 1 << 16)
  }

  @Test("highlighting a line stops after a maximum number of parts")
  func manyParts() {
    let line = String(repeating: "1 a ", count: 1_000)
    let document = "```c\n" + String(repeating: "\(line)\n", count: 16) + "```"
    let lines = Rendering.lines(document, width: 5_000).dropFirst().dropLast()
    #expect(lines.allSatisfy { $0.plain == line })
    #expect(lines.first?.runs.count == 2_000)
    #expect(lines.last?.runs.count == 1)
    #expect(lines.reduce(0) { $0 + $1.runs.count } < 20_000)
  }

  @Test("highlighting keeps the text unchanged and doesn't split characters")
  func fuzzed() throws {
    let languages = try Self.names.map { try #require(CodeLanguage(named: $0)) }
    let failure = FuzzTest("code", iterations: 2_000).run { source in
      var lexer = CodeLexer(source.pick(languages))
      for _ in 0..<source.number(in: 1...4) {
        let line = source.text(
          upTo: 60, words: Self.hostile + ["👩‍👩‍👧", "1\u{FE0F}\u{20E3}", "let ", "a: "]
        )
        .filter { !$0.isNewline }
        let bytes = Array(line.utf8)
        let parts = lexer.parts(of: bytes)
        var place = 0
        for (_, range) in parts {
          try check(range.lowerBound == place && !range.isEmpty, line.debugDescription)
          place = range.upperBound
        }
        try check(place == bytes.count, line.debugDescription)
        let pieces = parts.map { StyledLine.Run(String(decoding: bytes[$0.range], as: UTF8.self)) }
        try check(
          StyledLine(runs: pieces).columns == StyledLine(line).columns, line.debugDescription)
      }
    }
    #expect(failure == nil)
  }
}
