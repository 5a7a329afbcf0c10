public import IssueTracker

/// Issues and comments as rows of one table, for example for ``CSV``.
public enum IssueTable {
  /// The names of the columns.
  ///
  /// | column | what it holds |
  /// |---|---|
  /// | `kind` | `issue`, `pull_request` or `comment` |
  /// | `number` | the number of the issue; of a comment, that of its issue |
  /// | `state`, `state_reason` | such as `closed` and `completed` |
  /// | `title`, `author` | |
  /// | `labels`, `assignees` | names between `, ` |
  /// | `milestone` | its title |
  /// | `comments` | the number of comments |
  /// | `created_at`, `updated_at`, `closed_at` | `2026-01-31T12:00:00Z` |
  /// | `url` | of its page |
  /// | `body` | Markdown |
  ///
  /// Cells that a comment doesn't have are empty.
  public static let columns = [
    "kind", "number", "state", "state_reason", "title", "author", "labels", "assignees",
    "milestone", "comments", "created_at", "updated_at", "closed_at", "url", "body",
  ]

  /// The row of an issue or a pull request.
  public static func row(of issue: Issue) -> [String] {
    [
      issue.isPullRequest ? "pull_request" : "issue", "\(issue.number)", issue.state.rawValue,
      issue.stateReason?.rawValue ?? "", issue.title, issue.user?.login ?? "",
      issue.labels.map(\.name).joined(separator: ", "),
      issue.assignees.map(\.login).joined(separator: ", "), issue.milestone?.title ?? "",
      "\(issue.commentsCount)", issue.createdAt.map(Timestamp.string(from:)) ?? "",
      issue.updatedAt.map(Timestamp.string(from:)) ?? "",
      issue.closedAt.map(Timestamp.string(from:)) ?? "", issue.htmlURL ?? "", issue.body ?? "",
    ]
  }

  /// The row of a comment on an issue with a number.
  public static func row(of comment: IssueComment, on number: Int) -> [String] {
    [
      "comment", "\(number)", "", "", "", comment.user?.login ?? "", "", "", "", "",
      comment.createdAt.map(Timestamp.string(from:)) ?? "",
      comment.updatedAt.map(Timestamp.string(from:)) ?? "", "", comment.htmlURL ?? "",
      comment.body ?? "",
    ]
  }
}
