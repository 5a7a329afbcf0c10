internal import GRDB
internal import GitHubAPI

/// Whether a text mentions somebody, as an SQL function: `issue_mentions(text, login)`.
enum MentionFunction {
  static let name = "issue_mentions"

  static let function = DatabaseFunction(name, argumentCount: 2, pure: true) { values in
    guard
      let text = String.fromDatabaseValue(values[0]),
      let login = String.fromDatabaseValue(values[1]).flatMap(Username.init)
    else { return false }
    return IssueFilter.text(text, mentions: login)
  }
}
