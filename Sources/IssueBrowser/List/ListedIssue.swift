package import IssueOutbox
internal import IssueTracker

/// Identifies an issue in a list.
struct IssueKey: Sendable, Hashable {
  /// The repository's name in lowercase; nil in a list of one repository.
  var repository: String?
  var number: Int
}

/// An issue with its repository, and with its name in the list, such as `#12` or `apple/swift#12`.
package struct ListedIssue: Sendable, Hashable {
  let issue: GitHub.Issue
  /// The repository under its current name.
  package let repository: RepositoryReference
  let name: String

  package var target: IssueTarget { IssueTarget(shownAs: issue.number) }
}
