import StyledText
import TestTraits
import Testing

@testable import TerminalMarkdown

/// Its description isn't its text, which would be printed before and after each case.
struct CostlyDocument: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let document: String
}

@Suite("Limits of parsing", .ownThread)
struct DocumentBoundsTests {
  /// Documents of 64 KiB that would cost the parser seconds or all memory.
  static let costly = [
    ("quotations that go on", repeated(">", 32_768) + "a\n" + repeated("b\n", 16_384)),
    ("lists before blank lines", repeated("- ", 16_384) + "a" + repeated("\n", 32_768)),
    ("declarations without end", "a" + repeated("<!A ", 16_384)),
    ("instructions without end", "a" + repeated("<?", 32_768)),
    ("brackets behind an address", "http://a" + repeated(")", 65_536)),
    (
      "a table that fills up",
      repeated("|a", 7_000) + "\n" + repeated("|-", 7_000) + "\n" + repeated("|\n", 16_384)
    ),
    ("a row of nothing", repeated("|", 32_768) + "\n" + repeated("|-", 16_384)),
    (
      "a long address used often",
      "[a]: /" + repeated("x", 32_768) + "\n\n" + repeated("[a]", 10_922)
    ),
    // CVE-2023-37463: each row of dashes makes the parser read everything before it as a table's titles.
    ("rows of dashes below one line", repeated("|", 32_768) + "\n" + repeated(":-\n", 10_922)),
    (
      "rows of dashes in a quotation",
      "> " + repeated("|a", 8_192) + "\n" + repeated("> -|\n", 9_830)
    ),
    // CVE-2023-22483 and CVE-2023-22486: each link goes through everything still open before it.
    ("open images before links", repeated("![", 16_384) + repeated("[a](b)", 5_461)),
    ("emphasis before links", repeated("*a_", 10_922) + repeated("[a](b)", 5_461)),
    ("emphasis inside of links", repeated("**x [a*b**c*](d)", 4_096)),
    ("struck text before links", repeated("~~a ", 8_192) + repeated("![a]", 8_192)),
    ("addresses in one word", repeated("www.a.<b>*", 6_553)),
    ("mail addresses in one word", repeated("a@a.a", 13_107)),
    // The parser keeps 6 KiB for each: a quarter of a gigabyte for the longest document.
    ("mail addresses", repeated("a@a.a ", 10_922)),
    // Neither an empty bullet nor an indent like that of code ends a paragraph.
    ("instructions between bullets", repeated("<?\n+\n", 13_107)),
    ("instructions between indents", repeated("<?\n    >\n", 6_553)),
  ]

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test(
    "a document too costly to parse is shown as plain text with a notice",
    arguments: costly.map(CostlyDocument.init)
  )
  func unparsed(costly: CostlyDocument) {
    let document = costly.document
    #expect(!DocumentBounds(document).isParsable)
    let lines = Rendering.lines(document)
    #expect(lines.first?.plain == "Shown as plain text:")
    let shown = lines.dropFirst().map(\.plain).joined()
    #expect(shown == document.replacing("\n", with: ""))
  }

  @Test("ordinary documents are parsed, including the longest ones")
  func parsed() throws {
    let all = try SpecificationExample.all().map(\.markdown).joined(separator: "\n\n")
    #expect(DocumentBounds(all).isParsable)
    let table = "| a | b | c |\n|---|---|---|\n" + Self.repeated("| x | y | z |\n", 5_000)
    let code = "```html\n" + Self.repeated("<?php f(g(h())); ?> <!DOCTYPE html>\n\n", 1_500) + "```"
    let notes = (0..<1_000).map { "[\($0)]: https://x.example/\($0)\n" }.joined()
    let list = Self.repeated("- a\n  - b\n    - c\n\n", 4_000)
    for document in [table, code, notes + Self.repeated("[1] ", 1_000), list] {
      #expect(DocumentBounds(document).isParsable, "\(document.prefix(40))")
    }
  }

  @Test("pasted text is parsed, even with many punctuation marks")
  func pasted() {
    let log = Self.repeated(
      "[2026-01-31 12:00:00] [INFO] module_name: did *this* and that\n", 1_000)
    let releases = Self.repeated(
      "* [`1a2b3c4`](https://x.example/1a2b3c4) Bump **a_b** by @someone in #12\n", 850)
    let table =
      "| a | b |\n|---|---|\n" + Self.repeated("| **x** [y](z) | _x_ [y](z) |\n", 2_000)
    let mentioned = Self.repeated("Thanks to @someone, @else and <me@mail.example>! ", 1_300)
    let drawn = Self.repeated("+-----+\n| a b |\n|-----|\n", 400)
    for document in [log, releases, table, drawn, mentioned] {
      #expect(DocumentBounds(document).isParsable, "\(document.prefix(40))")
    }
  }

  @Test("a document longer than GitHub's limit is cut at the end of a line")
  func cut() {
    let line = "All work and no play makes Jack a dull boy.\n\n"
    let document = Self.repeated(line, (1 << 18) / line.utf8.count + 100)
    let bounds = DocumentBounds(document)
    #expect(bounds.isCut)
    #expect(bounds.text.utf8.count <= 1 << 18)
    let lines = Rendering.lines(document)
    #expect(lines.last?.plain == "The rest of the document is cut off.")
    #expect(lines.dropLast(2).last?.plain == String(line.dropLast(2)))
    #expect(!DocumentBounds(String(document.prefix(1 << 18))).isCut)
  }

  @Test("a paragraph longer than the limit is cut even without a line break")
  func paragraph() {
    let document = Self.repeated("漢", 100_000)
    let lines = Rendering.lines(document)
    #expect(lines.allSatisfy { $0.columns <= 80 })
    #expect(lines.count == (1 << 18) / 3 / 40 + 1 + 2)
  }
}
