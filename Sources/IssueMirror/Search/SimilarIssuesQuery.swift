public import GitHubAPI

/// What issues are compared with, and which of them. See ``Mirror/similarIssues(to:in:limit:)``.
public struct SimilarIssuesQuery: Sendable, Hashable {
  /// An issue of the mirror, or a text that may become one.
  public enum Subject: Sendable, Hashable {
    /// The issue or pull request with this number. It isn't among the results.
    case issue(Int)
    /// A text of any length. Words of the title count twice.
    case text(title: String, body: String)
  }

  /// What issues are compared with.
  public var subject: Subject
  /// The state of the issues to return.
  public var state: IssueFilter.State
  /// Whether to return pull requests too.
  public var includesPullRequests: Bool

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - subject: What issues are compared with.
  ///   - state: The state of the issues to return.
  ///   - includesPullRequests: Whether to return pull requests too.
  public init(
    _ subject: Subject, state: IssueFilter.State = .all, includesPullRequests: Bool = false
  ) {
    self.subject = subject
    self.state = state
    self.includesPullRequests = includesPullRequests
  }
}

extension SimilarIssuesQuery.Subject {
  /// A text whose first line is the title, unless that is longer than titles are.
  ///
  /// - Parameter text: The text.
  /// - Returns: What issues are compared with.
  public static func text(_ text: String) -> Self {
    let text = text.drop { $0.isWhitespace }
    let line = text.prefix(SimilarityTerms.longestTitle + 1).prefix { !$0.isNewline }
    guard line.count <= SimilarityTerms.longestTitle else {
      return .text(title: "", body: String(text))
    }
    return .text(title: String(line), body: String(text.dropFirst(line.count)))
  }
}
