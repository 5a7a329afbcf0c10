internal import ArgumentParser
internal import IssueOutbox

struct SubscribeCommand: IssueChangeCommand, IssueSelecting {
  static let configuration = CommandConfiguration(
    commandName: "subscribe",
    abstract: "Subscribe to issues, to be notified of every event.",
    usage: "issues subscribe [<options>] [OWNER/REPO] NUMBER …",
    discussion: """
      An existing subscription stays.

      \(WriteHelp.results)

      EXAMPLES:
        issues subscribe 12
      """)

  @OptionGroup var selection: IssuesOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    [.subscribe(issue.target)]
  }
}

struct UnsubscribeCommand: IssueChangeCommand, IssueSelecting {
  static let configuration = CommandConfiguration(
    commandName: "unsubscribe",
    abstract: "Unsubscribe from issues.",
    usage: "issues unsubscribe [<options>] [OWNER/REPO] NUMBER …",
    discussion: """
      You are notified again if you are mentioned or comment. 'issues inbox mute' stops a thread's notifications for \
      good.

      \(WriteHelp.results)

      EXAMPLES:
        issues unsubscribe 12
      """)

  @OptionGroup var selection: IssuesOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    [.unsubscribe(issue.target)]
  }
}
