internal import StyledText
internal import TerminalScreen

/// A column at the right of the list. It shows the visible share of the list and its position.
struct Scrollbar {
  /// The rows of the window that the thumb covers; nil if the window shows everything.
  let thumb: Range<Int>?

  /// Creates a scrollbar. `total` includes rows that aren't loaded yet, as far as their number is known. If there are
  /// more, the thumb doesn't reach the end.
  init(top: Int, height: Int, total: Int, hasMore: Bool) {
    guard height > 0, total > height || hasMore && total == height else {
      thumb = nil
      return
    }
    let all = max(total, height + (hasMore ? 1 : 0))
    let length = max(1, min(height - 1, height * height / all))
    let room = height - length
    let last = all - height
    // The thumb touches an end only if the first or the last window is shown.
    var start = last > 0 ? min(max(0, top), last) * room / last : 0
    if top > 0, start == 0, room > 1 { start = 1 }
    if hasMore || top < last, start == room, room > 1 { start = room - 1 }
    thumb = start..<start + length
  }

  func draw(on canvas: inout Canvas, column: Int, row: Int, look: Look) {
    guard let thumb else { return }
    let symbol = StyledLine(look.symbols.scrollbar, style: look[.scrollbar])
    for offset in thumb { canvas.draw(symbol, column: column, row: row + offset, width: 1) }
  }
}
