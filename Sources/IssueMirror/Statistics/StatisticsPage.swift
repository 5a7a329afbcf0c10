internal import IssueTracker
internal import PlatformModules

/// A repository's statistics as a self-contained web page, without scripts, external style sheets, fonts or images.
///
/// ```swift
/// try Data(StatisticsPage(statistics).html.utf8).write(to: file)
/// ```
///
/// Below each chart is a table of its numbers. The page adapts to the reader's choice of light or dark mode, and is
/// both HTML and well-formed XML.
public struct StatisticsPage: Sendable {
  private let statistics: RepositoryStatistics

  /// Creates the page of a repository's statistics.
  public init(_ statistics: RepositoryStatistics) {
    self.statistics = statistics
  }

  /// The page, in UTF-8.
  public var html: String {
    let page: Markup = """
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">
      <head>
      <meta charset="UTF-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
      <title>Issues of \(statistics.repository.fullName)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <main>
      <h1>Issues of <bdi>\(statistics.repository.fullName)</bdi></h1>
      <p>\(statistics.openCount) open, \(statistics.closedCount) closed\(median). \(freshness)</p>
      \(weeks)
      \(durations)
      \(answerers)
      \(ages)
      \(labels)
      \(authors)
      </main>
      </body>
      </html>

      """
    return page.text
  }

  static func day(_ time: Date) -> String {
    String(Timestamp.string(from: time).prefix { $0 != "T" })
  }

  private var median: String {
    statistics.medianAgeText.map { "; half of the open ones are younger than \($0)" } ?? ""
  }

  private var freshness: String {
    let time = statistics.repository.syncedTo.map(Timestamp.string(from:))
    return time.map { "From the mirror, which is complete up to \($0)." }
      ?? "The mirror's first sync isn't complete, so issues are missing."
  }

  private var weeks: Markup {
    section(
      "Opened and closed per week", WeekChart(weeks: statistics.weeks).svg,
      columns: ["Week of", "Opened", "Closed"] + (hasReopened ? ["Reopened"] : []) + ["Balance"],
      rows: statistics.weeks.map { week in
        [Self.day(week.start), "\(week.opened)", "\(week.closed)"]
          + (hasReopened ? ["\(week.reopened ?? 0)"] : []) + [week.balanceText]
      })
  }

  private var hasReopened: Bool { statistics.weeks.contains { $0.reopened != nil } }

  private var durations: Markup {
    let rows = statistics.durations.map { duration in
      [
        duration.name, "\(duration.durations.count)", duration.durations.medianText ?? "",
        duration.durations.ninetiethText ?? "",
      ]
    }
    let unknown: Markup =
      statistics.answers == nil
      ? "<p>First answers aren’t known: the mirror has neither all comments nor all timelines.</p>"
      : ""
    guard !rows.isEmpty else { return unknown }
    let unanswered: Markup =
      statistics.unansweredText.map { "<p>\($0)</p>" } ?? ""
    return """
      <section>
      <h2>Time to answer and to close</h2>
      \(table(["", "Issues", "Half within", "Nine in ten within"], rows))
      \(unanswered)\(unknown)
      </section>
      """
  }

  private var answerers: Markup {
    guard let answers = statistics.answers else { return "" }
    let chart = BarChart(
      id: "answerers", title: "First answers",
      description: "A bar for each person shows to how many issues of these "
        + "\(statistics.weeks.count) weeks they gave the first answer.",
      bars: answers.people.map { BarChart.Bar(name: $0.login, count: $0.answers) })
    return section(
      chart.title, chart.svg, columns: ["Login", "First answers", "Maintainer"],
      rows: answers.people.map { [$0.login, "\($0.answers)", $0.isMaintainer ? "yes" : "no"] })
  }

  private var ages: Markup {
    let bars = statistics.ages.map { BarChart.Bar(name: "\($0)", count: $0.count) }
    let chart = BarChart(
      id: "ages", title: "Age of open issues",
      description: "A bar for each range of ages shows how many open issues are in it.",
      bars: bars)
    return section(
      chart.title, chart.svg, columns: ["Age", "Open issues"],
      rows: bars.map { [$0.name, "\($0.count)"] })
  }

  private var labels: Markup {
    let chart = BarChart(
      id: "labels", title: "Busiest labels",
      description: "A bar for each label shows how many issues with it were opened in these "
        + "\(statistics.weeks.count) weeks.",
      bars: statistics.labels.map {
        BarChart.Bar(name: $0.name, count: $0.opened, color: Self.color($0.color))
      })
    return section(
      chart.title, chart.svg, columns: ["Label", "Opened", "Open now"],
      rows: statistics.labels.map { [$0.name, "\($0.opened)", "\($0.open)"] })
  }

