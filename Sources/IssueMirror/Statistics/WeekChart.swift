internal import IssueTracker

/// What was opened and closed week by week, as a drawing of columns.
struct WeekChart {
  let weeks: [RepositoryStatistics.Week]

  private static let (left, right, top, bottom) = (44.0, 712.0, 28.0, 216.0)
  private static let (width, height) = (720, 244)

  /// The drawing.
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

  /// What a drawing shows, for those who can't see it.
  private var description: String {
    let (opened, closed) = weeks.reduce((0, 0)) { ($0.0 + $1.opened, $0.1 + $1.closed) }
    let since = weeks.first.map { " since \(StatisticsPage.day($0.start))" } ?? ""
    return "Two columns for each of \(weeks.count) weeks\(since): \(opened) issues were opened in "
      + "them, and \(closed) were closed. The numbers are in the table below."
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
    // A label takes 70 units; the last week always has one.
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
