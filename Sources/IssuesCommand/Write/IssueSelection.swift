internal import ArgumentParser

/// The issues that a command line names, and the repository of bare numbers.
protocol IssueSelection: ParsableArguments {
  /// Whether it takes more than one issue: JSON is an array then.
  static var takesSeveral: Bool { get }

  var issues: [String] { get }
  var repository: RepositoryOptions { get }
}

extension IssueSelection {
  var repo: String? { repository.repo }
}

struct IssueOptions: IssueSelection {
  static let takesSeveral = false

  @Argument(
    help: ArgumentHelp(WriteHelp.issue, valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var issue: String

  @OptionGroup var repository: RepositoryOptions

  var issues: [String] { [issue] }
}

struct IssuesOptions: IssueSelection {
  static let takesSeveral = true

  @Argument(
    help: ArgumentHelp(WriteHelp.issue, valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var issues: [String] = []

  @OptionGroup var repository: RepositoryOptions

  mutating func take(_ word: String) -> Bool {
    guard (try? IssueArguments([word], repo: nil)) != nil else { return false }
    issues.append(word)
    return true
  }
}
