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

/// The issues that an engine found for a ``SimilarIssuesQuery``, to be ranked.
package struct SimilarityCandidates {
  /// The numbers of the issues.
  package var numbers: [Int]
  var ranking: SimilarityRanking
  /// The terms to show as matches.
  var phrases: SearchPhrases

  package init(numbers: [Int], ranking: SimilarityRanking, phrases: SearchPhrases) {
    self.numbers = numbers
    self.ranking = ranking
    self.phrases = phrases
  }

  /// The most similar issues first. Unrelated ones are omitted.
  package func results(
    in repository: MirroredRepository, limit: Int, _ json: (Int) throws -> Data?
  ) throws -> [SearchResult] {
    var found: [(issue: GitHub.Issue, json: Data, score: Double)] = []
    for number in numbers {
      guard let json = try json(number) else { continue }
      let issue = try GitHubJSON.decodeKept(GitHub.Issue.self, json, "issue \(number)")
      if let score = ranking.score(title: issue.title, body: issue.body ?? "") {
        found.append((issue, json, score))
      }
    }
    found.sort { ($0.score, $0.issue.number) > ($1.score, $1.issue.number) }
    let snippet = Snippet(matcher: TextMatcher(phrases))
    return found.prefix(max(limit, 0)).map { issue, json, score in
      SearchResult(
        repository: repository, issue: issue, json: json, title: snippet.whole(issue.title),
        snippet: snippet.best(of: issue.body ?? ""), isComment: false, score: score)
    }
  }
}
