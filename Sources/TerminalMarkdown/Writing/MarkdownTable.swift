internal import StyledText

/// Lays out a table. Columns shrink on a narrow page; if that isn't enough, the table becomes a list.
struct MarkdownTable {
  private static let minimumColumn = 5

  private let alignments: [UInt8]
  private let glyphs: Glyphs
  private let frame: Style
  /// The rows, each a list of cells, which consist of lines. The first row has the titles.
  var rows: [[[StyledLine]]] = []

  /// The alignments are the letters of ``MarkdownNode``.
  init(alignments: [UInt8], glyphs: Glyphs, frame: Style) {
    self.alignments = alignments
    self.glyphs = glyphs
    self.frame = frame
  }

  /// The lines, which must not be wrapped.
  func lines(width: Int) -> [StyledLine] {
    let natural = naturalWidths
    guard !glyphs.isPlain, let columns = fitting(natural, into: width - 3 * (natural.count - 1))
    else {
      return list(width: width)
    }
    let cells = rows.map { row in
      columns.indices.map { index in
        index < row.count ? row[index].flatMap { $0.wrapped(to: columns[index]) } : []
      }
    }
    let alignments = self.alignments.enumerated().map { index, alignment in
      alignment == 0 && isNumeric(index) ? UInt8(ascii: "r") : alignment
    }
    var lines: [StyledLine] = []
    for (number, row) in cells.enumerated() {
      if number == 1 { lines.append(rule(columns)) }
      for line in 0..<max(1, row.map(\.count).max() ?? 1) {
        lines.append(
          self.line(
            row.map { line < $0.count ? $0[line] : StyledLine() }, columns, alignments))
      }
    }
    if cells.count == 1 { lines.append(rule(columns)) }
    return lines
  }

  private var naturalWidths: [Int] {
    var widths = Array(repeating: 1, count: max(1, alignments.count))
    for row in rows {
      for (index, cell) in row.prefix(widths.count).enumerated() {
        widths[index] = cell.reduce(widths[index]) { max($0, $1.columns) }
      }
    }
    return widths
  }

  /// The column widths. Narrow columns keep their widths; the others share the rest. Returns nil if a column would
  /// become unreadable.
  private func fitting(_ natural: [Int], into width: Int) -> [Int]? {
    guard natural.reduce(0, +) > width else { return natural }
    var left = width
    var widths = natural
    for (position, index) in natural.indices.sorted(by: { natural[$0] < natural[$1] }).enumerated()
    {
      let share = left / (natural.count - position)
      guard min(share, natural[index]) >= min(natural[index], Self.minimumColumn) else {
        return nil
      }
      widths[index] = min(share, natural[index])
      left -= widths[index]
    }
    return widths
  }

  /// Whether a column contains only numbers, possibly with dashes or empty cells in place of some.
  private func isNumeric(_ column: Int) -> Bool {
    var hasNumber = false
    for row in rows.dropFirst() where column < row.count {
      for line in row[column] where !["", "-", "–", "—"].contains(line.plain) {
        guard NumberText.isNumber(line.plain) else { return false }
        hasNumber = true
      }
    }
    return hasNumber
  }

  private func line(
    _ cells: [StyledLine], _ columns: [Int], _ alignments: [UInt8]
  ) -> StyledLine {
    var line = StyledLine()
    for (index, cell) in cells.enumerated() {
      if index > 0 { line.runs.append(.init(" \(glyphs.column) ", style: frame)) }
      let space = max(0, columns[index] - cell.columns)
      let before =
        switch alignments.indices.contains(index) ? alignments[index] : 0 {
        case UInt8(ascii: "r"): space
        case UInt8(ascii: "c"): space / 2
        default: 0
        }
      if before > 0 { line.runs.append(.init(String(repeating: " ", count: before))) }
      line.runs += cell.runs
      if space > before { line.runs.append(.init(String(repeating: " ", count: space - before))) }
    }
    return line.withoutBlanksAtItsEnd
  }

  private func rule(_ columns: [Int]) -> StyledLine {
    let parts = columns.map { String(repeating: glyphs.rule, count: $0) }
    let cross = "\(glyphs.rule)\(glyphs.cross)\(glyphs.rule)"
    return StyledLine(parts.joined(separator: cross), style: frame)
  }

  private func list(width: Int) -> [StyledLine] {
    guard let titles = rows.first, rows.count > 1 else {
      return rows.flatMap { $0.flatMap { $0.flatMap { $0.wrapped(to: width) } } }
    }
    var lines: [StyledLine] = []
    for row in rows.dropFirst() {
      if !lines.isEmpty { lines.append(StyledLine()) }
      for (index, cell) in row.enumerated() where !cell.isEmpty {
        var line = StyledLine(runs: (index < titles.count ? titles[index] : []).flatMap(\.runs))
        line.runs.append(.init(": "))
        line.runs += cell[0].runs
        let indent = StyledLine(width > 8 ? "  " : "")
        lines += line.wrapped(to: width, hangingIndent: indent)
        lines += cell.dropFirst().flatMap {
          $0.wrapped(to: width, indent: indent, hangingIndent: indent)
        }
      }
    }
    return lines
  }
}
