import StyledText
import Testing

@Suite("A styled line")
struct StyledLineTests {
  private let line = StyledLine(runs: [
    .init("#1", style: .open), .init(" 日本語 "), .init("end", style: .heading),
  ])

  @Test("a line has the total width and text of its runs")
  func measures() {
    #expect(line.columns == 13)
    #expect(line.plain == "#1 日本語 end")
    #expect(StyledLine().columns == 0)
  }

  @Test("a run escapes control characters in its text")
  func harmless() {
    #expect(StyledLine("a\u{1B}[2Jb\nc").plain == "a^[[2Jb c")
  }

  @Test("list items are separated by commas")
  func list() {
    #expect(StyledLine(list: [.init("bug"), .init("help wanted")]).plain == "bug, help wanted")
    #expect(StyledLine(list: []).runs.isEmpty)
  }

  @Test("a line is rendered with its styles and, on request, its links")
  func rendered() {
    var line = line
    #expect(line.rendered(in: .none) == line.plain)
    #expect(line.rendered(in: .basic) == "\u{1B}[32m#1\u{1B}[0m 日本語 \u{1B}[1mend\u{1B}[0m")
    line.runs[2].link = WebLink("https://x.example")
    #expect(line.rendered(in: .none) == line.plain)
    #expect(
      line.rendered(in: .none, links: true)
        == "#1 日本語 \u{1B}]8;;https://x.example\u{1B}\\end\u{1B}]8;;\u{1B}\\")
  }

  @Test(
    "a line is truncated between characters, with the ellipsis in the last style",
    arguments: [(13, "#1 日本語 end"), (12, "#1 日本語 e…"), (5, "#1 …"), (2, "#…"), (1, "…"), (0, "")])
  func cut(limit: Int, text: String) {
    #expect(line.cut(to: limit).plain == text)
    #expect(line.rendered(in: .none, cutTo: limit).text == text)
  }

  @Test("a truncated run keeps its link")
  func cutLink() throws {
    let link = try #require(WebLink("https://x.example"))
    let line = StyledLine(runs: [.init("abcdef", style: .open, link: link)])
    #expect(line.cut(to: 3).runs == [.init("ab…", style: .open, link: link)])
  }

  @Test(
    "only right-to-left text in a table is isolated",
    arguments: [
      ("שלום", true), ("fix שלום now", true), ("سلام", true), ("Grüße 漢字 🇩🇪", false), ("abc", false),
      ("", false),
    ])
  func isolation(text: String, isIsolated: Bool) {
    let line = StyledLine(text, style: .open)
    let (shown, columns) = line.rendered(in: .basic, cutTo: 40)
    let plain = line.rendered(in: .basic)
    #expect(shown == (isIsolated ? "\u{2068}\(plain)\u{2069}" : plain))
    #expect(columns == line.columns)
  }

  @Test("isolates are balanced for any text and any truncation")
  func balance() {
    for text in ["\u{2067}שלום", "שלום\u{2069}\u{2069}", "שלום שלום שלום \u{202E}x"] {
      for limit in 0...20 {
        let shown = StyledLine(text).rendered(in: .none, cutTo: limit).text.unicodeScalars
        let marks = shown.filter { (0x2066...0x2069).contains($0.value) }.map(\.value)
        #expect(marks == [0x2068, 0x2069] || marks.isEmpty)
        #expect(!shown.contains("\u{202E}"))
      }
    }
  }
}
