internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A row of a list in words, in the order in which a screen reader should speak them:
///
/// ```
/// > current, #85968 open, Compiler crashes when …, labels bug and crash, by octocat, 2 comments, created about 3 days ago
/// ```
///
/// The title gives way to the other words, down to half of the row. Then the last words are left out.
struct PlainRow {
  /// From this width on, a row begins with words for its marks.
  private static let minimumMarkedColumns = 40

  let width: Int
  let look: Look
  /// Such as `current` and `selected`.
  var marks: [String] = []

  func line(
    for issue: GitHub.Issue, named name: String, _ note: PendingNote?, isUnread: Bool,
    columns: [ListColumn], now: Date
  ) -> StyledLine {
    let standing = IssueStanding(of: issue)
    let head = StyledLine(runs: [
      StyledLine.Run(name, within: width / 2), StyledLine.Run(" "),
      StyledLine.Run(standing.text.lowercased(), style: look.state(of: issue)),
    ])
    var others: [StyledLine] = []
    if isUnread { others.append(StyledLine("changed", style: look[.unread])) }
    if let note { others.append(StyledLine("not sent yet: \(note.text)", style: look[.pending])) }
    others += columns.compactMap { words(for: $0, of: issue, now) }
    return line([head], issue.title, others)
  }

  private func words(for column: ListColumn, of issue: GitHub.Issue, _ now: Date) -> StyledLine? {
    // Only as many as can be visible: a server may send any number.
    func list(_ names: some Sequence<String>) -> String {
      names.prefix(width / 4).map { StyledLine($0, within: width).plain }
        .joined(separator: " and ")
    }
    switch column {
    case .labels:
      guard !issue.labels.isEmpty else { return nil }
      let noun = issue.labels.count == 1 ? "label" : "labels"
      return StyledLine("\(noun) \(list(issue.labels.lazy.map(\.name)))")
    case .assignees:
      guard !issue.assignees.isEmpty else { return nil }
      return StyledLine("assigned to \(list(issue.assignees.lazy.map(\.login)))")
    case .author: return issue.user.map { StyledLine("by \($0.login)", within: width) }
    case .milestone:
      return issue.milestone.map { StyledLine("milestone \($0.title)", within: width) }
    case .type: return issue.type.map { StyledLine("type \($0.name)", within: width) }
    case .subIssues:
      return issue.subIssues.flatMap { summary in
        summary.total > 0
          ? StyledLine("\(summary.completed) of \(summary.total) sub-issues done") : nil
      }
    case .fields:
      let text = issue.fieldsText
      return text.isEmpty ? nil : StyledLine(text, within: width)
    case .comments:
      let count = issue.commentsCount
      return count > 0 ? StyledLine("\(count) \(count == 1 ? "comment" : "comments")") : nil
    case .created, .updated:
      return column.date(of: issue).map {
        StyledLine("\(column.rawValue) \(RelativeTime.describe($0, relativeTo: now))")
      }
    }
  }

  func line(for repository: GitHub.Repository) -> StyledLine {
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

  /// A row of the start screen.
  func line(for pieces: [StyledLine]) -> StyledLine {
    line([], pieces[0].plain, Array(pieces.dropFirst()))
  }

  private func line(_ head: [StyledLine], _ title: String, _ others: [StyledLine]) -> StyledLine {
    let separator = StyledLine.Run(", ")
    let head = (width < Self.minimumMarkedColumns ? [] : marks.map { StyledLine($0) }) + head
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
