internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct ReactCommand: IssueChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "react",
    abstract: "React to an issue with an emoji.",
    usage: "issues react [<options>] NUMBER REACTION",
    discussion: """
      The reactions are +1, -1, laugh, hooray, confused, heart, rocket and eyes, or their emoji. \
      Reacting twice changes nothing. --remove takes your own reaction back.

      \(WriteHelp.results)

      EXAMPLES:
        issues react 12 +1
        issues react apple/swift#12 🎉
        issues react 12 +1 --remove
      """)

  @OptionGroup var selection: IssueOptions

  @Argument(
    help: ArgumentHelp("The reaction.", valueName: "reaction"),
    completion: .list(Reactions.Kind.allCases.map(\.rawValue)), transform: ValueReader.reaction)
  var reaction: Reactions.Kind?

  // The parser reads -1 as an option.
  @Flag(name: .customShort("1"), help: .hidden)
  var thumbsDown = false

  @Flag(help: "Take your own reaction back.")
  var remove = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func validateOptions() throws {
    guard (reaction != nil) != thumbsDown else {
      throw ValidationError("Say how to react, such as +1, heart or 🎉.")
    }
  }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    let kind = reaction ?? .thumbsDown
    return [remove ? .unreact(issue.target, kind) : .react(issue.target, kind)]
  }
}
