internal import IssueTracker

/// The repository and the issue that the arguments of a subcommand name.
///
/// `OWNER/REPO`, `12`, `OWNER/REPO 12`, `OWNER/REPO#12` or an address: people type them all, and those who
/// paste don't want to know which it is.
struct PlaceArgument: Sendable, Hashable {
  /// The repository; nil for that of the clone that the user stands in.
  let repository: RepositoryReference?
  /// The issue's number; nil where only a repository is named.
  let issueNumber: Int?

  /// Reads the arguments.
  ///
  /// - Parameters:
  ///   - first: The first, or the only one.
  ///   - second: The second, which can be a number only.
  /// - Throws: ``InvalidInput`` that says what is accepted.
  init(_ first: String?, _ second: String?) throws(InvalidInput) {
    guard let first else {
      (repository, issueNumber) = (nil, nil)
      return
    }
    if let second {
      let issue = try IssueReference(parsing: second)
      // Behind a repository a number is all that makes sense.
      if issue.repository != nil { _ = try IssueReference(parsing: "\(first) \(second)") }
      (repository, issueNumber) = (try RepositoryReference(parsing: first), issue.number)
    } else if let issue = try? IssueReference(parsing: first) {
      (repository, issueNumber) = (issue.repository, issue.number)
    } else {
      (repository, issueNumber) = (try RepositoryReference(parsing: first), nil)
    }
  }

  /// The repository that is named, or that of the clone.
  ///
  /// - Throws: ``GitRemotes/Failure`` or ``CommandFailure`` where neither is.
  func repository(in session: CommandSession) async throws -> RepositoryReference {
    if let repository { return repository }
    return try await GitRemotes.repository(environment: session.environment)
  }
}
