import StyledText
import TestSupport
import TestTraits
import Testing

@testable import TerminalMarkdown

@Suite("Hostile documents", .tags(.heavy), .ownThread, .timeLimit(.minutes(5)))
struct HostileMarkdownTests {
  @Test(
    "control sequences are shown as text anywhere in a document", arguments: HostileText.examples)
  func controls(name: String, text: String) throws {
    let places = [
      "TEXT", "# TEXT", "`TEXT`", "```TEXT\nTEXT\n```", "[TEXT](https://x.example/TEXT 'TEXT')",
      "![TEXT](https://x.example/TEXT)", "| TEXT |\n|-|\n| TEXT |", "- TEXT", "> TEXT",
      "<b title='TEXT'>TEXT</b>", "<div>TEXT</div>", "<a href='https://x.example/TEXT'>x</a>",
      "<img alt='TEXT' src='TEXT'>", "x[^a]\n\n[^a]: TEXT", "@TEXT #TEXT", "    TEXT",
      "<details><summary>TEXT</summary>TEXT</details>", "https://x.example/TEXT",
    ]
    for place in places {
      for width in [10, 80] {
        try Rendering.check(place.replacing("TEXT", with: text), width: width)
      }
    }
  }

  @Test("control characters written as entities are escaped")
  func entities() {
    for document in [
      "&#27;[2J", "<p>&#x1b;[2J&#x9b;31m", "&#x202e;", "<img alt='&#27;]52;c;x&#7;'>",
    ] {
      for line in Rendering.lines(document) {
        #expect(HostileText.dangers(in: line.plain).isEmpty)
      }
    }
  }

  @Test("a rendered line contains only the escape sequences of its own styles and links")
  func bytes() {
    let document = HostileText.examples.map { "[\($0.text)](https://x.example/\($0.text))" }
      .joined(separator: "\n\n")
    for line in Rendering.lines(document, links: .hyperlinks) {
      let bytes = line.rendered(in: .trueColor, links: true)
      let own = /\u{1B}\[[0-9;]*m|\u{1B}\]8;;[!-~]*\u{1B}\\/.matchingSemantics(.unicodeScalar)
      #expect(HostileText.dangers(in: bytes.replacing(own, with: "")).isEmpty)
    }
  }

  @Test("invalid UTF-8 is shown as replacement characters")
  func invalid() throws {
    let bytes: [UInt8] = [0x2A, 0xFF, 0xC0, 0x80, 0x2A, 0xED, 0xA0, 0x80, 0xF8, 0x0A, 0x00, 0xC3]
    try Rendering.check(String(decoding: bytes, as: UTF8.self), width: 40)
  }

  @Test("a line of ten thousand columns is wrapped without losing text")
  func long() throws {
    for piece in ["x", "漢", "word ", "👩‍👩‍👧‍👦", "a-b/c"] {
      let line = String(repeating: piece, count: 10_000 / DisplayWidth.columns(of: piece))
      for document in [line, "> - \(line)", "```\n\(line)\n```", "|a|\n|-|\n|\(line)|"] {
        try Rendering.check(document, width: 40)
        let letters = { (text: String) in
          text.filter { $0.isLetter || $0 == "👩‍👩‍👧‍👦" || $0 == "/" }.count
        }
        let shown = letters(Rendering.text(document, width: 40))
        #expect(shown == letters(document))
      }
    }
  }

  @Test(
    "deep nesting is indented by at most half the width",
    arguments: [">", "> ", "- ", "1. ", "> - ", "* > 1. "])
  func deep(marker: String) throws {
    for count in [10, 300] {
      let document = String(repeating: marker, count: count) + "text"
      for width in [1, 10, 80] {
        try Rendering.check(document, width: width)
        let text = Rendering.text(document, width: width)
        #expect(text.filter(\.isLetter) == "text")
      }
    }
  }

  @Test(
    "nesting of tens of thousands of levels doesn't crash",
    arguments: [">", "- ", "[", "*a ", "<b>"])
  func abyss(marker: String) throws {
    try Rendering.check(
      String(repeating: marker, count: runsFullTests ? 100_000 : 40_000) + "x", width: 80)
  }

  @Test(
    "repeated markup gives a proportional number of lines",
    arguments: [
      "[", "![", "[a](", "[a][", "]", "*", "**a *b", "_a ", "<", "<!--", "<a href=\"", "~", "~~a ",
      "`a``",
      "&", "&#", ":", "@a", "#1", "www.", "http://", "a@", "<details>", "<ul><li>", "<li></ul>",
      "<b></i>", "[^a]", "|", "|\n:-\n", "![[a](b)", "*a_[a](b)", "a@a.a ", "<?\n+\n", "\\",
      "\u{301}", "क्", "\0", "\u{1B}",
    ])
  func repeated(piece: String) throws {
    let document = String(
      repeating: piece, count: (runsFullTests ? 16_384 : 4_096) / piece.utf8.count)
    try Rendering.check(document, width: 80)
    try Rendering.check("x \(document)", width: 80)
  }

  @Test("unbalanced details elements don't affect the following text")
  func unbalanced() {
    #expect(Rendering.text("</details>\n\ntext") == "text")
    #expect(Rendering.text("- <details>\n\n  inside\n\nafter") == "• ▾ inside\n\nafter")
    #expect(Rendering.text("<b>bold\n\nplain").contains("plain"))
    #expect(Rendering.lines("<b>bold\n\nplain").last?.runs.first?.style == .plain)
    #expect(Rendering.text("> <ul><li>a\n\nb") == "│ • a\n\nb")
  }
}
