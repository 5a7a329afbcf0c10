internal import IssueTracker

/// The repository and the issue that the arguments of a subcommand name.
///
/// `OWNER/REPO`, `12`, `OWNER/REPO 12`, `OWNER/REPO#12` or an address: people type them all, and those who
/// paste don't want to know which it is.
struct PlaceArgument: Sendable, Hashable {
  /// The repository.
  let repository: RepositoryChoice
  /// The issue's number; nil where only a repository is named.
  let issueNumber: Int?

  /// Reads the arguments.
  ///
  /// - Parameters:
  ///   - first: The first, or the only one.
  ///   - second: The second: a number behind a repository.
  ///   - repo: The value of --repo.
  /// - Throws: ``InvalidInput`` that says what is accepted, or ``CommandFailure`` where two issues or two
  ///   repositories are named.
  init(_ first: String?, _ second: String? = nil, repo: String? = nil) throws {
    guard let first else {
      (repository, issueNumber) = (try RepositoryChoice(nil, option: repo), nil)
      return
    }
    guard let second else {
      let issue = try? IssueReference(parsing: first)
      let named =
        if let issue { issue.repository } else { try RepositoryReference(parsing: first) }
      repository = try RepositoryChoice(named, option: repo)
      issueNumber = issue?.number
      return
    }
    let reference = try RepositoryReference(parsing: first)
    guard reference.issueNumber == nil else {
      throw CommandFailure(.usage, "\(first) is the address of an issue: leave out the number")
    }
    let number = second.first == "#" ? second : "#\(second)"
    repository = try RepositoryChoice(reference, option: repo)
    issueNumber = try IssueReference(parsing: number).number
  }
}
