internal import IssueBrowser
internal import IssueMirror
internal import IssueOutbox
internal import PlatformModules
internal import StyledText

/// An issue that a search found, with the matching text.
struct FoundIssue: Sendable {
  let sent: Sent<GitHub.Issue>
  /// As one would type it; empty where the server doesn't say.
  let repository: String
  let showsRepository: Bool
  let title: [SnippetPart]
  /// A piece of the text or of a comment.
  let snippet: [SnippetPart]
  /// nil where none of that is shown.
  var pending: PendingChanges?

  static func columns(showsRepository: Bool, showsPending: Bool = false) -> [Column] {
    let repository = Column(title: "REPOSITORY", sizing: .limited(percent: 25), dropOrder: 7)
    return (showsRepository ? [repository] : [])
      + IssueRow.columns(showsKind: true, showsPending: showsPending)
  }
}

extension FoundIssue {
  static func grouping(_ grouping: IssueGrouping?) -> ListGrouping<FoundIssue>? {
    grouping.map { grouping in
      ListGrouping(none: grouping.none) { found in
        grouping.groups(of: found.sent.entity, in: found.repository)
      }
    }
  }
}

extension FoundIssue: ListItem {
  static let fieldNames =
    GitHub.Issue.fieldNames.filter { $0 != "repository" }
    + ["repository", "snippet", PendingLookup.field]

  static var columns: [Column] { columns(showsRepository: true) }

  func tableCells(now: Date) -> [StyledLine] {
    let row = row
    let isRetitled = row.issue.title != sent.entity.title
    let title =
      isRetitled ? StyledLine(row.issue.title) : Self.line(title, style: .plain)
    let cells = row.tableCells(title: title, now: now)
    return showsRepository ? [StyledLine(repository)] + cells : cells
  }

  var note: StyledLine? {
    guard !snippet.isEmpty else { return nil }
    let line = Self.line(snippet, style: .faint)
    return StyledLine(runs: [StyledLine.Run("    ")] + line.runs)
  }

  func plainCells() -> [StyledLine] {
    [StyledLine(repository)] + row.plainCells()
  }

  func object() throws -> JSONObject {
    let encoder = GitHubJSON.encoder()
    return JSONObject(
      sent.json,
      adding: [
        .init(name: "repository", value: try encoder.encode(repository)),
        .init(name: "snippet", value: try encoder.encode(snippet.map(\.text).joined())),
      ] + (try pending.map { [try $0.addition(on: .number(sent.entity.number))] } ?? []))
  }

  private var row: IssueRow {
    let row = IssueRow(sent: sent, showsKind: true)
    return pending.map(row.showing) ?? row
  }

  private static func line(_ parts: [SnippetPart], style: Style) -> StyledLine {
    StyledLine(
      runs: parts.map { StyledLine.Run($0.text, style: $0.isMatch ? .match : style) })
  }
}
