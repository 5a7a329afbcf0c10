/// The selected row of a list, and the first visible one.
package struct RowCursor: Sendable, Hashable {
  package var selection = 0
  package var top = 0

  /// The selected row; nil if there are no rows.
  func selected<Row>(of rows: [Row]) -> Row? {
    rows.indices.contains(selection) ? rows[selection] : nil
  }

  /// Keeps the selection within the rows, and scrolls no further than needed to show it.
  mutating func reveal(among rows: Int, height: Int) {
    selection = max(0, min(selection, rows - 1))
    guard height > 0 else { return }
    top = max(min(top, selection), selection - height + 1)
    scroll(to: top, among: rows, height: height)
  }

  /// Scrolls without moving the selection, which may become invisible until the next key moves it.
  mutating func scroll(to row: Int, among rows: Int, height: Int) {
    top = max(0, min(row, rows - height))
  }
}
