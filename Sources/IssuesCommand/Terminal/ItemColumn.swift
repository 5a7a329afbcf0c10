internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A column of a list: its header and width, and its cell on a terminal and in a pipe.
struct ItemColumn<Item>: Sendable {
  /// Columns with low numbers are dropped first from a narrow table.
  let column: Column
  /// `now` is set for a terminal. It is nil for programs: nothing is cut, no time is relative.
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
  /// A time, relative to the present one on a terminal.
  init(_ date: Date?, _ now: Date?) {
    let text = date.map { date in
      now.map { RelativeTime.describe(date, relativeTo: $0) } ?? Timestamp.string(from: date)
    }
    self.init(text ?? "", style: .faint)
  }
}
