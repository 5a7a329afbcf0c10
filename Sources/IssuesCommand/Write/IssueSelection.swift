internal import ArgumentParser

/// The issues on a command line, and the repository of plain numbers.
struct IssuesOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(WriteHelp.issue, valueName: "number"),
    completion: .custom(MirrorCompletion.numberOrName))
  var issues: [String] = []

  @OptionGroup var repository: RepositoryOptions

  var repo: String? { repository.repo }

  mutating func take(_ word: String) -> Bool {
    guard IssueArguments.isPossible(word) else { return false }
    issues.append(word)
    return true
  }
}

/// A subcommand whose only arguments are issues.
protocol IssueSelecting: WriteCommand {
  var selection: IssuesOptions { get set }
}

extension IssueSelecting {
  var issues: [String] { selection.issues }
  var repo: String? { selection.repo }

  mutating func takeArgument(_ word: String) -> Bool { selection.take(word) }
}
