internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A column of a list: its header and width, and its cell on a terminal and in a pipe.
struct ItemColumn<Item>: Sendable {
  /// The layout of the column. Columns with low numbers are dropped first from a narrow table.
  let column: Column
  /// The cell of an item. `now` is set for a terminal. For programs it is nil: cells aren't cut, and times aren't
  /// relative.
  let cell: @Sendable (Item, _ now: Date?) -> StyledLine

  init(
    _ title: String, _ sizing: Column.Sizing = .whole,
    alignment: DisplayWidth.Alignment = .leading, dropOrder: Int? = nil,
    cell: @escaping @Sendable (Item, _ now: Date?) -> StyledLine
  ) {
    column = Column(title: title, alignment: alignment, sizing: sizing, dropOrder: dropOrder)
    self.cell = cell
  }

  static func time(
    _ title: String, dropOrder: Int, _ date: @escaping @Sendable (Item) -> Date?
  ) -> ItemColumn {
    ItemColumn(title, dropOrder: dropOrder) { StyledLine(date($0), $1) }
  }
}

extension StyledLine {
  /// A time, relative to the current time on a terminal.
  init(_ date: Date?, _ now: Date?) {
    let text = date.map { date in
      now.map { RelativeTime.describe(date, relativeTo: $0) } ?? Timestamp.string(from: date)
    }
    self.init(text ?? "", style: .faint)
  }
}
