import StyledText
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Table")
struct TableTests {
  static let columns = [
    Column(title: "ID"),
    Column(title: "TITLE", sizing: .flexible(minimum: 10)),
    Column(title: "LABELS", sizing: .limited(percent: 25), dropOrder: 1),
    Column(title: "UPDATED", dropOrder: 2),
  ]

  static let rows: [[StyledLine]] = [
    [
      StyledLine("#71234", style: .open), StyledLine("Crash when a package has no targets"),
      StyledLine(list: [
        .init("bug", style: .label("d73a4a")), .init("crash", style: .label("000000")),
      ]),
      StyledLine("about 3 hours ago", style: .faint),
    ],
    [
      StyledLine("#71233", style: .completed), StyledLine("コンパイラが無限ループに入る問題について報告します"),
      StyledLine(list: [.init("日本語")]), StyledLine("about 2 days ago"),
    ],
    [
      StyledLine("#9", style: .notPlanned),
      StyledLine("👨‍👩‍👧 Families and 🇩🇪 flags and ❤️ hearts 1️⃣ keycaps e\u{301}tude"),
      StyledLine(list: []), StyledLine("about 11 months ago"),
    ],
    [
      StyledLine("#8"), StyledLine("\u{1B}[31mHostile\u{202E}\r\ntitle"),
      StyledLine(list: [.init("good first issue"), .init("help wanted"), .init("enhancement")]),
      StyledLine("about 8 years ago"),
    ],
  ]

  @Test("a table at 120 columns")
  func wide() {
    #expect(render(width: 120) == Snapshot.width120)
  }

  @Test("a table at 80 columns")
  func usual() {
    #expect(render(width: 80) == Snapshot.width80)
  }

  @Test("a table at 40 columns has no labels")
  func narrow() {
    #expect(render(width: 40) == Snapshot.width40)
  }

  @Test("a table at 20 columns has the number and the title")
  func tiny() {
    #expect(render(width: 20) == Snapshot.width20)
  }

  @Test("colors change no width and every styled run is reset", arguments: [120, 80, 40, 20, 7])
  func colored(width: Int) {
    let colored = render(width: width, color: .trueColor)
    #expect(colored.contains("\u{1B}["))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == render(width: width))
    for line in colored.split(separator: "\n") {
      let opened = line.matches(of: /\u{1B}\[[1-9][0-9;]*m/).count
      #expect(line.matches(of: /\u{1B}\[0m/).count == opened)
    }
  }

  @Test("labels carry their own colors")
  func labels() {
    let line = render(width: 120, color: .trueColor).split(separator: "\n")[1]
    #expect(line.contains("\u{1B}[38;2;215;58;74mbug\u{1B}[0m, \u{1B}[38;2;"))
  }

  @Test("the columns of the first page apply to the next, and the header is printed once")
  func pages() {
    var table = Table(columns: Self.columns, width: 60, color: .none)
    let first = table.page([
      [StyledLine("#99"), StyledLine("first"), StyledLine("bug"), StyledLine("now")]
    ])
    let second = table.page([
      [
        StyledLine("#98"), StyledLine("second"), StyledLine("much longer labels"),
        StyledLine("now"),
      ],
      [
        StyledLine("#1234"), StyledLine("a number that is longer than any before"), StyledLine("x"),
        StyledLine("then"),
      ],
    ])
    #expect(
      first == """
        ID   TITLE                                   LABELS  UPDATED
        #99  first                                   bug     now

        """)
    #expect(second.split(separator: "\n").count == 2)
    #expect(second.contains("much …  now"))
    #expect(second.contains("#1234  a number"))
    for line in (first + second).split(separator: "\n") {
      #expect(DisplayWidth.columns(of: line) <= 60)
    }
  }

  @Test("an uncuttable cell doesn't reduce the flexible column's minimum")
  func minimum() {
    let columns = [
      Column(title: "NAME", sizing: .flexible(minimum: 12)),
      Column(title: "N", alignment: .trailing), Column(title: "AGE"),
    ]
    func row(_ number: String) -> [StyledLine] {
      ["apple/swift-nio", number, "about 3 hours ago"].map { StyledLine($0) }
    }
    // Too narrow for all of it: cut cells stay below their title.
    var narrow = Table(columns: columns, width: 30, color: .none)
    #expect(narrow.page([row("7")]) == "NAME          N  AGE\napple/swift…  7  about 3 hour…\n")
    #expect(narrow.page([row("12345")]) == "apple/swift…  …  about 3 hour…\n")
    // Four columns to spare.
    var wide = Table(columns: columns, width: 38, color: .none)
    _ = wide.page([row("7")])
    #expect(wide.page([row("12345")]) == "apple/swift…  12345  about 3 hours ago\n")
    #expect(wide.page([row("123456")]) == "apple/swift…  1234…  about 3 hours ago\n")
  }

  @Test("on a wide terminal, the columns after the title stay near it, and longer titles fit later")
  func veryWide() {
    var table = Table(columns: Self.columns, width: 250, color: .none)
    let first = table.page([
      [StyledLine("#1"), StyledLine("short"), StyledLine("bug"), StyledLine("now")]
    ])
    let line = first.split(separator: "\n")[1]
    #expect(line == "#1  short\(String(repeating: " ", count: 67))  bug     now")
    let title = String(repeating: "x", count: Table.Layout.usualWidth)
    let second = table.page([
      [StyledLine("#2"), StyledLine(title), StyledLine("bug"), StyledLine("now")]
    ])
    #expect(second == "#2  \(title)  bug     now\n")
    var long = Table(columns: Self.columns, width: 250, color: .none)
    let longest = String(repeating: "y", count: 150)
    #expect(
      long.page([[StyledLine("#3"), StyledLine(longest), StyledLine("bug"), StyledLine("now")]])
        .contains("\(longest)  bug"))
  }

  @Test("numbers are aligned to the right in columns that ask for it")
  func trailing() {
    var table = Table(
      columns: [Column(title: "N", alignment: .trailing), Column(title: "NAME")], width: 20,
      color: .none)
    #expect(
      table.page([[StyledLine("7"), StyledLine("x")], [StyledLine("128"), StyledLine("")]])
        == "  N  NAME\n  7  x\n128\n")
  }

  @Test("a page without rows has a header only, and a short row is filled up")
  func empty() {
    var table = Table(columns: Self.columns, width: 40, color: .none)
    #expect(table.page([]) == "ID  TITLE                LABELS  UPDATED\n")
    #expect(table.page([[StyledLine("#1")]]) == "#1\n")
  }

  @Test(
    "a random table fits its terminal, without trailing blanks or control characters")
  func random() throws {
    var generator = FuzzSource(seed: 3)
    for _ in 0..<500 {
      let width = Int.random(in: 1...130, using: &generator)
      var table = Table(columns: Self.columns, width: width, color: .none)
      for _ in 0..<2 {
        let rows = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
          (0..<4).map { _ in StyledLine(HostileText.random(using: &generator)) }
        }
        let page = table.page(rows)
        for line in page.split(separator: "\n") {
          #expect(DisplayWidth.columns(of: line) <= width)
          #expect(HostileText.dangers(in: try HostileText.withoutIsolates(line)) == [])
        }
        #expect(page.utf8.count { $0 == 0x0A } >= rows.count)
      }
    }
  }

  private func render(width: Int, color: ColorMode = .none) -> String {
    var table = Table(columns: Self.columns, width: width, color: color)
    return table.page(Self.rows)
  }
}
