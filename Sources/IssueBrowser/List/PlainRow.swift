internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A row of a list in words, in the order in which a screen reader should speak them:
///
/// ``` > current, #85968 open, Compiler crashes when …, labels bug and crash, by octocat, 2 comments, created about 3
/// days ago ```
///
/// The title is shortened to make room for the other words, but to no less than half of the row. If the row is still
/// too long, the last words are dropped.
struct PlainRow {
  /// The minimum width for marks in words.
  private static let minimumMarkedColumns = 40

  let width: Int
  let look: Look
  /// The marks in words, such as `current` and `selected`.
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
    // Only as many names as can be visible are joined: a server may send any number.
    func list(_ names: some Sequence<String>) -> String {
      names.prefix(width / 4).map { StyledLine($0, within: width).plain }
        .joined(separator: " and ")
    }
    let cell: String? =
      switch column.value {
      case .labels: list(issue.labels.lazy.map(\.name))
      case .people(let people): list(people(issue).lazy.map(\.login))
      case .person(let person): person(issue)?.login
      case .text(let text), .figure(let text): text(issue)
      case .count(let count): count(issue) > 0 ? "\(count(issue))" : nil
      case .time(let date): date(issue).map { RelativeTime.describe($0, relativeTo: now) }
      }
    guard let cell, !cell.isEmpty else { return nil }
    return StyledLine(column.words(cell, issue), within: width)
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
    // In the narrowest windows, the state uses the whole row.
    let named = name.columns > 0 ? [name] : []
    return StyledLine(pieces: head + named + others, separator: separator, within: width)
  }
}
