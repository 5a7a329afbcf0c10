internal import IssueMirror
internal import StyledText

/// Tables with bars, never wider than the terminal.
struct StatisticsTables {
  private let statistics: RepositoryStatistics
  private let style: OutputStyle
  private let bars: BarStyle

  /// The maximum length of a bar in columns. Longer bars aren't easier to compare, and shorter ones are too coarse.
  private static let longestBar = 40
  private static let shortestBar = 4

  init(_ statistics: RepositoryStatistics, style: OutputStyle, bars: BarStyle) {
    self.statistics = statistics
    self.style = style
    self.bars = bars
  }

  var text: String {
    let counts =
      "\(statistics.repository.fullName): \(statistics.openCount.grouped) open, "
      + "\(statistics.closedCount.grouped) closed"
    let parts = [weeks, durations, answerers, ages, labels, authors].filter { !$0.isEmpty }
    return "\n\(heading(counts))\n" + parts.map { "\n\($0)" }.joined()
  }

  private func heading(_ text: String) -> String {
    StyledLine(text, style: .heading).cut(to: style.width).rendered(in: style.color)
  }

  /// A section. If the table is empty, it is a single line.
  private func section(_ title: String, _ columns: [Column], _ rows: [[StyledLine]]) -> String {
    guard !rows.isEmpty else { return "\(heading(title)): none\n" }
    var table = Table(columns: columns, width: style.width, color: style.color)
    return "\(heading(title))\n\n\(table.page(rows))"
  }

  private var weeks: String {
    let greatest = statistics.weeks.map { max($0.opened, $0.closed) }.max() ?? 0
    let hasReopened = statistics.weeks.contains { $0.reopened != nil }
    // The columns are the day, the numbers, and the gaps around two columns of bars.
    let numbers = 2 * 6 + 7 + (hasReopened ? 8 : 0)
    let gaps = (hasReopened ? 6 : 5) * Table.Layout.gap
    let room = barWidth((style.width - 10 - numbers - gaps) / 2)
    let hasBars = room > 0
    let columns =
      [Column(title: "WEEK OF"), number("OPENED")] + (hasBars ? [Column(title: "")] : [])
      + [number("CLOSED")] + (hasBars ? [Column(title: "")] : [])
      + (hasReopened ? [number("REOPENED")] : []) + [number("BALANCE")]
    let rows = statistics.weeks.map { week in
      [StyledLine(Self.day(week)), StyledLine("\(week.opened)")]
        + bar(week.opened, greatest, room, .open) + [StyledLine("\(week.closed)")]
        + bar(week.closed, greatest, room, .completed)
        + (hasReopened ? [StyledLine("\(week.reopened ?? 0)")] : [])
        + [StyledLine(week.balanceText)]
    }
    return section("Opened and closed per week", columns, rows)
  }

  private func number(_ title: String) -> Column { Column(title: title, alignment: .trailing) }

  private var durations: String {
    let rows = statistics.durations
    guard !rows.isEmpty else { return "" }
    let columns = [
      Column(title: "", sizing: .limited(percent: 40)), number("ISSUES"), number("HALF WITHIN"),
      number("90% WITHIN"),
    ]
    let text = section(
      "Time to answer and to close, in these \(statistics.weeks.count) weeks", columns,
      rows.map { row in
        [
          row.name, "\(row.durations.count)", row.durations.medianText ?? "",
          row.durations.ninetiethText ?? "",
        ].map { StyledLine($0) }
      })
    guard let unanswered = statistics.unansweredText else { return text }
    let lines = StyledLine(unanswered).wrapped(to: style.width)
    return text + "\n" + lines.map { $0.rendered(in: style.color) + "\n" }.joined()
  }

  /// The people who answered; empty if they aren't known.
  private var answerers: String {
    guard let answers = statistics.answers else { return "" }
    return ranking(
      "Most first answers in these \(statistics.weeks.count) weeks", name: "LOGIN",
      numbers: ["ANSWERS"],
      answers.people.map { (StyledLine($0.login), [$0.answers], Style.open) })
  }

  private var ages: String {
    let median = statistics.medianAgeText.map { ", half of them under \($0)" } ?? ""
    return ranking(
      "Age of open issues\(median)", name: "AGE", numbers: ["OPEN"],
      statistics.ages.map { (StyledLine("\($0)"), [$0.count], Style.open) })
  }

  private var labels: String {
    ranking(
      "Busiest labels in these \(statistics.weeks.count) weeks", name: "LABEL",
      numbers: ["OPENED", "OPEN"],
      statistics.labels.map { label in
        let style = Style.label(label.color)
        return (StyledLine(label.name, style: style), [label.opened, label.open], style)
      })
  }

  private var authors: String {
    let hasComments = statistics.authors.contains { $0.comments != nil }
    return ranking(
      "Most active people in these \(statistics.weeks.count) weeks", name: "LOGIN",
      numbers: ["OPENED"] + (hasComments ? ["COMMENTS"] : []),
      statistics.authors.map { author in
        let comments = hasComments ? [author.comments ?? 0] : []
        return (StyledLine(author.login), [author.opened] + comments, Style.open)
      })
  }

  /// A ranking. The bar shows the first number.
  private func ranking(
    _ title: String, name: String, numbers: [String],
    _ rows: [(name: StyledLine, numbers: [Int], style: Style)]
  ) -> String {
    let limit = style.width * 40 / 100
    let longest = min(limit, rows.map(\.name.columns).max() ?? 0)
    let room = barWidth(
      style.width - max(longest, name.count) - numbers.map { max($0.count, 6) }.reduce(0, +)
        - (numbers.count + 1) * Table.Layout.gap)
    let greatest = rows.compactMap(\.numbers.first).max() ?? 0
    let columns =
      [Column(title: name, sizing: .limited(percent: 40))]
      + numbers.map { Column(title: $0, alignment: .trailing) }
      + (room > 0 ? [Column(title: "")] : [])
    return section(
      title, columns,
      rows.map { row in
        [row.name] + row.numbers.map { StyledLine("\($0)") }
          + bar(row.numbers.first ?? 0, greatest, room, row.style)
      })
  }

  /// The width of a bar; 0 if it doesn't fit.
  private func barWidth(_ room: Int) -> Int {
    room < Self.shortestBar ? 0 : min(room, Self.longestBar)
  }

  private func bar(_ count: Int, _ greatest: Int, _ width: Int, _ style: Style) -> [StyledLine] {
    width > 0 ? [StyledLine(bars.bar(count, of: greatest, width: width), style: style)] : []
  }

  static func day(_ week: RepositoryStatistics.Week) -> String {
    String(Timestamp.string(from: week.start).prefix { $0 != "T" })
  }
}

enum BarStyle: Sendable, Hashable {
  /// Blocks in steps of an eighth of a column.
  case blocks
  /// ASCII characters, for terminals that may not support blocks.
  case ascii

  init(environment: [String: String]) {
    self = CharacterEncoding.isUTF8(in: environment) ? .blocks : .ascii
  }

  /// A bar. It is visible for any number above 0.
  func bar(_ count: Int, of greatest: Int, width: Int) -> String {
    guard count > 0, greatest > 0, width > 0 else { return "" }
    let steps = self == .blocks ? 8 : 1
    let share = Double(min(count, greatest)) / Double(greatest)
    let length = max(1, Int((share * Double(width * steps)).rounded()))
    guard self == .blocks else { return String(repeating: "#", count: length) }
    let (whole, eighths) = length.quotientAndRemainder(dividingBy: steps)
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: whole) + parts[eighths]
  }
}
