public import IssueTracker
public import PlatformModules

/// An issue or a pull request in the mirror, as the server's JSON.
public struct ExportedIssue: Sendable {
  /// The number of the issue.
  public let number: Int
  /// The JSON object that the server sent.
  public let json: Data
  /// The comments, oldest first; nil if they weren't requested.
  public let comments: [Data]?

  package init(number: Int, json: Data, comments: [Data]?) {
    self.number = number
    self.json = json
    self.comments = comments
  }

  /// Decodes the issue.
  ///
  /// - Throws: ``MirrorFailure`` if it can't be read.
  public func issue() throws -> GitHub.Issue {
    try GitHubJSON.decodeKept(GitHub.Issue.self, json, "issue \(number)")
  }

  /// Returns the issue's cells in an ``IssueTable``, which is much faster than decoding the issue.
  ///
  /// - Throws: ``MirrorFailure`` if it can't be read.
  public func cells() throws -> [String] {
    guard let entry = try? FeedPage.Entry(item: json), let issue = entry.exported else {
      return IssueTable.row(of: try issue())
    }
    return IssueTable.row(of: issue)
  }

  /// Decodes the comments. The result is empty if they weren't requested.
  ///
  /// - Throws: ``MirrorFailure`` if one can't be read.
  public func decodedComments() throws -> [IssueComment] {
    try (comments ?? []).map {
      try GitHubJSON.decodeKept(IssueComment.self, $0, "a comment on issue \(number)")
    }
  }
}

extension FeedPage.Entry {
  /// Nil if a part that an ``IssueTable`` needs is missing.
  fileprivate var exported: GitHub.Issue? {
    guard let item, !isAbridged else { return nil }
    return GitHub.Issue(
      id: id, number: number, title: item.title, body: body,
      state: IssueState(rawValue: item.state),
      stateReason: item.stateReason.map(StateReason.init(rawValue:)),
      user: author.map { GitHub.User(login: $0.login) },
      labels: item.labels.map { GitHub.Label(name: $0.name) },
      assignees: item.assignees.map { GitHub.User(login: $0.login) },
      milestone: item.milestone.map { GitHub.Milestone(title: $0.title) },
      commentsCount: item.commentsCount, createdAt: createdAt.map(Self.date),
      updatedAt: Self.date(updatedAt), closedAt: item.closedAt.map(Self.date),
      htmlURL: item.htmlURL, pullRequest: item.isPullRequest ? PullRequestLink() : nil)
  }

  private static func date(_ seconds: Int) -> Date {
    Date(timeIntervalSince1970: TimeInterval(seconds))
  }
}
