internal import IssueBrowser
internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// An issue in a list. To add a column, add an ``IssueColumn``.
struct IssueRow: ListItem {
  /// The similarity of an issue, in hundredths, because more digits would suggest more precision.
  struct Likeness: Sendable {
    let hundredths: Int

    init(_ score: Double) { hundredths = Int((score * 100).rounded()) }

    var decimal: String {
      hundredths >= 100 ? "1.00" : "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
  }

  private(set) var issue: GitHub.Issue
  /// The JSON of the issue; empty in rows from the mirror for a table.
  let json: Data
  let columns: IssueColumns
  /// The repository in the form that a user would type; empty if it isn't known.
  var repository = ""
  /// The search result from the mirror, with the matching text.
  var match: SearchResult?
  var likeness: Likeness?
  /// The search that found the issue; nil if it isn't known.
  var searchKind: IssueSearchKind?
  /// The change; nil if there is no such column.
  var change: ListChange?
  /// The pending changes; nil if there are none or if they aren't shown.
  private(set) var pending: PendingChanges?

  init(
    _ issue: GitHub.Issue, json: Data = Data(), columns: IssueColumns = IssueColumns(),
    repository: String = "", pending: PendingChanges? = nil
  ) {
    self.issue = pending?.applied(to: issue) ?? issue
    self.json = json
    self.columns = columns
    self.repository = repository
    self.pending = pending
  }

  var stage: PullRequestStage? { PullRequestStage(of: issue) }

  var target: IssueTarget { IssueTarget(shownAs: issue.number) }

  var style: Style { stage?.style ?? .state(issue.state, issue.stateReason) }

  /// The title with its matches highlighted, unless a pending change replaces it.
  var title: StyledLine {
    guard let match, issue.title == match.issue.title else { return StyledLine(issue.title) }
    return Self.line(match.title, style: .plain)
  }

  /// The JSON fields that a search adds.
  static let fieldNames =
    GitHub.Issue.fieldNames.filter { $0 != "repository" } + ["repository", "snippet"]

  static var columns: [IssueColumn] { IssueColumns().table }

  func tableCells(now: Date) -> [StyledLine] { columns.table.map { $0.cell(self, now) } }

  func plainCells() -> [StyledLine] { columns.plain.map { $0.cell(self, nil) } }

  var note: StyledLine? {
    guard let snippet = match?.snippet, !snippet.isEmpty else { return nil }
    let line = Self.line(snippet, style: .faint)
    return StyledLine(runs: [StyledLine.Run("    ")] + line.runs)
  }

  func object() throws -> JSONObject {
    let encoder = GitHubJSON.encoder()
    var object = JSONObject(json)
    func add(_ name: String, _ value: some Encodable) throws {
      object.additions.append(.init(name: name, value: try encoder.encode(value)))
    }
    if columns.naming != .never { try add("repository", repository) }
    if columns.hasSnippets { try add("snippet", match?.snippet.map(\.text).joined() ?? "") }
    if let pending { object.additions.append(try pending.addition(on: target)) }
    if let change { object.additions.append(try change.addition()) }
    if let likeness {
      object.additions.append(.init(name: "score", value: Data(likeness.decimal.utf8)))
    }
    if let searchKind { try add(IssuesByMeaning.field, searchKind) }
    return object
  }

  private static func line(_ parts: [SnippetPart], style: Style) -> StyledLine {
    StyledLine(
      runs: parts.map { StyledLine.Run($0.text, style: $0.isMatch ? .match : style) })
  }
}

/// The presentation of a list of issues.
struct IssueListForm: Sendable {
  var limit: Int?
  var includesPullRequests: Bool { didSet { layOut() } }
  /// The columns after the number and the title.
  let columns: [ListColumn]
  /// The fields of JSON; nil for rows on a terminal or in a pipe.
  let fields: JSONFields?
  /// The grouping; nil if the list isn't grouped.
  let grouping: IssueGrouping?
  /// The way to follow the list; nil for a list that ends.
  let follow: ListFollow?
  /// The pending changes in the only repository; nil if they aren't shown.
  var pending: PendingChanges? { didSet { layOut() } }
  /// Whether rows of several repositories have a column for pending changes.
  var showsPending = false { didSet { layOut() } }
  var naming = IssueColumns.Naming.never { didSet { layOut() } }
  var showsLikeness = false { didSet { layOut() } }
  /// Whether JSON includes the matching text of a search.
  var hasSnippets = false { didSet { layOut() } }
  private var layout: IssueColumns

