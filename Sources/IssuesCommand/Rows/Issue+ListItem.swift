internal import IssueBrowser
internal import IssueTracker
internal import StyledText

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

  func tableCells(now: Date) -> [StyledLine] {
    [
      StyledLine("#\(number)", style: .state(state, stateReason)),
      StyledLine(title),
      StyledLine(list: labels.map { StyledLine.Run($0.name, style: .label($0.color)) }),
      StyledLine(updatedAt.map { RelativeTime.describe($0, relativeTo: now) } ?? "", style: .faint),
    ]
  }

  func plainCells() -> [StyledLine] {
    [
      StyledLine("\(number)"),
      StyledLine(state.rawValue.uppercased()),
      StyledLine(title),
      StyledLine(list: labels.map { StyledLine.Run($0.name) }),
      StyledLine(updatedAt.map(Timestamp.string(from:)) ?? ""),
    ]
  }
}
