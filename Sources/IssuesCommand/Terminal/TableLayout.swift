internal import StyledText

/// The widths of a table's columns.
struct TableLayout: Sendable, Hashable {
  /// The blanks between two columns.
  static let gap = 2

  /// The width that a flexible column has where there is room for it, however short its cells are. A title is
  /// seldom longer, and the eye still finds from there to the next column.
  static let usualWidth = 72

  /// The width of each column; `nil` where the line has no room for the column.
  let widths: [Int?]

  /// What the flexible column has beyond its minimum: nothing where columns were cut.
  let spare: Int

  /// Divides a line among the columns.
  ///
  /// Columns that may be dropped are, in their order, until the rest fits; the flexible column then
  /// takes of what remains as much as it can use. Where even the columns that stay are too wide, the line ends in the middle
  /// of one.
  ///
  /// - Parameters:
  ///   - columns: The columns, at most one of them flexible.
  ///   - longest: The longest cell of each column, in columns of the terminal, its title included.
  ///   - width: The width of the line.
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
