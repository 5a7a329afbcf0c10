internal import IssueBrowser
internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// An issue in a list. A new column is an ``IssueColumn``.
struct IssueRow: ListItem {
  /// How alike an issue is, in hundredths: more digits would claim to be exact.
  struct Likeness: Sendable {
    let hundredths: Int

    init(_ score: Double) { hundredths = Int((score * 100).rounded()) }

    var decimal: String {
      hundredths >= 100 ? "1.00" : "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
  }

  private(set) var issue: GitHub.Issue
  /// Empty in rows of the mirror for a table.
  let json: Data
  let columns: IssueColumns
  /// As one would type it; empty where the server doesn't say.
  var repository = ""
  /// What a search found in the mirror, with the matching text.
  var match: SearchResult?
  var likeness: Likeness?
  /// nil for no column.
  var change: ListChange?
  /// nil where nothing is to be sent, or none of that is shown.
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

  /// With its matches, unless it is to be changed.
  var title: StyledLine {
    guard let match, issue.title == match.issue.title else { return StyledLine(issue.title) }
    return Self.line(match.title, style: .plain)
  }

  /// The fields of JSON that a search adds.
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
    return object
  }

  private static func line(_ parts: [SnippetPart], style: Style) -> StyledLine {
    StyledLine(
      runs: parts.map { StyledLine.Run($0.text, style: $0.isMatch ? .match : style) })
  }
}

/// How a list of issues is shown.
struct IssueListForm: Sendable {
  var limit: Int?
  var includesPullRequests: Bool { didSet { layOut() } }
  /// Behind the number and the title.
  let columns: [ListColumn]
  /// nil for rows.
  let fields: JSONFields?
  /// nil for none.
  let grouping: IssueGrouping?
  /// nil for a list that ends.
  let follow: ListFollow?
  /// What isn't sent yet to the only repository; nil where that isn't shown.
  var pending: PendingChanges? { didSet { layOut() } }
  /// Whether rows of several repositories have a column for what isn't sent yet.
  var showsPending = false { didSet { layOut() } }
  var naming = IssueColumns.Naming.never { didSet { layOut() } }
  var showsLikeness = false { didSet { layOut() } }
  /// Whether JSON has the matching text of a search.
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

  /// One more than is shown tells whether there are more.
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

  /// An issue of a list or a search that names the repositories.
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

  /// A row of JSON, which is written from its bytes: the issue is only read if it is needed.
  func row(document json: Data, in repository: String) throws -> IssueRow {
    if pending == nil, grouping == nil {
      return IssueRow(GitHub.Issue(id: 0, number: 0, title: ""), json: json, columns: layout)
    }
    return row(try GitHubJSON.decode(GitHub.Issue.self, from: json), json: json, in: repository)
  }

  /// Issues that aren't created yet, if a filter lists them; none in JSON, which is the server's.
  func newRows(_ filter: IssueFilter, in repository: String) -> [IssueRow] {
    guard fields == nil, let pending else { return [] }
    return pending.newIssues().filter(filter.matches).map { row($0, in: repository) }
  }
}

extension GitHub.Issue {
  /// For programs: the server's state, or `MERGED` or `DRAFT`.
  var stateName: String {
    (PullRequestStage(of: self)?.rawValue ?? state.rawValue).uppercased()
  }

  var kindName: String { isPullRequest ? "pull_request" : "issue" }

  /// The repository in the address of its page.
  var repositoryOfPage: RepositoryName? {
    htmlURL.flatMap { try? IssueReference(parsing: $0) }?.repository?.name
  }
}

extension GitHubServer {
  /// A repository as one would type it: with the host where that isn't github.com.
  func typedName(of repository: RepositoryName?) -> String {
    repository.map { self == .github ? "\($0)" : "\(host)/\($0)" } ?? ""
  }
}
