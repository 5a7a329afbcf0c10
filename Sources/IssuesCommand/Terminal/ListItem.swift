internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Something that a list shows, in each of the three forms.
protocol ListItem: Sendable {
  /// The columns of the table.
  static var columns: [Column] { get }

  /// The cells of its row in the table.
  func tableCells(now: Date) -> [StyledLine]

  /// What stands below its row in the table; nil for nothing.
  var note: StyledLine? { get }

  /// The values of its line for the next program: nothing cut, nothing relative.
  func plainCells() -> [StyledLine]

  /// The item as JSON, with all that it has.
  func object() throws -> JSONObject
}

extension ListItem {
  var note: StyledLine? { nil }
}
