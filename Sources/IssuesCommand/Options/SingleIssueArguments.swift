internal import ArgumentParser
internal import IssueTracker

/// An issue in one argument or two: `12` in a clone, `OWNER/REPO 12`, `OWNER/REPO#12` or its URL, or `-R OWNER/REPO
/// 12`.
struct SingleIssueArguments: ParsableArguments {
  @Argument(help: .repositoryOrClone, completion: .custom(MirrorCompletion.numberOrName))
  var repository: String?

  @Argument(
    help: ArgumentHelp(
      "The issue: 12 or '#12'; instead of both arguments, OWNER/REPO#12 or its address.",
      valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var number: String?

  @OptionGroup var option: RepositoryOptions

  /// Accepts a word for ``JSONCommand/takeArgument(_:)``. If an issue isn't allowed, a word with a slash is the
  /// repository.
  mutating func take(_ word: String, mayBeIssue: Bool = true) -> Bool {
    guard number == nil else { return false }
    if mayBeIssue, (try? IssueReference(parsing: word)) != nil {
      (repository, number) = (repository ?? word, repository == nil ? nil : word)
    } else if word.contains("/") {
      (repository, number) = (word, repository)
    } else {
      return false
    }
    return true
  }

  func require() throws {
    guard repository != nil else {
      throw ValidationError("Say which issue: NUMBER, OWNER/REPO#NUMBER or URL.")
    }
  }

  /// Whether the arguments name an issue, even if they have other errors.
  var namesIssue: Bool {
    (try? PlaceArgument(repository, number))?.issueNumber != nil
  }

  /// The issue. If only a repository is given, the failure shows how to call `command` for the given `purpose`.
  func issue(
    _ purpose: String, command: String
  ) throws -> (repository: RepositoryChoice, number: Int) {
    try refuseWord()
    let argument = try place()
    guard let number = argument.issueNumber else {
      let name = argument.repository.named.map { "\($0)" } ?? ""
      throw CommandFailure(
        .usage, "\(name) is a repository: \(purpose), use 'issues \(command) \(name) NUMBER'")
    }
    return (argument.repository, number)
  }

  func place() throws -> PlaceArgument {
    try PlaceArgument(repository, number, repo: option.repo)
  }

  /// Throws for a word without a slash, which was meant to be a number rather than a repository.
  private func refuseWord() throws {
    if let repository, number == nil, !repository.contains("/") {
      _ = try IssueReference(parsing: repository)
    }
  }
}
