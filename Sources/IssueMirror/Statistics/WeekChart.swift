internal import IssueTracker

struct WeekChart {
  let weeks: [RepositoryStatistics.Week]

  private static let (left, right, top, bottom) = (44.0, 712.0, 28.0, 216.0)
  private static let (width, height) = (720, 244)

  var svg: Markup {
    let greatest = weeks.map { max($0.opened, $0.closed) }.max() ?? 0
    let scale = ChartScale(upTo: greatest, length: Self.bottom - Self.top)
    let step = (Self.right - Self.left) / Double(max(1, weeks.count))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(Self.height)" role="img" aria-labelledby="weeks-title weeks-desc">
      <title id="weeks-title">Opened and closed per week</title>
      <desc id="weeks-desc">\(description)</desc>
      <g aria-hidden="true">
      <rect class="opened" x="\(Self.left)" y="4" width="12" height="12"/>\
      <text x="\(Self.left + 18)" y="14">opened</text>
      <rect class="closed" x="\(Self.left + 90)" y="4" width="12" height="12"/>\
      <text x="\(Self.left + 108)" y="14">closed</text>
      \(Markup(scale.ticks.map { line($0, scale) }))\
      \(Markup(weeks.indices.map { columns($0, scale, step) }))\
      </g>
      </svg>
      """
  }

  private var description: String {
    let (opened, closed) = weeks.reduce((0, 0)) { ($0.0 + $1.opened, $0.1 + $1.closed) }
    let since = weeks.first.map { " since \(StatisticsPage.day($0.start))" } ?? ""
    return "Two columns for each of \(weeks.count) weeks\(since): \(opened) issues were opened "
      + "and \(closed) closed. The numbers are in the table below."
  }

  private func line(_ tick: Int, _ scale: ChartScale) -> Markup {
    let y = Self.bottom - scale.length(of: tick)
    return """
      <line class="grid" x1="\(Self.left)" y1="\(y)" x2="\(Self.right)" y2="\(y)"/>\
      <text class="tick" x="\(Self.left - 6)" y="\(y + 4)" text-anchor="end">\(tick)</text>

      """
  }

  private func columns(_ index: Int, _ scale: ChartScale, _ step: Double) -> Markup {
    let week = weeks[index]
    let (x, width) = (Self.left + step * Double(index), step * 0.4)
    let (opened, closed) = (scale.length(of: week.opened), scale.length(of: week.closed))
    let day = StatisticsPage.day(week.start)
    // A label takes 70 units. The last week always has a label.
    let stride = max(1, Int((70 / step).rounded(.up)))
    let isLabelled = (weeks.count - 1 - index).isMultiple(of: stride)
    let label: Markup = """
      <text class="tick" x="\(x + step / 2)" y="\(Self.bottom + 16)" text-anchor="middle">\(day)</text>
      """
    return """
      <rect class="opened" x="\(x + step * 0.1)" y="\(Self.bottom - opened)" width="\(width)" \
      height="\(opened)"><title>\(day): \(week.opened) opened</title></rect>\
      <rect class="closed" x="\(x + step * 0.5)" y="\(Self.bottom - closed)" width="\(width)" \
      height="\(closed)"><title>\(day): \(week.closed) closed</title></rect>\
      \(isLabelled ? label : "")

      """
  }
}

struct BarChart {
  struct Bar {
    let name: String
    let count: Int
    var color: String?
  }

  let id: String
  let title: String
  /// A text alternative for people who can't see the chart.
  let description: String
  let bars: [Bar]

  private static let (width, rowHeight, left, right) = (720, 26, 200.0, 650.0)
  private static let longestName = 28

  var svg: Markup {
    let scale = ChartScale(
      upTo: bars.map(\.count).max() ?? 0, length: Self.right - Self.left)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(max(1, bars.count) * Self.rowHeight)" role="img" \
      aria-labelledby="\(id)-title \(id)-desc">
      <title id="\(id)-title">\(title)</title>
      <desc id="\(id)-desc">\(description)</desc>
      <g aria-hidden="true">
      \(Markup(bars.indices.map { row($0, scale) }))\
      </g>
      </svg>
      """
  }

  private func row(_ index: Int, _ scale: ChartScale) -> Markup {
    let bar = bars[index]
    let (top, length) = (Double(index * Self.rowHeight), scale.length(of: bar.count))
    let isCut = bar.name.count > Self.longestName
    let name = isCut ? "\(bar.name.prefix(Self.longestName - 1))…" : bar.name
    let fill: Markup = bar.color.map { #" style="fill:#\#($0)""# } ?? ""
    return """
      <text x="\(Self.left - 8)" y="\(top + 17)" text-anchor="end">\(name)</text>\
      <rect class="bar" x="\(Self.left)" y="\(top + 4)" width="\(length)" height="18"\(fill)>\
      <title>\(bar.name): \(bar.count)</title></rect>\
      <text class="tick" x="\(Self.left + length + 6)" y="\(top + 17)">\(bar.count)</text>

      """
  }
}

struct ChartScale {
  let ticks: [Int]
  private let length: Double

  /// A scale with at most six lines, at multiples of 1, 2 or 5 times a power of ten.
  init(upTo greatest: Int, length: Double) {
    let greatest = max(1, greatest)
    var (unit, step) = (1, 1)
    while greatest > 5 * step {
      step = step == unit ? 2 * unit : step == 2 * unit ? 5 * unit : 10 * unit
      if step == 10 * unit { unit *= 10 }
    }
    let count = (greatest + step - 1) / step
    ticks = (0...count).map { $0 * step }
    self.length = length
  }

  func length(of number: Int) -> Double {
    length * Double(number) / Double(ticks.last ?? 1)
  }
}
