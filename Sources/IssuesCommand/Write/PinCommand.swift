internal import ArgumentParser
internal import IssueOutbox

struct PinCommand: IssueChangeCommand, IssueSelecting {
  static let configuration = CommandConfiguration(
    commandName: "pin",
    abstract: "Pin issues to the top of the repository's list.",
    usage: "issues pin [<options>] [OWNER/REPO] NUMBER …",
    discussion: """
      A repository can have three. It requires write access.

      \(WriteHelp.results)

      EXAMPLES:
        issues pin 12
      """)

  @OptionGroup var selection: IssuesOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    [.pin(issue.target)]
  }
}

struct UnpinCommand: IssueChangeCommand, IssueSelecting {
  static let configuration = CommandConfiguration(
    commandName: "unpin",
    abstract: "Unpin issues from the top of the repository's list.",
    usage: "issues unpin [<options>] [OWNER/REPO] NUMBER …",
    discussion: """
      \(WriteHelp.results)

      EXAMPLES:
        issues unpin 12
      """)

  @OptionGroup var selection: IssuesOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    [.unpin(issue.target)]
  }
}
