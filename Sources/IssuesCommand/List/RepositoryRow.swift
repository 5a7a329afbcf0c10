internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// An issue in a list of several repositories.
struct RepositoryRow: Sendable {
  /// As one would type it; empty where the server doesn't say.
  let repository: String
  let row: IssueRow

  var issue: GitHub.Issue { row.issue }

  static func columns(of form: IssueListForm) -> [Column] {
    [Column(title: "REPOSITORY", sizing: .limited(percent: 25), dropOrder: 7)]
      + IssueRow.columns(
        showsKind: form.includesPullRequests, form.columns, showsChange: form.follow != nil)
  }
}

extension RepositoryRow: ListItem {
  static var columns: [Column] { [Column(title: "REPOSITORY")] + IssueRow.columns }

  func tableCells(now: Date) -> [StyledLine] {
    [StyledLine(repository)] + row.tableCells(now: now)
  }

  func plainCells() -> [StyledLine] {
    [StyledLine(repository)] + row.plainCells()
  }

  func object() throws -> JSONObject {
    var object = try row.object()
    object.additions.append(
      .init(name: "repository", value: try GitHubJSON.encoder().encode(repository)))
    return object
  }
}

extension GitHubServer {
  /// A repository as one would type it: with the host where that isn't github.com.
  func typedName(of repository: RepositoryName?) -> String {
    repository.map { self == .github ? "\($0)" : "\(host)/\($0)" } ?? ""
  }
}

extension GitHub.Issue {
  /// The repository in the address of its page.
  var repositoryOfPage: RepositoryName? {
    htmlURL.flatMap { try? IssueReference(parsing: $0) }?.repository?.name
  }
}

extension IssueListForm {
  /// For rows that name their repositories.
  func repositoryWriter(
    _ session: CommandSession
  ) throws(CommandFailure) -> ListWriter<RepositoryRow> {
    var writer = try ListWriter<RepositoryRow>(
      session, fields: fields, columns: RepositoryRow.columns(of: self))
    writer.grouping = grouping.map { grouping in
      ListGrouping(none: grouping.none) { grouping.groups(of: $0.issue, in: $0.repository) }
    }
    return writer
  }

  func row(
    _ sent: Sent<GitHub.Issue>, in repository: String, _ change: ListChange = .listed
  ) -> RepositoryRow {
    RepositoryRow(repository: repository, row: row(sent, change))
  }
}
