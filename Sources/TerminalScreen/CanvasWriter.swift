import CNcurses
internal import StyledText

@MainActor struct CanvasWriter {
  let palette: ScreenPalette

  let isUTF8: Bool

  var features: TerminalFeatures

  private var pairs: ColorPairs
  private var lacksPairs = false
  /// The overlays that the terminal shows, by row.
  private var overlays: [Int: [Overlay]] = [:]
  private var writtenRows: Set<Int> = []

  init(palette: ScreenPalette, pairs: Int, isUTF8: Bool, features: TerminalFeatures) {
    self.palette = palette
    self.isUTF8 = isUTF8
    self.features = features
    self.pairs = ColorPairs(limit: pairs)
  }

  /// Writes the rows that differ from `last`, or all rows if it is nil. The window may be smaller than the canvas.
  mutating func write(_ canvas: Canvas, over last: Canvas?, within size: ScreenSize) {
    lacksPairs = false
    writeRows(of: canvas, over: last, within: size)
    guard lacksPairs else { return }
    pairs.removeAll()
    // If the canvas has more colors than there are pairs, the rest use the terminal's own.
    writeRows(of: canvas, over: nil, within: size)
  }

  /// Writes the parts that ncurses can't draw, after the update that drew the rows.
  mutating func writeOverlays(of canvas: Canvas, within size: ScreenSize) {
    defer { writtenRows.removeAll(keepingCapacity: true) }
    guard features != TerminalFeatures() else { return }
    var isWriting = false
    for row in writtenRows {
      let cells = canvas[row: row].prefix(size.columns)
      let (old, new) = (overlays[row] ?? [], Overlay.all(in: cells, features))
      overlays[row] = new.isEmpty ? nil : new
      guard !old.isEmpty || !new.isEmpty else { continue }
      if !isWriting {
        guard cncurses_begin_rewriting() else { return }
        isWriting = true
      }
      for overlay in old where !new.contains(overlay) {
        var first = min(overlay.columns.lowerBound, cells.count)
        while first > 0, first < cells.count, cells[cells.startIndex + first].text.isEmpty {
          first -= 1
        }
        cncurses_rewrite(
          Int32(first), Int32(row), Int32(overlay.columns.upperBound - first), nil, false, nil, 0)
      }
      for overlay in new {
        let cluster = overlay.cluster?.unicodeScalars.map(\.value) ?? []
        unsafe cncurses_rewrite(
          Int32(overlay.columns.lowerBound), Int32(row), Int32(overlay.columns.count),
          overlay.link?.url, overlay.isStruck, cluster, Int32(cluster.count))
      }
    }
    if isWriting { cncurses_end_rewriting() }
  }

  private mutating func writeRows(of canvas: Canvas, over last: Canvas?, within size: ScreenSize) {
    let last = last?.size == canvas.size ? last : nil
    // A smaller canvas doesn't cover all old cells.
    if last == nil { cncurses_erase() }
    let columns = min(canvas.size.columns, size.columns)
    for row in 0..<min(canvas.size.rows, size.rows) {
      let cells = canvas[row: row]
      guard last.map({ $0[row: row] != cells }) ?? true else { continue }
      write(cells.prefix(columns), row: row)
      writtenRows.insert(row)
    }
  }

  private mutating func write(_ cells: ArraySlice<Canvas.Cell>, row: Int) {
    cncurses_move(0, Int32(row))
    var run: [UInt32] = []
    var style: Style?
    var index = cells.startIndex
    while index < cells.endIndex {
      let cell = cells[index]
      let next = index + 1
      let isWide = next < cells.endIndex && cells[next].text.isEmpty && !cell.text.isEmpty
      if cell.style != style {
        flush(&run)
        apply(cell.style)
        style = cell.style
      }
      let bytes = cell.text.utf8
      if !isWide, bytes.count == 1, let byte = bytes.first, byte >= 0x20, byte < 0x7F {
        // Nearly all cells. The other way allocates memory for each.
        run.append(UInt32(byte))
        index += 1
        continue
      }
      switch text(of: cell, columns: isWide ? 2 : 1) {
      case .codePoints(let codePoints):
        run += codePoints
      case .lineDrawing(let letter):
        flush(&run)
        cncurses_add_line_drawing(CChar(letter))
      }
      index += isWide ? 2 : 1
    }
    flush(&run)
  }

  private func text(of cell: Canvas.Cell, columns: Int) -> ScreenText {
    isUTF8
      ? ScreenText(cell.text, columns: columns) { Int(cncurses_columns($0)) }
      : ScreenText(ascii: cell.text, columns: columns)
  }

  private func flush(_ run: inout [UInt32]) {
    guard !run.isEmpty else { return }
    unsafe cncurses_add(run, Int32(run.count))
    run.removeAll(keepingCapacity: true)
  }

  private mutating func apply(_ style: Style) {
    var attributes = 0
    if style.isBold { attributes |= CNCURSES_BOLD }
    if style.isFaint { attributes |= CNCURSES_DIM }
    if style.isUnderlined { attributes |= CNCURSES_UNDERLINE }
    if style.isItalic { attributes |= CNCURSES_ITALIC }
    if style.isReversed { attributes |= CNCURSES_REVERSE }
    let shown = palette.mode >= .palette ? style : style.withoutExactColors
    let foreground = palette.number(of: shown.foreground)
    // The first eight colors don't include gray. Faint text is closest.
    if foreground == nil, style.foreground == .grey { attributes |= CNCURSES_DIM }
    let pair = ColorPairs.Pair(
      foreground: foreground ?? -1, background: palette.number(of: shown.background) ?? -1)
    cncurses_set_style(UInt32(attributes), number(of: pair))
  }

  private mutating func number(of pair: ColorPairs.Pair) -> Int32 {
    switch pairs.entry(for: pair) {
    case .defined(let number): return number
    case .undefined(let number):
      cncurses_define_pair(number, pair.foreground, pair.background)
      return number
    case nil:
      lacksPairs = true
      return 0
    }
  }
}
