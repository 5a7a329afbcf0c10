/// The size of a window, in columns and rows of characters.
package struct ScreenSize: Sendable, Hashable {
  /// How many columns wide it is.
  package var columns: Int

  /// How many rows high it is.
  package var rows: Int

  /// Creates a size.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
