internal import IssueBrowser
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An issue in a list, which tells what it is where pull requests can be among them.
struct IssueRow: Sendable {
  let issue: Issue
  /// What the server sent; empty in a list that isn't JSON.
  let json: Data
  /// Whether its row tells a pull request from an issue.
  let showsKind: Bool
  /// Whether its row tells who is assigned.
  let showsAssignees: Bool

  /// A row of what a list shows of an issue.
  init(_ issue: Issue, showsKind: Bool, showsAssignees: Bool) {
    self.issue = issue
    json = Data()
    self.showsKind = showsKind
    self.showsAssignees = showsAssignees
  }

  /// A row of what the server sent.
  init(sent: Sent<Issue>, showsKind: Bool, showsAssignees: Bool = false) {
    issue = sent.entity
    json = sent.json
    self.showsKind = showsKind
    self.showsAssignees = showsAssignees
  }

  private var stage: PullRequestStage? { PullRequestStage(of: issue) }

  /// How its number and its state look.
  private var style: Style { stage?.style ?? .state(issue.state, issue.stateReason) }

  private var labels: StyledLine {
    StyledLine(list: issue.labels.map { StyledLine.Run($0.name, style: .label($0.color)) })
  }

  private var assignees: StyledLine {
    StyledLine(list: issue.assignees.map { StyledLine.Run($0.login) })
  }

  /// The columns of its table.
  static func columns(showsKind: Bool, showsAssignees: Bool = false) -> [Column] {
    [
      Column(title: "ID", alignment: .leading, sizing: .whole),
      showsKind ? Column(title: "KIND", sizing: .whole) : nil,
      Column(title: "TITLE", sizing: .flexible(minimum: 24)),
      Column(title: "LABELS", sizing: .limited(percent: 25), dropOrder: 1),
      showsAssignees
        ? Column(title: "ASSIGNEES", sizing: .limited(percent: 20), dropOrder: 2) : nil,
      Column(title: "UPDATED", sizing: .whole, dropOrder: 0),
    ].compactMap(\.self)
  }

  /// The cells of its row in a table.
  ///
  /// - Parameters:
  ///   - title: The title, as it is to be shown.
  ///   - now: The time that ages are told against.
  /// - Returns: The cells.
  func tableCells(title: StyledLine, now: Date) -> [StyledLine] {
    let kind = StyledLine(
      stage.map { $0 == .open ? "PR" : "PR \($0.rawValue)" } ?? "issue",
      style: stage?.style ?? .faint)
    return [
      StyledLine(runs: [
        StyledLine.Run(
          "#\(issue.number)", style: style, link: issue.htmlURL.flatMap { WebLink($0) })
      ]),
      showsKind ? kind : nil,
      title,
      labels,
      showsAssignees ? assignees : nil,
      StyledLine(
        issue.updatedAt.map { RelativeTime.describe($0, relativeTo: now) } ?? "", style: .faint),
    ].compactMap(\.self)
  }
}

extension IssueRow: ListItem {
  static var columns: [Column] { columns(showsKind: false) }

  func tableCells(now: Date) -> [StyledLine] {
    tableCells(title: StyledLine(issue.title), now: now)
  }

  func plainCells() -> [StyledLine] {
    [
      StyledLine("\(issue.number)", style: style),
      StyledLine(issue.stateName, style: style),
      StyledLine(issue.title),
      labels,
      StyledLine(issue.updatedAt.map(Timestamp.string(from:)) ?? "", style: .faint),
    ] + (showsKind ? [StyledLine(issue.kindName)] : []) + (showsAssignees ? [assignees] : [])
  }

  func object() -> JSONObject { JSONObject(json) }
}

extension Issue {
  /// The state for the next program: that of the server, and `MERGED` or `DRAFT` for pull requests.
  var stateName: String {
    (PullRequestStage(of: self)?.rawValue ?? state.rawValue).uppercased()
  }

  /// What it is, for the next program.
  var kindName: String { isPullRequest ? "pull_request" : "issue" }
}
