internal import IssueBrowser
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// How a list of issues is shown.
struct IssueListForm: Sendable {
  var limit: Int?
  let includesPullRequests: Bool
  /// Behind the number and the title.
  var columns: [ListColumn]
  /// nil for rows.
  let fields: JSONFields?
  /// nil for none.
  var grouping: IssueGrouping?
  /// nil where none are shown.
  var pending: PendingChanges?
  /// nil for a list that ends.
  var follow: ListFollow?

  func writer(_ session: CommandSession) throws(CommandFailure) -> ListWriter<IssueRow> {
    var writer = try ListWriter<IssueRow>(
      session, fields: fields,
      columns: IssueRow.columns(
        showsKind: includesPullRequests, columns, showsPending: pending != nil,
        showsChange: follow != nil))
    writer.grouping = grouping.map { grouping in
      ListGrouping(none: grouping.none) { row in
        grouping.groups(
          of: row.issue, in: row.issue.repositoryOfPage.map { "\($0)" } ?? "")
      }
    }
    return writer
  }

  func row(_ sent: Sent<GitHub.Issue>) -> IssueRow { row(sent, .listed) }

  /// `change` is for a list that goes on.
  func row(_ sent: Sent<GitHub.Issue>, _ change: ListChange) -> IssueRow {
    var row = IssueRow(sent: sent, showsKind: includesPullRequests, columns: columns)
    if let follow {
      if change == .listed { follow.note(sent.entity) }
      row.change = change
    }
    return pending.map(row.showing) ?? row
  }

  func row(_ issue: GitHub.Issue) -> IssueRow {
    let row = IssueRow(issue, showsKind: includesPullRequests, columns: columns)
    return pending.map(row.showing) ?? row
  }

  func object(_ json: Data) throws -> JSONObject {
    guard let pending else { return JSONObject(json) }
    let issue = try GitHubJSON.decode(GitHub.Issue.self, from: json)
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
/// A new column is a case of ``ListColumn``. Rows of the mirror have only what `ListedIssueReader` reads, and all of it
/// where ``ListColumn/isListed`` isn't true of a column.
struct IssueRow: Sendable {
  private(set) var issue: GitHub.Issue
  /// Empty in rows of the mirror.
  let json: Data
  let showsKind: Bool
  let columns: [ListColumn]
  /// nil for no column.
  var change: ListChange?
  /// nil for no column.
  private var pending: PendingChanges?

  init(_ issue: GitHub.Issue, showsKind: Bool, columns: [ListColumn] = ListColumn.usual) {
    self.issue = issue
    json = Data()
    self.showsKind = showsKind
    self.columns = columns
  }

  init(sent: Sent<GitHub.Issue>, showsKind: Bool, columns: [ListColumn] = ListColumn.usual) {
    issue = sent.entity
    json = sent.json
    self.showsKind = showsKind
    self.columns = columns
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
    showsKind: Bool, _ columns: [ListColumn] = ListColumn.usual, showsPending: Bool = false,
    showsChange: Bool = false
  ) -> [Column] {
    var shown = columns.map(\.column)
    if showsPending {
      let index = pendingIndex(among: columns)
      shown.insert(Column(title: "PENDING", sizing: .limited(percent: 25)), at: index)
    }
    return [
      showsChange ? Column(title: "CHANGE", sizing: .whole) : nil,
      Column(title: "ID", alignment: .leading, sizing: .whole),
      showsKind ? Column(title: "KIND", sizing: .whole) : nil,
      Column(title: "TITLE", sizing: .flexible(minimum: 24)),
    ].compactMap(\.self) + shown
  }

  /// Before a time in the last column.
  private static func pendingIndex(among columns: [ListColumn]) -> Int {
    columns.last.map { [.created, .updated].contains($0) } == true
      ? columns.count - 1 : columns.count
  }

  /// The title may have its matches highlighted.
  func tableCells(title: StyledLine, now: Date) -> [StyledLine] {
    let kind = StyledLine(
      stage.map { $0 == .open ? "PR" : "PR \($0.rawValue)" } ?? "issue",
      style: stage?.style ?? .faint)
    var cells = columns.map { cell(of: $0, now: now) }
    if let pending {
      cells.insert(
        StyledLine(note: pending.note(on: target)), at: Self.pendingIndex(among: columns))
    }
    return [
      change.map { $0.cell(at: now) },
      StyledLine(runs: [
        StyledLine.Run(
          target.name, style: style, link: issue.htmlURL.flatMap { WebLink($0) })
      ]),
      showsKind ? kind : nil,
      title,
    ].compactMap(\.self) + cells
  }

  private func cell(of column: ListColumn, now: Date) -> StyledLine {
    switch column {
    case .labels: labels
    case .assignees: assignees
    case .author: StyledLine(issue.user?.login ?? "")
    case .milestone: StyledLine(issue.milestone?.title ?? "")
    case .type: StyledLine(issue.type?.name ?? "")
    case .subIssues: StyledLine(issue.subIssues?.progress ?? "")
    case .fields: StyledLine(issue.fieldsText)
    case .comments: StyledLine(issue.commentsCount > 0 ? "\(issue.commentsCount)" : "")
    case .created: Self.age(issue.createdAt, now)
    case .updated: Self.age(issue.updatedAt, now)
    }
  }

  private static func age(_ date: Date?, _ now: Date) -> StyledLine {
    StyledLine(date.map { RelativeTime.describe($0, relativeTo: now) } ?? "", style: .faint)
  }
}

extension ListColumn {
  /// Where neither the configuration nor an option says more.
  static let usual = [ListColumn.labels, .updated]

  /// Whether the rows of a mirror have it.
  var isListed: Bool { [.labels, .assignees, .updated].contains(self) }

  /// Low numbers are left out of a narrow table first.
  fileprivate var column: Column {
    switch self {
    case .labels: Column(title: "LABELS", sizing: .limited(percent: 25), dropOrder: 5)
    case .assignees: Column(title: "ASSIGNEES", sizing: .limited(percent: 20), dropOrder: 6)
    case .author: Column(title: "AUTHOR", sizing: .limited(percent: 20), dropOrder: 4)
    case .milestone: Column(title: "MILESTONE", sizing: .limited(percent: 20), dropOrder: 3)
    case .type: Column(title: "TYPE", sizing: .limited(percent: 15), dropOrder: 3)
    case .subIssues:
      Column(title: "SUB-ISSUES", alignment: .trailing, sizing: .whole, dropOrder: 2)
    case .fields: Column(title: "FIELDS", sizing: .limited(percent: 25), dropOrder: 3)
    case .comments: Column(title: "COMMENTS", alignment: .trailing, sizing: .whole, dropOrder: 2)
    case .created: Column(title: "CREATED", sizing: .whole, dropOrder: 1)
    case .updated: Column(title: "UPDATED", sizing: .whole, dropOrder: 0)
    }
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
    ] + (showsKind ? [StyledLine(issue.kindName)] : [])
      + (columns.contains(.assignees) ? [assignees] : [])
      + (change.map { [StyledLine($0.rawValue, style: $0.style)] } ?? [])
  }

  func object() throws -> JSONObject {
    var object = JSONObject(json)
    if let pending { object.additions.append(try pending.addition(on: target)) }
    if let change { object.additions.append(try change.addition()) }
    return object
  }
}

extension GitHub.Issue {
  /// For programs: the server's state, or `MERGED` or `DRAFT`.
  var stateName: String {
    (PullRequestStage(of: self)?.rawValue ?? state.rawValue).uppercased()
  }

  var kindName: String { isPullRequest ? "pull_request" : "issue" }
}
