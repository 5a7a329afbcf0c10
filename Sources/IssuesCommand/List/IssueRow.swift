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
  /// The most issues to show; nil for all.
  let limit: Int?
  /// Whether pull requests are among the issues; then a column tells which is which.
  let includesPullRequests: Bool
  /// Whether a column shows who is assigned.
  let showsAssignees: Bool
  /// The fields to write as JSON; nil for rows.
  let fields: JSONFields?
  /// The changes that the server doesn't have yet; nil where none are shown.
  var pending: PendingChanges?

  /// Makes the writer of the list.
  ///
  /// - Throws: ``CommandFailure`` where the jq expression can't be compiled.
  func writer(_ session: CommandSession) throws(CommandFailure) -> ListWriter<IssueRow> {
    try ListWriter(
      session, fields: fields,
      columns: IssueRow.columns(
        showsKind: includesPullRequests, showsAssignees: showsAssignees,
        showsPending: pending != nil))
  }

  /// Makes the row of an issue that a server sent.
  func row(_ sent: Sent<Issue>) -> IssueRow {
    let row = IssueRow(sent: sent, showsKind: includesPullRequests, showsAssignees: showsAssignees)
    return pending.map(row.showing) ?? row
  }

  /// Makes the row of an issue from the columns of the mirror.
  func row(_ issue: Issue) -> IssueRow {
    let row = IssueRow(issue, showsKind: includesPullRequests, showsAssignees: showsAssignees)
    return pending.map(row.showing) ?? row
  }

  /// Makes the object of an issue of the mirror.
  func object(_ json: Data) throws -> JSONObject {
    guard let pending else { return JSONObject(json) }
    let issue = try GitHubJSON.decode(Issue.self, from: json)
    return JSONObject(json, adding: [try pending.addition(on: .number(issue.number))])
  }

  /// Makes the rows of issues that aren't created yet, if a filter lists them; none in JSON, which is the server's.
  func newRows(_ filter: IssueFilter) -> [IssueRow] {
    guard fields == nil, let pending else { return [] }
    return pending.newIssues().filter(filter.matches).map(row)
  }
}

/// An issue in a list.
///
/// To add a column, add its title to ``columns(showsKind:showsAssignees:showsPending:)``, its cell to ``tableCells(title:now:)``, and
/// for pipes a cell at the end of ``plainCells()``. `issues search` shows it too. Rows of the mirror have only what
/// `ListedIssueReader` reads.
struct IssueRow: Sendable {
  private(set) var issue: Issue
  /// The JSON that the server sent; empty in rows of the mirror.
  let json: Data
  let showsKind: Bool
  let showsAssignees: Bool
  /// What isn't sent yet, for the column that says so; nil for no column.
  private var pending: PendingChanges?

  /// A row of the mirror's columns.
  init(_ issue: Issue, showsKind: Bool, showsAssignees: Bool) {
    self.issue = issue
    json = Data()
    self.showsKind = showsKind
    self.showsAssignees = showsAssignees
  }

  /// A row of the JSON that a server sent.
  init(sent: Sent<Issue>, showsKind: Bool, showsAssignees: Bool = false) {
    issue = sent.entity
    json = sent.json
    self.showsKind = showsKind
    self.showsAssignees = showsAssignees
  }

  /// The row as it will be, with a column that says what is pending.
  func showing(_ pending: PendingChanges) -> IssueRow {
    var row = self
    row.pending = pending
    row.issue = pending.applied(to: issue)
    return row
  }

  private var stage: PullRequestStage? { PullRequestStage(of: issue) }

  private var target: IssueTarget { IssueTarget(shownAs: issue.number) }

  /// The style of its number and its state.
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

  /// The cells of its row in a table.
  ///
  /// - Parameters:
  ///   - title: The title, with any matches highlighted.
  ///   - now: The time from which ages are counted.
  /// - Returns: The cells.
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
  /// The state as programs read it: the server's, and `MERGED` or `DRAFT` for pull requests.
  var stateName: String {
    (PullRequestStage(of: self)?.rawValue ?? state.rawValue).uppercased()
  }

  /// The kind as programs read it.
  var kindName: String { isPullRequest ? "pull_request" : "issue" }
}