  private var authors: Markup {
    let hasComments = statistics.authors.contains { $0.comments != nil }
    let chart = BarChart(
      id: "authors", title: "Most active people",
      description:
        "A bar for each person shows how many issues they opened\(hasComments ? ", and how many comments they wrote," : "") "
        + "in these \(statistics.weeks.count) weeks.",
      bars: statistics.authors.map {
        BarChart.Bar(name: $0.login, count: $0.opened + ($0.comments ?? 0))
      })
    return section(
      chart.title, chart.svg,
      columns: ["Login", "Issues opened"] + (hasComments ? ["Comments"] : []),
      rows: statistics.authors.map {
        [$0.login, "\($0.opened)"] + (hasComments ? ["\($0.comments ?? 0)"] : [])
      })
  }

  private func section(
    _ title: String, _ chart: Markup, columns: [String], rows: [[String]]
  ) -> Markup {
    guard !rows.isEmpty else { return "<section><h2>\(title)</h2><p>There are none.</p></section>" }
    return """
      <section>
      <h2>\(title)</h2>
      <figure>
      \(chart)
      <figcaption>
      <details><summary>The numbers</summary>
      \(table(columns, rows))
      </details>
      </figcaption>
      </figure>
      </section>
      """
  }

  private func table(_ columns: [String], _ rows: [[String]]) -> Markup {
    let head = Markup(columns.map { "<th scope=\"col\">\($0)</th>" })
    let body = Markup(
      rows.map { row in
        let name: Markup = "<th scope=\"row\"><bdi>\(row[0])</bdi></th>"
        let cells = Markup(row.dropFirst().map { "<td>\($0)</td>" })
        return "<tr>\(name)\(cells)</tr>\n"
      })
    return """
      <table>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(body)</tbody>
      </table>
      """
  }

  /// A color from the server; nil unless it consists of six hexadecimal digits.
  private static func color(_ text: String?) -> String? {
    guard let text, text.utf8.count == 6,
      text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    return text
  }

  private static let style: Markup = """
    :root { color-scheme: light dark; --text: #1f2328; --page: #ffffff; --faint: #59636e;
      --line: #d1d9e0; --opened: #1a7f37; --closed: #8250df; --bar: #0969da; }
    @media (prefers-color-scheme: dark) {
      :root { --text: #f0f6fc; --page: #0d1117; --faint: #9198a1; --line: #3d444d;
        --opened: #3fb950; --closed: #ab7df8; --bar: #4493f8; }
    }
    body { margin: 0; background: var(--page); color: var(--text);
      font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 760px; margin: 0 auto; padding: 24px 16px 64px; }
    h1, h2 { line-height: 1.25; overflow-wrap: anywhere; }
    figure { margin: 0; }
    svg { width: 100%; height: auto; font-size: 13px; fill: var(--text); }
    svg text { unicode-bidi: isolate; }
    .tick { fill: var(--faint); }
    .grid { stroke: var(--line); }
    .opened { fill: var(--opened); }
    .closed { fill: var(--closed); }
    .bar { fill: var(--bar); stroke: var(--line); }
    summary { color: var(--faint); cursor: pointer; }
    table { border-collapse: collapse; margin-top: 8px; }
    th, td { padding: 4px 12px; border: 1px solid var(--line); text-align: right;
      font-variant-numeric: tabular-nums; }
    th:first-child { text-align: left; overflow-wrap: anywhere; }
    """
}

/// A piece of a page that is both HTML and XML (<https://www.w3.org/TR/html-polyglot/>). Interpolated values are
/// escaped.
///
/// ```swift
/// let cell: Markup = "<td>\(label.name)</td>"
/// let row: Markup = "<tr>\(cell)</tr>"
/// ```
struct Markup: ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral value: String) {
    text = value
  }

  init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }

  init(_ pieces: some Sequence<Markup>) {
    text = pieces.reduce(into: "") { $0 += $1.text }
  }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    mutating func appendInterpolation(_ piece: Markup) {
      text += piece.text
    }

    mutating func appendInterpolation(_ number: Int) {
      text += String(number)
    }

    /// Appends a length, rounded to a tenth.
    mutating func appendInterpolation(_ length: Double) {
      text += String((length * 10).rounded() / 10)
    }

    mutating func appendInterpolation(_ string: String) {
      text += Markup.escaped(string)
    }
  }

  /// Replaces characters that XML doesn't allow (<https://www.w3.org/TR/xml/#charsets>) or HTML forbids. Also spells
  /// out characters that change the text direction, because a title in a drawing can't contain a `<bdi>`.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result += " "
      case "\0"..<" ", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
      case _ where scalar.value & 0xFFFE == 0xFFFE || 0xFDD0...0xFDEF ~= scalar.value:
        result += "\u{FFFD}"
      case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