  init(
    limit: Int?, includesPullRequests: Bool, columns: [ListColumn] = ListColumn.usual,
    fields: JSONFields?, grouping: IssueGrouping? = nil, follow: ListFollow? = nil
  ) {
    self.limit = limit
    self.includesPullRequests = includesPullRequests
    self.columns = columns
    self.fields = fields
    self.grouping = grouping
    self.follow = follow
    layout = IssueColumns()
    layOut()
  }

  private mutating func layOut() {
    layout = IssueColumns(
      columns, naming: naming, showsKind: includesPullRequests,
      showsPending: pending != nil || showsPending, showsChange: follow != nil,
      showsLikeness: showsLikeness, hasSnippets: hasSnippets)
  }

  /// The number of issues to read: one more than is shown, to find out whether there are more.
  var readCount: Int? { limit.map { min($0, .max - 1) + 1 } }

  func writer(_ session: CommandSession) throws(CommandFailure) -> ListWriter<IssueRow> {
    var writer = try ListWriter<IssueRow>(
      session, fields: fields, columns: layout.table.map(\.column))
    writer.grouping = grouping.map { grouping in
      ListGrouping(none: grouping.none) { grouping.groups(of: $0.issue, in: $0.repository) }
    }
    return writer
  }

  func row(
    _ issue: GitHub.Issue, json: Data = Data(), in repository: String,
    _ change: ListChange = .listed
  ) -> IssueRow {
    var row = IssueRow(
      issue, json: json, columns: layout, repository: repository, pending: pending)
    if let follow {
      if change == .listed { follow.note(issue) }
      row.change = change
    }
    return row
  }

  func row(_ sent: Sent<GitHub.Issue>, in repository: String) -> IssueRow {
    row(sent.entity, json: sent.json, in: repository)
  }

  /// The row of an issue in a list or a search that includes the repositories.
  func row(
    located: Sent<GitHub.LocatedIssue>, on server: GitHubServer, _ change: ListChange = .listed
  ) -> IssueRow {
    let issue = located.entity.issue
    let repository = located.entity.repository ?? issue.repositoryOfPage
    return row(issue, json: located.json, in: server.typedName(of: repository), change)
  }

  /// A result of a search in the mirror, with the matching text.
  func row(found: SearchResult, pending: PendingChanges? = nil) -> IssueRow {
    var row = IssueRow(
      found.issue, json: found.json, columns: layout, repository: found.repository.typedName,
      pending: pending)
    row.match = found
    if showsLikeness { row.likeness = IssueRow.Likeness(found.score) }
    return row
  }

  /// A row of JSON that is written from its bytes. The issue is decoded only if it is needed.
  func row(document json: Data, in repository: String) throws -> IssueRow {
    if pending == nil, grouping == nil {
      return IssueRow(GitHub.Issue(id: 0, number: 0, title: ""), json: json, columns: layout)
    }
    return row(try GitHubJSON.decode(GitHub.Issue.self, from: json), json: json, in: repository)
  }

  /// The rows of issues that aren't created yet, if they match the filter. JSON has none, because it contains only the
  /// server's data.
  func newRows(_ filter: IssueFilter, in repository: String) -> [IssueRow] {
    guard fields == nil, let pending else { return [] }
    return pending.newIssues().filter(filter.matches).map { row($0, in: repository) }
  }
}

extension GitHub.Issue {
  /// The state for programs: the server's state, or `MERGED` or `DRAFT`.
  var stateName: String {
    (PullRequestStage(of: self)?.rawValue ?? state.rawValue).uppercased()
  }

  var kindName: String { isPullRequest ? "pull_request" : "issue" }

  /// The repository in the URL of the issue's page.
  var repositoryOfPage: RepositoryName? {
    htmlURL.flatMap { try? IssueReference(parsing: $0) }?.repository?.name
  }
}

extension GitHubServer {
  /// The repository in the form that a user would type, with the host unless that is github.com.
  func typedName(of repository: RepositoryName?) -> String {
    repository.map { self == .github ? "\($0)" : "\(host)/\($0)" } ?? ""
  }
}
