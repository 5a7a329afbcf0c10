internal import IssueOutbox
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A row of a list in words, in the order in which a screen reader should speak them:
///
/// ```
/// > #85968 open, Compiler crashes when …, labels bug and crash, by octocat, 2 comments, created about 3 days ago
/// ```
///
/// The title gives way to the other words, down to half of the row. Then the last words are left out.
struct PlainRow {
  let width: Int
  let look: Look

  func line(
    for issue: Issue, _ note: PendingNote?, isUnread: Bool, time: IssueColumns.Time, now: Date
  ) -> StyledLine {
    let standing = IssueStanding(of: issue)
    let head = StyledLine(runs: [
      StyledLine.Run("\(IssueTarget(shownAs: issue.number).name) "),
      StyledLine.Run(standing.text.lowercased(), style: look.state(of: issue)),
    ])
    var others: [StyledLine] = []
    if isUnread { others.append(StyledLine("changed", style: look[.unread])) }
    if let note { others.append(StyledLine("not sent yet: \(note.text)", style: look[.pending])) }
    if !issue.labels.isEmpty {
      // Only as many as can be visible: a server may send any number.
      let names = issue.labels.prefix(width / 4).map { StyledLine($0.name, within: width).plain }
      let noun = names.count == 1 ? "label" : "labels"
      others.append(StyledLine("\(noun) \(names.joined(separator: " and "))"))
    }
    if let login = issue.user?.login { others.append(StyledLine("by \(login)", within: width)) }
    let count = issue.commentsCount
    if count > 0 { others.append(StyledLine("\(count) \(count == 1 ? "comment" : "comments")")) }
    if let date = time.date(of: issue) {
      others.append(
        StyledLine("\(time.rawValue) \(RelativeTime.describe(date, relativeTo: now))"))
    }
    return line([head], issue.title, others)
  }

  func line(for repository: Repository) -> StyledLine {
    var others: [StyledLine] = []
    if let stars = repository.stargazersCount { others.append(StyledLine("\(stars) stars")) }
    if let language = repository.language { others.append(StyledLine(language, within: width)) }
    var line = line([], repository.fullName, others)
    let room = width - line.columns - 2
    if let description = repository.description, !description.isEmpty, room >= 16 {
      line.runs.append(StyledLine.Run(", "))
      line.runs += StyledLine(description, within: room).runs
    }
    return line
  }

  private func line(_ head: [StyledLine], _ title: String, _ others: [StyledLine]) -> StyledLine {
    let separator = StyledLine.Run(", ")
    func columns(_ pieces: [StyledLine]) -> Int {
      pieces.reduce(0) { $0 + $1.columns + separator.columns }
    }
    let left = width - columns(head)
    let room = max(left / 2, left - columns(others))
    let name = StyledLine(title, within: room, style: look[.title])
    // In the narrowest windows, the state takes all the room.
    let named = name.columns > 0 ? [name] : []
    return StyledLine(pieces: head + named + others, separator: separator, within: width)
  }
}
