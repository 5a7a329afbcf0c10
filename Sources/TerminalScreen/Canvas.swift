package import StyledText

/// A picture of a window, made of cells. Drawing is cut at the edges, never wraps, and replaces earlier drawing.
package struct Canvas: Sendable, Hashable {
  package struct Cell: Sendable, Hashable {
    /// The text of the cell, one or two columns wide; empty for the right half of a wide character.
    package var text: String

    package var style: Style

    package var link: WebLink?

    package init(_ text: String = " ", style: Style = .plain, link: WebLink? = nil) {
      self.text = text
      self.style = style
      self.link = link
    }
  }

  package let size: ScreenSize

  package private(set) var cells: [Cell]

  /// The zero-based cursor position; nil for a hidden cursor.
  package var cursor: (column: Int, row: Int)? {
    get { cursorIndex.map { ($0 % size.columns, $0 / size.columns) } }
    set {
      cursorIndex = newValue.flatMap { place in
        contains(place.column, place.row) ? place.row * size.columns + place.column : nil
      }
    }
  }
  private var cursorIndex: Int?

  /// The images, placed over empty cells. Drawing text on an image later removes it.
  package private(set) var placements: [ImagePlacement] = []

  /// The images that the terminal keeps in memory, shown or not.
  package var images: Set<ScreenImage> = []

  package init(size: ScreenSize) {
    self.size = ScreenSize(columns: max(0, size.columns), rows: max(0, size.rows))
    cells = Array(repeating: Cell(), count: self.size.columns * self.size.rows)
  }

  package subscript(row row: Int) -> ArraySlice<Cell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// Draws a line, cut after `width` columns without an ellipsis. `fill` is the style of the spaces after a shorter
  /// line.
  package mutating func draw(
    _ line: StyledLine, column: Int, row: Int, width: Int? = nil, fill: Style? = nil
  ) {
    guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return }
    let end = min(size.columns, column + max(0, width ?? size.columns))
    var place = column
    for run in line.runs where place < end {
      place = draw(run, column: place, row: row, end: end)
    }
    if let fill {
      while place < end {
        put(Cell(style: fill), columns: 1, column: place, row: row)
        place += 1
      }
    }
    if !placements.isEmpty {
      placements.removeAll { $0.overlaps(columns: column..<place, row: row) }
    }
  }

  /// Inserts a line. The cells after it move to the right, and are cut at `end`.
  package mutating func insert(_ line: StyledLine, column: Int, row: Int, end: Int) {
    let width = line.runs.reduce(0) { $0 + Self.columns(of: $1.text) }
    let end = min(end, size.columns)
    guard contains(column, row), column + width <= end else { return }
    let (start, limit) = (row * size.columns + column, row * size.columns + end)
    let splitsLast = cells[limit - width].text.isEmpty
    cells.replaceSubrange(start + width..<limit, with: cells[start..<limit - width])
    if splitsLast { cells[limit - 1].text = " " }
    draw(line, column: column, row: row, width: width)
  }

  /// Places an image, unless it reaches beyond the canvas.
  package mutating func place(_ placement: ImagePlacement) {
    guard contains(placement.column, placement.row),
      placement.column + placement.columns <= size.columns,
      placement.row + placement.rows.count <= size.rows, !placement.rows.isEmpty
    else { return }
    placements.append(placement)
  }

  /// - Returns: The column after the run, or `end` if it didn't fit, so that nothing follows.
  private mutating func draw(
    _ run: StyledLine.Run, column: Int, row: Int, end: Int
  ) -> Int {
    var place = column
    // Nearly all titles are ASCII, with one byte per column. The byte after the last one drawn may belong to a
    // combining mark on it.
    let bytes = run.text.string.utf8.prefix(end - place + 1)
    if bytes.allSatisfy({ $0 < 0x80 }) {
      // As many times `put`, but only the ends can be next to half of a wide character.
      let count = min(bytes.count, end - place)
      guard count > 0 else { return place }
      let first = row * size.columns + place
      if cells[first].text.isEmpty, place > 0 { cells[first - 1].text = " " }
      for (index, byte) in zip(first..<first + count, bytes) {
        cells[index] = Cell(ScreenCharacter.ascii[Int(byte)], run)
      }
      let next = first + count
      if place + count < size.columns, cells[next].text.isEmpty { cells[next].text = " " }
      return place + count
    }
    for character in run.text.string {
      for part in ScreenCharacter.parts(of: character) {
        guard place + part.columns <= end else {
          // A wide character doesn't fit into the last column. No later character may take its place.
          while place < end {
            put(Cell(" ", run), columns: 1, column: place, row: row)
            place += 1
          }
          return end
        }
        put(Cell(part.text, run), columns: part.columns, column: place, row: row)
        place += part.columns
      }
    }
    return place
  }

  /// The width of text on a canvas, at most that of ``DisplayWidth``.
  package static func columns(of text: TerminalText) -> Int {
    let string = text.string
    if string.utf8.allSatisfy({ $0 < 0x80 }) { return string.utf8.count }
    return string.reduce(0) { $0 + ScreenCharacter.columns(of: $1) }
  }

  package mutating func restyle(
    columns: Range<Int>, row: Int, _ change: (inout Style) -> Void
  ) {
    guard row >= 0, row < size.rows else { return }
    for column in columns.clamped(to: 0..<size.columns) {
      change(&cells[row * size.columns + column].style)
    }
  }

  /// Gives cells a background, except cells with their own background. An exact text color changes only as much as
  /// readability requires.
  package mutating func tint(columns: Range<Int>, row: Int, with background: Style.Paint) {
    var readable: [Color: Color] = [:]
    restyle(columns: columns, row: row) { style in
      guard style.background == .standard else { return }
      style.background = background
      guard case (.exact(let ground), .exact(let text)) = (background, style.foreground) else {
        return
      }
      let shown = readable[text] ?? text.readable(on: ground)
      readable[text] = shown
      style.foreground = .exact(shown)
    }
  }

  /// The text of the canvas: a line for each row, without trailing spaces.
  package var text: String {
    (0..<size.rows).map { row in
      var line = self[row: row].reduce(into: "") { $0 += $1.text }
      while line.last == " " { line.removeLast() }
      return line
    }
    .joined(separator: "\n")
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && column < size.columns && row >= 0 && row < size.rows
  }

  /// Sets the cells of a character. The other half of a partly replaced wide character becomes a space.
  private mutating func put(_ cell: Cell, columns: Int, column: Int, row: Int) {
    let index = row * size.columns + column
    if cells[index].text.isEmpty, column > 0 { cells[index - 1].text = " " }
    let next = index + columns
    if column + columns < size.columns, cells[next].text.isEmpty { cells[next].text = " " }
    cells[index] = cell
    if columns == 2 { cells[index + 1] = Cell("", style: cell.style, link: cell.link) }
  }
}

extension Canvas.Cell {
  fileprivate init(_ text: String, _ run: StyledLine.Run) {
    self.init(text, style: run.style, link: run.link)
  }
}
