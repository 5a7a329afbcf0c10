internal import StyledText

/// A table of rows under a header, never wider than the terminal.
///
/// The first page determines the widths of the columns, so that it can be shown while the next one is loading.
struct Table: Sendable {
  let columns: [Column]

  let width: Int

  let color: ColorMode

  let showsLinks: Bool

  private var layout: Layout?

  /// Creates a table. At most one column may be flexible.
  init(columns: [Column], width: Int, color: ColorMode, showsLinks: Bool = false) {
    self.columns = columns
    self.showsLinks = showsLinks
    self.width = max(1, width)
    self.color = color
  }

  /// Lays out a page. The header is above the first page. A note is the line below its row.
  mutating func page(_ rows: [[StyledLine]], notes: [StyledLine?] = []) -> String {
    var page = ""
    let layout: Layout
    if let known = self.layout {
      layout = known
    } else {
      page += header(over: rows)
      guard let made = self.layout else { return page }
      layout = made
    }
    for (index, row) in rows.enumerated() {
      page += line(row, in: layout)
      if index < notes.count, let note = notes[index] {
        page += line(of: note)
      }
    }
    return page
  }

  /// Determines the widths of the columns from the following rows, and returns the header.
  mutating func header(over rows: [[StyledLine]]) -> String {
    let header = columns.map { StyledLine($0.title, style: .columnTitle) }
    let layout = Layout(columns: columns, longest: longestCells(in: [header] + rows), width: width)
    self.layout = layout
    return line(header, in: layout)
  }

  /// A line across all columns.
  func line(of text: StyledLine) -> String {
    text.rendered(in: color, cutTo: width).text + "\n"
  }

  private func longestCells(in rows: [[StyledLine]]) -> [Int] {
    columns.indices.map { index in
      rows.reduce(0) { index < $1.count ? max($0, $1[index].columns) : $0 }
    }
  }

  private func line(_ cells: [StyledLine], in layout: Layout) -> String {
    let limits = limits(of: cells, in: layout)
    var line = ""
    // Lines don't end with spaces.
    var blanks = 0
    for (index, limit) in limits.enumerated() {
      guard let limit else { continue }
      let (text, used) =
        index < cells.count
        ? cells[index].rendered(in: color, links: showsLinks, cutTo: limit) : ("", 0)
      let padding = max(0, limit - used)
      if columns[index].alignment == .trailing { blanks += padding }
      if !text.isEmpty {
        line += String(repeating: " ", count: blanks)
        line += text
        blanks = 0
      }
      if columns[index].alignment == .leading { blanks += padding }
      blanks += Layout.gap
    }
    return line + "\n"
  }

  /// The maximum widths of cells. A cell that must not be cut uses the space that the flexible cell doesn't need.
  private func limits(of cells: [StyledLine], in layout: Layout) -> [Int?] {
    var limits = layout.widths
    let flexible = columns.firstIndex { if case .flexible = $0.sizing { true } else { false } }
    guard let flexible, let width = limits[flexible] else { return limits }
    var spare = layout.spare
    for (index, cell) in zip(columns.indices, cells) where columns[index].sizing == .whole {
      guard let limit = limits[index] else { continue }
      let extra = min(max(0, cell.columns - limit), spare)
      limits[index] = limit + extra
      spare -= extra
    }
    limits[flexible] = width - (layout.spare - spare)
    return limits
  }
}

extension OutputStyle {
  func text(ofFields fields: [(name: String, value: String)]) -> String {
    let rows = fields.map { [StyledLine($0.name, style: .heading), StyledLine($0.value)] }
    guard layout == .table else { return TSV(color: color).page(rows) }
    var table = Table(
      columns: [Column(title: "FIELD"), Column(title: "VALUE", sizing: .flexible(minimum: 10))],
      width: width, color: color)
    return "\n\(table.page(rows))"
  }
}

struct Column: Sendable, Hashable {
  enum Sizing: Sendable, Hashable {
    /// The width of the longest cell. A longer cell on a later page uses space from the flexible column of its row,
    /// because a truncated number would be a different number.
    case whole

    /// The width of the longest cell, but at most this share of the line, and at least the width of the title.
    case limited(percent: Int)

    /// The rest of the line, but at least this minimum: as much as its longest cell needs, or
    /// ``Table/Layout/usualWidth`` for longer cells on later pages.
    case flexible(minimum: Int)
  }

  var title: String

  var alignment = DisplayWidth.Alignment.leading

  var sizing = Sizing.whole

  /// The order in which columns are dropped from a narrow table, lowest number first; nil for a column that is never
  /// dropped.
  var dropOrder: Int?
}

extension Table {
  struct Layout: Sendable, Hashable {
    static let gap = 2

    /// The width of a flexible column if there is enough room. Few titles are longer, and the next column is still easy
    /// to find.
    static let usualWidth = 72

    /// The widths of the columns; nil for a dropped column.
    let widths: [Int?]

    /// The width of the flexible column beyond its minimum; 0 if columns were cut.
    let spare: Int

    /// Divides a line among the columns. The longest cells include the titles.
    ///
    /// Columns are dropped in their order until the rest fits; then the flexible column grows. If even the remaining
    /// columns are too wide, the line ends in the middle of one.
    init(columns: [Column], longest: [Int], width: Int) {
      var widths: [Int?] = zip(columns, longest).map { column, longest in
        switch column.sizing {
        case .whole: longest
        case .limited(let percent):
          min(longest, max(DisplayWidth.columns(of: column.title), width * percent / 100))
        case .flexible(let minimum): minimum
        }
      }
      var slack = width - Self.total(widths)
      while slack < 0, let victim = Self.nextToDrop(of: columns, in: widths) {
        widths[victim] = nil
        slack = width - Self.total(widths)
      }
      var spare = max(0, slack)
      for (index, column) in columns.enumerated() {
        guard case .flexible(let minimum) = column.sizing else { continue }
        spare = min(spare, max(longest[index], Self.usualWidth, minimum) - minimum)
        widths[index] = minimum + spare
      }
      self.spare = spare
      var room = width
      for (index, wanted) in widths.enumerated() {
        guard let wanted else { continue }
        widths[index] = room > 0 ? min(wanted, room) : nil
        room -= wanted + Self.gap
      }
      self.widths = widths
    }

    private static func total(_ widths: [Int?]) -> Int {
      let shown = widths.compactMap(\.self)
      return shown.reduce(0, +) + gap * max(0, shown.count - 1)
    }

    private static func nextToDrop(of columns: [Column], in widths: [Int?]) -> Int? {
      columns.indices
        .filter { widths[$0] != nil && columns[$0].dropOrder != nil }
        .min { columns[$0].dropOrder ?? 0 < columns[$1].dropOrder ?? 0 }
    }
  }
}
