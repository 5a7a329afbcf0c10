internal import IssueTracker

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

  func tableCells(now: Date) -> [Cell] {
    [
      Cell(fullName, style: .heading),
      Cell(description ?? ""),
      Cell(language ?? ""),
      Cell(stargazersCount.map(String.init) ?? ""),
      Cell(updatedAt.map { RelativeTime.describe($0, relativeTo: now) } ?? "", style: .faint),
    ]
  }

  func plainCells() -> [Cell] {
    [
      Cell(fullName),
      Cell(description ?? ""),
      Cell(language ?? ""),
      Cell(stargazersCount.map(String.init) ?? ""),
      Cell(updatedAt.map(Timestamp.string(from:)) ?? ""),
    ]
  }
}
