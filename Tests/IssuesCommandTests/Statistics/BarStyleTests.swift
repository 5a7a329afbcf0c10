import Testing

@testable import IssuesCommand

@Suite("Bars in a terminal")
struct BarStyleTests {
  @Test(
    "the locale's character set determines the characters of bars",
    arguments: [
      (["LANG": "de_DE.UTF-8"], BarStyle.blocks), (["LC_ALL": "C.utf8"], .blocks),
      (["LC_ALL": "C", "LANG": "en_US.UTF-8"], .ascii),
      (["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"], .blocks),
      (["LANG": "en_US.ISO-8859-1"], .ascii), ([:], .ascii),
    ] as [([String: String], BarStyle)])
  func locale(environment: [String: String], style: BarStyle) {
    #expect(BarStyle(environment: environment) == style)
  }

  @Test(
    "a bar is as long as its share, to an eighth of a column",
    arguments: [
      (10, "██████████"), (5, "█████"), (1, "█"), (0, ""), (100, "██████████"),
    ])
  func blocks(count: Int, bar: String) {
    #expect(BarStyle.blocks.bar(count, of: 10, width: 10) == bar)
  }

  @Test("the smallest number has a visible bar")
  func smallest() {
    #expect(BarStyle.blocks.bar(1, of: 100_000, width: 10) == "▏")
    #expect(BarStyle.ascii.bar(1, of: 100_000, width: 10) == "#")
    #expect(BarStyle.blocks.bar(3, of: 16, width: 2) == "▍")
  }

  @Test("without columns or a maximum, there is no bar")
  func none() {
    #expect(BarStyle.blocks.bar(3, of: 0, width: 10).isEmpty)
    #expect(BarStyle.ascii.bar(3, of: 3, width: 0).isEmpty)
  }
}
