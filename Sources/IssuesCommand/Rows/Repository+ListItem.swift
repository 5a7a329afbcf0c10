internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Repository: ListItem {
  static var columns: [Column] {
    [
      Column(title: "NAME", sizing: .limited(percent: 45)),
      Column(title: "DESCRIPTION", sizing: .flexible(minimum: 16)),
      Column(title: "LANGUAGE", sizing: .limited(percent: 15), dropOrder: 1),
      Column(title: "STARS", alignment: .trailing, sizing: .whole, dropOrder: 2),
      Column(title: "UPDATED", sizing: .whole, dropOrder: 0),
    ]
  }

  func tableCells(now: Date) -> [StyledLine] {
    [
      StyledLine(fullName, style: .heading),
      StyledLine(description ?? ""),
      StyledLine(language ?? ""),
      StyledLine(stargazersCount.map(String.init) ?? ""),
      StyledLine(updatedAt.map { RelativeTime.describe($0, relativeTo: now) } ?? "", style: .faint),
    ]
  }

  func plainCells() -> [StyledLine] {
    [
      StyledLine(fullName, style: .heading),
      StyledLine(description ?? ""),
      StyledLine(language ?? ""),
      StyledLine(stargazersCount.map(String.init) ?? ""),
      StyledLine(updatedAt.map(Timestamp.string(from:)) ?? "", style: .faint),
    ]
  }
}
