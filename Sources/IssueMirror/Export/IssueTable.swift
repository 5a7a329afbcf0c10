public import IssueTracker

/// Issues and their comments as rows of one table, for ``CSV`` and the like.
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
  /// | `comments` | how many there are |
  /// | `created_at`, `updated_at`, `closed_at` | `2026-01-31T12:00:00Z` |
  /// | `url` | of its page |
  /// | `body` | Markdown |
  ///
  /// What a comment doesn't have is empty.
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

  /// The row of a comment.
  ///
  /// - Parameters:
  ///   - comment: The comment.
  ///   - number: The number of the issue that it is on.
  /// - Returns: The cells.
  public static func row(of comment: IssueComment, on number: Int) -> [String] {
    [
      "comment", "\(number)", "", "", "", comment.user?.login ?? "", "", "", "", "",
      comment.createdAt.map(Timestamp.string(from:)) ?? "",
      comment.updatedAt.map(Timestamp.string(from:)) ?? "", "", comment.htmlURL ?? "",
      comment.body ?? "",
    ]
  }
}
