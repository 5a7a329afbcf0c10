internal import SampleData

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The sample issues, answered as a server would: filtered, ordered and cut into pages.
public enum SampleIssues {
  /// Every sample issue and pull request, of `swiftlang/swift`, with the newest first.
  ///
  /// - Returns: The issues.
  /// - Throws: `DecodingError` if the sample were broken.
  public static func all() throws -> [Issue] {
    try GitHubJSON.decode([Issue].self, from: Data(SampleData.issues))
  }

  /// Answers `GET /repos/{owner}/{repo}/issues` with all that a filter leaves of the sample: it fits on
  /// one page of any size that is asked for.
  ///
  /// - Returns: A JSON array.
  /// - Throws: `DecodingError` if the sample were broken.
  static func answer(filter: IssueFilter) throws -> Data {
    let issues = filter.sorted(try all().filter(filter.matches))
    return try GitHubJSON.encoder().encode(
      issues.map { issue in
        // GitHub gives every key, with nulls, except that only a pull request has its link.
        issue.selecting(Issue.Field.allCases.filter { $0 != .pullRequest || issue.isPullRequest })
      })
  }
}
