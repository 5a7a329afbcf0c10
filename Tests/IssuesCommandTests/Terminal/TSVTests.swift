import StyledText
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Tab-separated values")
struct TSVTests {
  @Test("tab-separated cells are whole, and empty ones keep their place")
  func line() {
    let long = String(repeating: "long ", count: 100)
    let cells = [
      StyledLine("12", style: .open), StyledLine(long), StyledLine(list: [.init("a"), .init("b")]),
      StyledLine(""),
    ]
    #expect(TSV().line(cells) == "12\t\(long)\ta, b\t\n")
  }

  @Test("tab-separated values have colors only if colors are forced")
  func color() {
    #expect(TSV(color: .basic).line([StyledLine("12", style: .open)]) == "\u{1B}[32m12\u{1B}[0m\n")
  }

  @Test("random cells can't add a field, a line or a control character")
  func random() {
    var generator = FuzzSource(seed: 5)
    for _ in 0..<2_000 {
      let cells = (0..<5).map { _ in StyledLine(HostileText.random(using: &generator)) }
      let line = TSV().line(cells)
      #expect(line.utf8.count { $0 == 0x09 } == 4)
      #expect(line.utf8.count { $0 == 0x0A } == 1)
      let dangers = Set(HostileText.dangers(in: line).map(\.value))
      #expect(dangers.isSubset(of: [0x09, 0x0A]))
    }
  }
}
