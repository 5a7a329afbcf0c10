internal import IssueBrowser
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How a list of issues is shown.
struct IssueListForm: Sendable {
  let limit: Int?
  let includesPullRequests: Bool
  let showsAssignees: Bool
  /// nil for rows.
  let fields: JSONFields?
  /// nil where none are shown.
  var pending: PendingChanges?

  func writer(_ session: CommandSession) throws(CommandFailure) -> ListWriter<IssueRow> {
    try ListWriter(
      session, fields: fields,
      columns: IssueRow.columns(
        showsKind: includesPullRequests, showsAssignees: showsAssignees,
        showsPending: pending != nil))
  }

  func row(_ sent: Sent<Issue>) -> IssueRow {
    let row = IssueRow(sent: sent, showsKind: includesPullRequests, showsAssignees: showsAssignees)
    return pending.map(row.showing) ?? row
  }

  func row(_ issue: Issue) -> IssueRow {
    let row = IssueRow(issue, showsKind: includesPullRequests, showsAssignees: showsAssignees)
    return pending.map(row.showing) ?? row
  }

  func object(_ json: Data) throws -> JSONObject {
    guard let pending else { return JSONObject(json) }
    let issue = try GitHubJSON.decode(Issue.self, from: json)
    return JSONObject(json, adding: [try pending.addition(on: .number(issue.number))])
  }

  /// Issues that aren't created yet, if a filter lists them; none in JSON, which is the server's.
  func newRows(_ filter: IssueFilter) -> [IssueRow] {
    guard fields == nil, let pending else { return [] }
    return pending.newIssues().filter(filter.matches).map(row)
  }
}

/// An issue in a list.
///
/// To add a column, add its title to ``columns(showsKind:showsAssignees:showsPending:)``, its cell to
/// ``tableCells(title:now:)``, and for pipes a cell at the end of ``plainCells()``. `issues search` shows it too. Rows
/// of the mirror have only what `ListedIssueReader` reads.
struct IssueRow: Sendable {
  private(set) var issue: Issue
  /// Empty in rows of the mirror.
  let json: Data
  let showsKind: Bool
  let showsAssignees: Bool
  /// nil for no column.
  private var pending: PendingChanges?

  init(_ issue: Issue, showsKind: Bool, showsAssignees: Bool) {
    self.issue = issue
    json = Data()
    self.showsKind = showsKind
    self.showsAssignees = showsAssignees
  }

  init(sent: Sent<Issue>, showsKind: Bool, showsAssignees: Bool = false) {
    issue = sent.entity
    json = sent.json
    self.showsKind = showsKind
    self.showsAssignees = showsAssignees
  }

  /// The row as it will be once everything is sent.
  func showing(_ pending: PendingChanges) -> IssueRow {
    var row = self
    row.pending = pending
    row.issue = pending.applied(to: issue)
    return row
  }

  private var stage: PullRequestStage? { PullRequestStage(of: issue) }

  private var target: IssueTarget { IssueTarget(shownAs: issue.number) }

  private var style: Style { stage?.style ?? .state(issue.state, issue.stateReason) }

  private var labels: StyledLine {
    StyledLine(list: issue.labels.map { StyledLine.Run($0.name, style: .label($0.color)) })
  }

  private var assignees: StyledLine {
    StyledLine(list: issue.assignees.map { StyledLine.Run($0.login) })
  }

  static func columns(
    showsKind: Bool, showsAssignees: Bool = false, showsPending: Bool = false
  ) -> [Column] {
    [
      Column(title: "ID", alignment: .leading, sizing: .whole),
      showsKind ? Column(title: "KIND", sizing: .whole) : nil,
      Column(title: "TITLE", sizing: .flexible(minimum: 24)),
      Column(title: "LABELS", sizing: .limited(percent: 25), dropOrder: 1),
      showsAssignees
        ? Column(title: "ASSIGNEES", sizing: .limited(percent: 20), dropOrder: 2) : nil,
      showsPending ? Column(title: "PENDING", sizing: .limited(percent: 25)) : nil,
      Column(title: "UPDATED", sizing: .whole, dropOrder: 0),
    ].compactMap(\.self)
  }

  /// The title may have its matches highlighted.
  func tableCells(title: StyledLine, now: Date) -> [StyledLine] {
    let kind = StyledLine(
      stage.map { $0 == .open ? "PR" : "PR \($0.rawValue)" } ?? "issue",
      style: stage?.style ?? .faint)
    return [
      StyledLine(runs: [
        StyledLine.Run(
          target.name, style: style, link: issue.htmlURL.flatMap { WebLink($0) })
      ]),
      showsKind ? kind : nil,
      title,
      labels,
      showsAssignees ? assignees : nil,
      pending.map { StyledLine(note: $0.note(on: target)) },
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

  func object() throws -> JSONObject {
    guard let pending else { return JSONObject(json) }
    return JSONObject(json, adding: [try pending.addition(on: target)])
  }
}

extension Issue {
  /// For programs: the server's state, or `MERGED` or `DRAFT`.
  var stateName: String {
    (PullRequestStage(of: self)?.rawValue ?? state.rawValue).uppercased()
  }

  var kindName: String { isPullRequest ? "pull_request" : "issue" }
}
