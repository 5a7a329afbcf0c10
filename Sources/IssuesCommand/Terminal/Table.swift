internal import StyledText

/// Rows for a person: aligned under a header, and never wider than the terminal.
///
/// The table is written page by page, so that the first rows stand on the screen while the next are
/// under way. The first page decides the widths of the columns, which later pages keep.
struct Table: Sendable {
  /// The columns, in order.
  let columns: [Column]

  /// The width of a line in columns of the terminal.
  let width: Int

  /// The colours to use.
  let color: ColorMode

  /// Whether the terminal shows hyperlinks.
  let showsLinks: Bool

  private var layout: TableLayout?

  /// A table that has no row yet.
  ///
  /// - Parameters:
  ///   - columns: The columns, at most one of them flexible.
  ///   - width: The width of a line.
  ///   - color: The colours to use.
  ///   - showsLinks: Whether the terminal shows hyperlinks.
  init(columns: [Column], width: Int, color: ColorMode, showsLinks: Bool = false) {
    self.columns = columns
    self.showsLinks = showsLinks
    self.width = max(1, width)
    self.color = color
  }

  /// The lines of the next page, below the header when it is the first; each ends with a newline.
  ///
  /// - Parameters:
  ///   - rows: The cells.
  ///   - notes: What stands below each row, a line of its own; nothing where there is none.
  /// - Returns: The lines.
  mutating func page(_ rows: [[StyledLine]], notes: [StyledLine?] = []) -> String {
    var page = ""
    let layout: TableLayout
    if let known = self.layout {
      layout = known
    } else {
      let header = columns.map { StyledLine($0.title, style: .columnTitle) }
      layout = TableLayout(
        columns: columns, longest: longestCells(in: [header] + rows), width: width)
      self.layout = layout
      page += line(header, in: layout)
    }
    for (index, row) in rows.enumerated() {
      page += line(row, in: layout)
      if index < notes.count, let note = notes[index] {
        page += note.rendered(in: color, cutTo: width).text + "\n"
      }
    }
    return page
  }

  private func longestCells(in rows: [[StyledLine]]) -> [Int] {
    columns.indices.map { index in
      rows.reduce(0) { index < $1.count ? max($0, $1[index].columns) : $0 }
    }
  }

  private func line(_ cells: [StyledLine], in layout: TableLayout) -> String {
    let limits = limits(of: cells, in: layout)
    var line = ""
    // Blanks are written only before something, so that no line ends with them.
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
      blanks += TableLayout.gap
    }
    return line + "\n"
  }

  /// The width of each cell in one row: the column's, unless a cell that must stay whole is longer
  /// and the row's flexible cell can spare the difference.
  private func limits(of cells: [StyledLine], in layout: TableLayout) -> [Int?] {
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
