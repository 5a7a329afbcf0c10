package import TerminalScreen

/// The areas of a window.
///
/// ``` ❯ apple/swift                          ⠋     the search bar swiftlang/swift · open · newest first        the
/// heading; the reader's title is to its right
///                                              or replaces it
/// number  title                              the column titles, if the window is high enough ● #85968  Compiler
/// crashes when …            the list ┃ the reader, beside the list
///                                                         if the window is wide enough
/// 30 loaded, more below · / search · ? help    the status line ```
package struct BrowserLayout: Sendable, Hashable {
  package struct Area: Sendable, Hashable {
    package var column: Int
    package var row: Int
    package var width: Int
    /// The height in rows; 0 if there is no room.
    package var height: Int

    package func contains(column: Int, row: Int) -> Bool {
      column >= self.column && column < self.column + width && row >= self.row
        && row < self.row + height
    }
  }

  /// The minimum width for showing the reader beside the list.
  private static let minimumWideColumns = 110
  /// The minimum height for showing a preview below the list.
  private static let minimumPreviewRows = 20
  /// The minimum height for showing column titles.
  private static let minimumTitledRows = 16

  /// The last row above the list in a window with column titles.
  static let lastHeadingRow = 2

  package let searchRow = 0
  package let headingRow = 1
  package let statusRow: Int
  /// The row of the column titles; nil if they aren't shown.
  package let columnTitleRow: Int?
  /// The area of the list. The height is 0 if the reader covers it.
  package let list: Area
  package let reader: Area?
  /// The row of the reader's title.
  package let readerHeadingRow: Int
  /// Whether the reader is beside the list.
  package var isWide: Bool { showsBoth && (reader?.column ?? 0) > 0 }
  /// Whether the reader is beside the list or below it.
  package var showsBoth: Bool { reader != nil && list.height > 0 }
  /// The width of a row. One column before it shows the mark, and one column after it shows the scrollbar.
  package var rowWidth: Int { list.width - 2 }

  static func hasRoomForPreview(_ size: ScreenSize) -> Bool {
    size.columns >= minimumWideColumns || size.rows >= minimumPreviewRows
  }

  /// Lays out a window. In a narrow window, a preview is below the list.
  package init(
    size: ScreenSize, isReading: Bool, isPreview: Bool = false, hasColumns: Bool = false,
    isPlain: Bool = false
  ) {
    // In plain mode, text in adjacent panes would read as one line.
    let isWide = size.columns >= Self.minimumWideColumns && !isPlain
    statusRow = max(0, size.rows - 1)
    let height = max(0, size.rows - 3)
    let isBelow = isPreview && !isWide && Self.hasRoomForPreview(size)
    let isTitled =
      hasColumns && !isPlain && size.rows >= Self.minimumTitledRows
      && (!isReading || isBelow || isWide)
    columnTitleRow = isTitled ? 2 : nil
    let (listRow, listHeight) = isTitled ? (3, height - 1) : (2, height)
    guard isReading else {
      list = Area(column: 0, row: listRow, width: size.columns, height: listHeight)
      reader = nil
      readerHeadingRow = headingRow
      return
    }
    if isBelow {
      let above = height * 2 / 5
      list = Area(
        column: 0, row: listRow, width: size.columns, height: above - (isTitled ? 1 : 0))
      readerHeadingRow = 2 + above
      reader = Area(
        column: 0, row: 3 + above, width: size.columns, height: height - above - 1)
      return
    }
    readerHeadingRow = headingRow
    guard isWide else {
      list = Area(column: 0, row: 2, width: size.columns, height: 0)
      reader = Area(column: 0, row: 2, width: size.columns, height: height)
      return
    }
    let left = size.columns * 9 / 20
    list = Area(column: 0, row: listRow, width: left, height: listHeight)
    // A line and an empty column separate the panes.
    reader = Area(column: left + 2, row: 2, width: size.columns - left - 2, height: height)
  }
}
