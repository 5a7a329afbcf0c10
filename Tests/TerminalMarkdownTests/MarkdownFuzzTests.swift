import TestSupport
import TestTraits
import Testing

@Suite("Fuzzed documents", .tags(.heavy), .ownThread, .timeLimit(.minutes(10)))
struct MarkdownFuzzTests {
  private static let words = [
    "# ", "## ", "- ", "* ", "+ ", "1. ", "999999999) ", "> ", "\n", "\n\n", "  ", "    ", "\t",
    "```", "```swift\n", "~~~", "`", "``", "*", "**", "***", "_", "__", "~", "~~", "[", "]", "(",
    ")", "](", "![", "[^1]", "[^1]: ", "[a]: ", "<", ">", "</", "<!--", "-->", "<br>", "<b>",
    "</b>", "<details>", "</details>", "<summary>", "</summary>", "<ul>", "<li>", "</ul>", "<ol>",
    "<pre>", "</pre>", "<table>", "<tr>", "<td>", "<a href=\"", "\">", "</a>", "<img alt='x' ",
    "<sup>", "<h2>", "</h2>", "<blockquote>", "</blockquote>", "|", "|-|-|\n", "|:-:|--:|\n",
    "| a | b |\n", "---\n", "===\n", "***\n", "- [ ] ", "- [x] ", "@octocat", "#12", "a/b#3",
    "1a2b3c4d", ":tada:", ":", "&amp;", "&#0;", "&#x1B;", "&nbsp;", "\\", "\\\n",
    "https://x.example/",
    "www.x.example", "a@x.example", "javascript:", "漢字", "。", "👨‍👩‍👧", "e\u{301}", "word ", "क्ष",
    ":-\n", "-|\n", "|\n:-\n", "![", "![](", "*a_", "~~a ", "[a](b)", "**x [a*b**c*](d)", "<?",
    "<!A ",
    "<![CDATA[", "+\n", "a@a.a ", "www.a..", "[^a]: x\n", "\u{E0158}",
  ]

  @Test("random documents stay within the width and length limits")
  func random() throws {
    let examples = try SpecificationExample.all().map(\.markdown)
    let failure = FuzzTest("markdown", iterations: 200).run { source in
      let document =
        switch source.below(3) {
        case 0: source.text(upTo: 400, words: Self.words)
        case 1: source.mutation(of: examples, words: Self.words, upTo: 4_000)
        default:
          (0..<source.number(in: 2...12)).map { _ in source.pick(examples) }
            .joined(separator: source.once(in: 2) ? "\n\n" : "")
        }
      try Rendering.check(document, width: source.pick([1, 2, 4, 10, 23, 40, 80, 200]))
    }
    #expect(failure == nil)
  }

  @Test("an ASCII document stays ASCII in ASCII mode")
  func ascii() throws {
    let failure = FuzzTest("markdown in ASCII", iterations: 100).run { source in
      let document = (0..<source.length(upTo: 200)).map { _ in
        source.pick(Self.words.filter { $0.utf8.allSatisfy { $0 < 0x80 } && !$0.hasPrefix("&") })
      }.joined()
      let text = Rendering.text(document, width: source.pick([10, 80]), isUnicode: false)
      try check(text.utf8.allSatisfy { $0 < 0x80 }, document.debugDescription)
    }
    #expect(failure == nil)
  }
}
