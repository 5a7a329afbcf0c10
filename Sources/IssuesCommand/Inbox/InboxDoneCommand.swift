internal import ArgumentParser
internal import IssueTracker

struct InboxDoneCommand: InboxActionCommand {
  static let configuration = CommandConfiguration(
    commandName: "done",
    abstract: "Mark notifications as done, which removes them from the inbox.",
    usage: usage(of: "done"),
    discussion: """
      A later event brings a notification back. GitHub's API can't move one back to the inbox.

      \(InboxSelection.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues inbox done swiftlang/swift#85969
        issues inbox done --where 'reason:subscribed is:pr' --yes
        issues inbox done --all -R swiftlang/swift
      """)

  static let action = GitHub.NotificationAction.done

  @OptionGroup var selection: InboxSelection
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions
}
