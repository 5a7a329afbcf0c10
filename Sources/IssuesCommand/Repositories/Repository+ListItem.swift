internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Sent: ListItem where Entity == Repository {
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
    let repository = entity
    return [
      StyledLine(repository.fullName, style: .heading),
      StyledLine(repository.description ?? ""),
      StyledLine(repository.language ?? ""),
      StyledLine(repository.stargazersCount.map(String.init) ?? ""),
      StyledLine(
        repository.updatedAt.map { RelativeTime.describe($0, relativeTo: now) } ?? "", style: .faint
      ),
    ]
  }

  func plainCells() -> [StyledLine] {
    let repository = entity
    return [
      StyledLine(repository.fullName, style: .heading),
      StyledLine(repository.description ?? ""),
      StyledLine(repository.language ?? ""),
      StyledLine(repository.stargazersCount.map(String.init) ?? ""),
      StyledLine(repository.updatedAt.map(Timestamp.string(from:)) ?? "", style: .faint),
    ]
  }

  func object() -> JSONObject { JSONObject(json) }
}
