public import GitHubAPI
package import PlatformModules

/// The text or issue to compare with, and the issues to return. See ``Mirror/similarIssues(to:in:limit:)``.
public struct SimilarIssuesQuery: Sendable, Hashable {
  /// An issue in the mirror, or the text of a possible new issue.
  public enum Subject: Sendable, Hashable {
    /// The issue or pull request with this number. It isn't among the results.
    case issue(Int)
    /// Text of any length. Words in the title count twice.
    case text(title: String, body: String)
  }

  /// The text or issue to compare with.
  public var subject: Subject
  /// The state of the issues to return.
  public var state: IssueFilter.State
  /// Whether to return pull requests as well.
  public var includesPullRequests: Bool

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - subject: The text or issue to compare with.
  ///   - state: The state of the issues to return.
  ///   - includesPullRequests: Whether to return pull requests as well.
  public init(
    _ subject: Subject, state: IssueFilter.State = .all, includesPullRequests: Bool = false
  ) {
    self.subject = subject
    self.state = state
    self.includesPullRequests = includesPullRequests
  }
}

extension SimilarIssuesQuery.Subject {
  /// Text whose first line is the title, unless that line is too long for a title.
  ///
  /// - Parameter text: The text.
  /// - Returns: The subject.
  public static func text(_ text: String) -> Self {
    let text = text.drop { $0.isWhitespace }
    let line = text.prefix(SimilarityTerms.longestTitle + 1).prefix { !$0.isNewline }
    guard line.count <= SimilarityTerms.longestTitle else {
      return .text(title: "", body: String(text))
    }
    return .text(title: String(line), body: String(text.dropFirst(line.count)))
  }
}

extension SimilarIssuesQuery {
  /// The terms of the subject, which is looked up if it is an issue.
  package func terms(
    in repository: MirroredRepository, _ issue: (Int) throws -> GitHub.Issue?
  ) throws -> SimilarityTerms {
    switch subject {
    case .text(let title, let body): return SimilarityTerms(title: title, body: body)
    case .issue(let number):
      guard let subject = try issue(number) else {
        throw MirrorFailure(
          .notMirrored, "The mirror of \(repository.fullName) has no issue #\(number).")
      }
      return SimilarityTerms(title: subject.title, body: subject.body ?? "")
    }
  }
}

extension SearchResult {
  /// The result for an issue that is similar to another one, with the shared parts.
  package init(
    similar issue: GitHub.Issue, json: Data, in repository: MirroredRepository, score: Double,
    _ snippet: Snippet
  ) {
    self.init(
      repository: repository, issue: issue, json: json, title: snippet.whole(issue.title),
      snippet: snippet.best(of: issue.body ?? ""), isComment: false, score: score)
  }
}
