public import IssueTracker

/// Converts issues and comments to rows of a table, for example for ``CSV``.
public enum IssueTable {
  /// The names of the columns.
  ///
  /// | column | contents |
  /// |---|---|
  /// | `kind` | `issue`, `pull_request` or `comment` |
  /// | `number` | the number of the issue; for a comment, the number of its issue |
  /// | `state`, `state_reason` | such as `closed` and `completed` |
  /// | `title`, `author` | |
  /// | `labels`, `assignees` | names separated by `, ` |
  /// | `milestone` | the title |
  /// | `comments` | the number of comments |
  /// | `created_at`, `updated_at`, `closed_at` | `2026-01-31T12:00:00Z` |
  /// | `url` | the URL of the page |
  /// | `body` | Markdown |
  ///
  /// Cells that don't apply to comments are empty.
  public static let columns = [
    "kind", "number", "state", "state_reason", "title", "author", "labels", "assignees",
    "milestone", "comments", "created_at", "updated_at", "closed_at", "url", "body",
  ]

  /// The row of an issue or a pull request.
  public static func row(of issue: GitHub.Issue) -> [String] {
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

  /// The row of a comment; `number` is the issue's.
  public static func row(of comment: IssueComment, on number: Int) -> [String] {
    [
      "comment", "\(number)", "", "", "", comment.user?.login ?? "", "", "", "", "",
      comment.createdAt.map(Timestamp.string(from:)) ?? "",
      comment.updatedAt.map(Timestamp.string(from:)) ?? "", "", comment.htmlURL ?? "",
      comment.body ?? "",
    ]
  }
}
