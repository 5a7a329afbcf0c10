internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct ReactCommand: IssueChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "react",
    abstract: "React to issues or a comment with an emoji.",
    usage: """
      issues react [<options>] [OWNER/REPO] NUMBER … REACTION
      issues react [<options>] NUMBER REACTION --comment ID
      """,
    discussion: """
      The reactions are +1, -1, laugh, hooray, confused, heart, rocket and eyes, or their emoji. \
      Reacting twice changes nothing. --remove removes your own reaction. The id of a comment is the number at the \
      end of its address.

      \(WriteHelp.results)

      EXAMPLES:
        issues react 12 +1
        issues react apple/swift#12 🎉
        issues react 12 +1 --remove
        issues react 12 heart --comment 4300000001
      """)

  // The parser doesn't support an argument after a repeated one.
  @Argument(
    help: ArgumentHelp(
      "The issue, in one of these forms: 12, '#12', OWNER/REPO#12 or its address; then +1, -1, laugh, hooray, confused, heart, rocket, eyes or the emoji.",
      valueName: "number"),
    completion: .custom(ReactCommand.candidates))
  var words: [String] = []

  @OptionGroup var repository: RepositoryOptions

  // The parser reads -1 as an option.
  @Flag(name: .customShort("1"), help: .hidden)
  var thumbsDown = false

  @Flag(help: "Remove your own reaction.")
  var remove = false

  @Option(help: ArgumentHelp("React to the issue's comment with this id.", valueName: "id"))
  var comment: Int64?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  var issues: [String] { thumbsDown ? words : words.dropLast() }
  var repo: String? { repository.repo }

  @Sendable private static func candidates(
    words: [String], index: Int, prefix: String
  ) async -> [String] {
    await MirrorCompletion.numberOrName(words: words, index: index, prefix: prefix)
      + Reactions.Kind.allCases.map(\.rawValue).filter { $0.hasPrefix(prefix) }
  }

  mutating func takeArgument(_ word: String) -> Bool {
    guard IssueArguments.isPossible(word) || Reactions.Kind(nameOrEmoji: word) != nil else {
      return false
    }
    words.append(word)
    return true
  }

  func validateOptions() throws {
    _ = try reaction()
    try requireIssues()
    guard comment == nil || (try? IssueArguments(issues, repo: repo))?.isOne ?? true else {
      throw ValidationError("--comment is a comment on one issue: name one.")
    }
    guard comment ?? 1 > 0 else { throw ValidationError("The id of a comment is positive.") }
  }

  private func reaction() throws -> Reactions.Kind {
    if thumbsDown { return .thumbsDown }
    guard let word = words.last else {
      throw ValidationError("Specify an issue and a reaction: 12 +1.")
    }
    guard let reaction = Reactions.Kind(nameOrEmoji: word) else {
      throw ValidationError(
        """
        '\(word)' isn't a reaction: end with +1, -1, laugh, hooray, confused, heart, rocket or eyes, \
        or the emoji.
        """)
    }
    return reaction
  }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    let kind = try reaction()
    if let comment {
      guard let number = issue.number else {
        throw CommandFailure(.usage, "\(issue.word) has no comments on the server yet")
      }
      return [
        remove
          ? .unreactToComment(id: comment, on: number, kind)
          : .reactToComment(id: comment, on: number, kind)
      ]
    }
    return [remove ? .unreact(issue.target, kind) : .react(issue.target, kind)]
  }
}
