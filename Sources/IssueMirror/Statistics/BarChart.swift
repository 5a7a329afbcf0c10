/// Some numbers as a drawing of bars, one below the other, each with its name before it and its number behind.
struct BarChart {
  /// A bar.
  struct Bar {
    /// What it is of.
    let name: String
    /// Its length.
    let count: Int
    /// Six hexadecimal digits; nil for the colour of all bars.
    var color: String?
  }

  /// What tells the drawing from others on its page: letters.
  let id: String
  /// What is drawn.
  let title: String
  /// What it shows, for those who can't see it.
  let description: String
  let bars: [Bar]

  private static let (width, rowHeight, left, right) = (720, 26, 200.0, 650.0)
  /// The most characters of a name that have room before a bar.
  private static let longestName = 28

  /// The drawing.
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
