import Testing

@testable import IssueMirror

#if canImport(FoundationXML)
  import Foundation
  import FoundationXML
#else
  import Foundation
#endif

@Suite("The statistics page")
struct StatisticsPageTests {
  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'&amp;]]>--><!--",
    "\u{0}\u{1}\u{8}\u{1B}[31m\u{9B}\u{FFFE}", "\u{202E}txet\u{202C}", "</svg></style><b>",
    "url(http://evil.example/x)", "🐛 bug\nnext line",
  ]

  private static func statistics(names: [String] = ["bug", "help wanted"]) -> RepositoryStatistics {
    var repository = MirroredRepository(
      id: 1, host: "github.com", serverID: 1, fullName: "swiftlang/swift")
    repository.syncedTo = Date(timeIntervalSince1970: 1_795_000_000)
    let bands = IssueAges(of: [1_790_000_000], at: 1_795_000_000)
      .bands(limits: RepositoryStatistics.ageLimits)
    return RepositoryStatistics(
      repository: repository, now: Date(timeIntervalSince1970: 1_795_000_000), openCount: 7_123,
      closedCount: 34_567,
      weeks: (0..<12).map { week in
        RepositoryStatistics.Week(
          start: Date(timeIntervalSince1970: Double(1_788_134_400 + week * 604_800)),
          opened: week * 3, closed: 20 - week)
      },
      ages: bands, medianAge: 5_000_000,
      labels: names.map { .init(name: $0, color: $0 == "bug" ? "d73a4a" : $0, opened: 4, open: 9) },
      authors: names.map { .init(login: $0, opened: 2, comments: 3) })
  }

  /// Reads a page as XML, strictly.
  private func parse(_ html: String) throws -> PageReader {
    let reader = PageReader()
    let parser = XMLParser(data: Data(html.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return reader
  }

  @Test("the statistics page is well-formed XML and begins like HTML")
  func wellFormed() throws {
    let html = StatisticsPage(Self.statistics()).html
    #expect(html.hasPrefix("<!DOCTYPE html>\n<html"))
    let page = try parse(html)
    #expect(page.elements.count { $0.name == "svg" } == 4)
    #expect(page.elements.count { $0.name == "table" } == 4)
  }

  @Test(
    "each chart is labeled by a title and description, and has a table of its numbers")
  func accessible() throws {
    let page = try parse(StatisticsPage(Self.statistics()).html)
    let ids = page.elements.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
    for chart in page.elements where chart.name == "svg" {
      #expect(chart.attributes["role"] == "img")
      let names = (chart.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
      #expect(names.count == 2 && names.allSatisfy(ids.contains))
    }
    for week in Self.statistics().weeks {
      #expect(page.text.contains("\(week.opened)"))
      #expect(page.text.contains("\(week.closed)"))
    }
    #expect(
      page.text.contains("7123 open, 34567 closed; half of the open ones are younger than 57 days.")
    )
  }

  @Test("hostile names remain text in the statistics page", arguments: hostile)
  func escaped(name: String) throws {
    let plain = try parse(StatisticsPage(Self.statistics(names: ["x", "y"])).html)
    var statistics = Self.statistics(names: [name, "y"])
    statistics.repository.fullName = name
    let page = try parse(StatisticsPage(statistics).html)
    // The same page but for the texts: no element and no attribute comes of a name.
    #expect(page.elements.map(\.name) == plain.elements.map(\.name))
    #expect(
      page.elements.map(\.attributes.keys.count) == plain.elements.map(\.attributes.keys.count))
    #expect(page.elements.allSatisfy { !$0.attributes.keys.contains { $0.hasPrefix("on") } })
    #expect(!page.elements.contains { ($0.attributes["style"] ?? "").contains("url") })
    let turns = page.text.unicodeScalars.contains {
      ["\u{61C}", "\u{200E}", "\u{200F}", "\u{202E}", "\u{2066}", "\u{202C}"].contains($0)
    }
    #expect(!turns)
  }

  @Test(
    "the statistics page doesn't load scripts, and its only addresses are XML namespaces"
  )
  func selfContained() throws {
    let html = StatisticsPage(Self.statistics()).html
    let page = try parse(html)
    #expect(
      !page.elements.contains { ["script", "link", "img", "iframe", "use"].contains($0.name) })
    #expect(html.contains("default-src 'none'"))
    #expect(html.split(separator: "http").count == 1 + 2 + 4)
    #expect(html.contains("prefers-color-scheme: dark"))
  }

  @Test("a label's color is used in charts only if it is valid")
  func colors() throws {
    let page = try parse(StatisticsPage(Self.statistics()).html)
    let fills = page.elements.compactMap { $0.attributes["style"] }
    #expect(fills == ["fill:#d73a4a"])
  }

  @Test("an empty mirror has a statistics page")
  func empty() throws {
    var statistics = Self.statistics(names: [])
    (statistics.weeks, statistics.medianAge, statistics.repository.syncedTo) = ([], nil, nil)
    (statistics.openCount, statistics.closedCount) = (0, 0)
    let page = try parse(StatisticsPage(statistics).html)
    #expect(page.text.contains("0 open, 0 closed."))
    #expect(page.text.contains("There are none."))
    #expect(page.text.contains("issues are missing"))
  }
}

/// The contents of a page.
private final class PageReader: NSObject, XMLParserDelegate {
  var elements: [(name: String, attributes: [String: String])] = []
  var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.append((name, attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    text += string
  }
}
