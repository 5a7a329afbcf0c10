import StyledText
import TestSupport
import TestTraits
import Testing

@testable import TerminalMarkdown

@Suite("Collecting inline text", .tags(.heavy), .ownThread, .timeLimit(.minutes(2)))
struct InlineTextTests {
  @Test("appending a million pieces of one style copies each only once")
  func manyPieces() {
    var text = InlineText()
    for _ in 0..<1_000_000 { text.append("word ", style: .plain) }
    text.append("end", style: .plain)
    let lines = text.take()
    #expect(lines.count == 1)
    #expect(lines.first?.runs.count == 1)
    #expect(lines.first?.plain.utf8.count == 5_000_003)
  }

  @Test("unclosed links are visited once")
  func openLinks() {
    let count = runsFullTests ? 100_000 : 10_000
    var writer = DocumentWriter(renderer: MarkdownRenderer(width: 80, links: .hyperlinks))
    writer.writeInlineHTML(String(repeating: "&#x1F600;<a href=/b>", count: count))
    writer.writeInlineHTML(String(repeating: "&#x1F600;<a>", count: count))
    #expect(writer.links.count == 2 * count)
    writer.endInlineHTML()
    #expect(writer.links.isEmpty)
  }
}
