internal import StyledText

/// A column of a ``Table``.
struct Column: Sendable, Hashable {
  /// How wide a column becomes.
  enum Sizing: Sendable, Hashable {
    /// As wide as its longest cell. A longer cell on a later page takes what it needs from the
    /// flexible column of its row, because half a number is another number.
    case whole

    /// As wide as its longest cell, but at most this share of the line in hundredths (and not
    /// narrower than its title).
    case limited(percent: Int)

    /// What the other columns leave, which must be this many columns at least: as much of it as its longest
    /// cell takes, or ``TableLayout/usualWidth`` for the longer ones that later pages may bring.
    case flexible(minimum: Int)
  }

  /// The heading.
  var title: String

  /// Where a cell stands in its column.
  var alignment = DisplayWidth.Alignment.leading

  /// How wide the column becomes.
  var sizing = Sizing.whole

  /// When the column is left out of a narrow table: lower numbers go first, `nil` stays.
  var dropOrder: Int?
}
