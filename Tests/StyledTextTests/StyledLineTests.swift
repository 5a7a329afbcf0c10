import StyledText
import Testing

@Suite("A styled line")
struct StyledLineTests {
  private let line = StyledLine(runs: [
    .init("#1", style: .open), .init(" 日本語 "), .init("end", style: .heading),
  ])

  @Test("its width and its text are those of its runs")
  func measures() {
    #expect(line.columns == 13)
    #expect(line.plain == "#1 日本語 end")
    #expect(StyledLine().columns == 0)
  }

  @Test("a run neutralises its text")
  func harmless() {
    #expect(StyledLine("a\u{1B}[2Jb\nc").plain == "a^[[2Jb c")
  }

  @Test("pieces are listed between commas")
  func list() {
    #expect(StyledLine(list: [.init("bug"), .init("help wanted")]).plain == "bug, help wanted")
    #expect(StyledLine(list: []).runs.isEmpty)
  }

  @Test("it is written with its styles, and with its links if wanted")
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
    "it is cut between characters, with the ellipsis in the style of the cut text",
    arguments: [(13, "#1 日本語 end"), (12, "#1 日本語 e…"), (5, "#1 …"), (2, "#…"), (1, "…"), (0, "")])
  func cut(limit: Int, text: String) {
    #expect(line.cut(to: limit).plain == text)
    #expect(line.rendered(in: .none, cutTo: limit).text == text)
  }

  @Test("a cut run keeps its link")
  func cutLink() throws {
    let link = try #require(WebLink("https://x.example"))
    let line = StyledLine(runs: [.init("abcdef", style: .open, link: link)])
    #expect(line.cut(to: 3).runs == [.init("ab…", style: .open, link: link)])
  }
}
