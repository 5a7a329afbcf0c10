internal import SampleData

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
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

  /// Answers `GET /repos/{owner}/{repo}/issues`.
  ///
  /// - Parameters:
  ///   - filter: The filter, which is applied to the sample.
  ///   - pageSize: The most issues on a page. As on GitHub, it is taken as 1 at the least and 100 at
  ///     the most.
  ///   - page: The page, counted from 1. There is nothing beyond the last.
  /// - Returns: The body, a JSON array, and whether another page follows.
  /// - Throws: `DecodingError` if the sample were broken.
  public static func answer(
    filter: IssueFilter, pageSize: Int = 30, page: Int = 1
  ) throws -> (body: Data, hasNextPage: Bool) {
    let issues = filter.sorted(try all().filter(filter.matches))
    let pageSize = min(max(pageSize, 1), 100)
    // The bound on the page keeps the multiplication within its type.
    let start = min(max(page, 1) - 1, issues.count) * pageSize
    let rest = issues.dropFirst(start)
    let body = try GitHubJSON.encoder().encode(
      rest.prefix(pageSize).map { issue in
        // GitHub gives every key, with nulls, except that only a pull request has its link.
        issue.selecting(Issue.Field.allCases.filter { $0 != .pullRequest || issue.isPullRequest })
      })
    return (body, rest.count > pageSize)
  }
}
