internal import ArgumentParser
internal import IssueTracker

struct InboxUnsubscribeCommand: InboxActionCommand {
  static let configuration = CommandConfiguration(
    commandName: "unsubscribe",
    abstract: "Unsubscribe from the threads of notifications.",
    usage: usage(of: "unsubscribe"),
    discussion: """
      You are notified again if you are mentioned or comment. If you watch the repository, its notifications \
      continue: 'issues inbox mute' stops those too. The notification stays in the inbox.

      \(InboxSelection.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues inbox unsubscribe swiftlang/swift#85969
        issues inbox unsubscribe --where 'org:swiftlang reason:subscribed'
      """)

  static let action = GitHub.NotificationAction.unsubscribe

  @OptionGroup var selection: InboxSelection
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions
}
