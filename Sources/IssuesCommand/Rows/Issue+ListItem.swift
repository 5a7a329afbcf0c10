internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Issue: ListItem {
  static var columns: [Column] {
    [
      Column(title: "ID", alignment: .leading, sizing: .whole),
      Column(title: "TITLE", sizing: .flexible(minimum: 24)),
      Column(title: "LABELS", sizing: .limited(percent: 25), dropOrder: 1),
      Column(title: "UPDATED", sizing: .whole, dropOrder: 0),
    ]
  }

  func tableCells(now: Date) -> [Cell] {
    [
      Cell("#\(number)", style: .state(state, stateReason)),
      Cell(title),
      Cell(list: labels.map { Cell.Run($0.name, style: .label($0.color)) }),
      Cell(updatedAt.map { RelativeTime.describe($0, relativeTo: now) } ?? "", style: .faint),
    ]
  }

  func plainCells() -> [Cell] {
    [
      Cell("\(number)"),
      Cell(state.rawValue.uppercased()),
      Cell(title),
      Cell(labels.map(\.name).joined(separator: ", ")),
      Cell(updatedAt.map(Timestamp.string(from:)) ?? ""),
    ]
  }
}
