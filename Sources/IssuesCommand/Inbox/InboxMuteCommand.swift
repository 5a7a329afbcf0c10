internal import ArgumentParser
internal import IssueTracker

struct InboxMuteCommand: InboxActionCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Mute the threads of notifications.",
    usage: usage(of: "mute"),
    discussion: """
      A muted thread doesn't notify you any more. The notification stays in the inbox: 'issues inbox done' removes it.

      \(InboxSelection.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues inbox mute swiftlang/swift#85969
        issues inbox mute --where 'repo:swiftlang/swift reason:ci_activity'
      """)

  static let action = GitHub.NotificationAction.mute

  @OptionGroup var selection: InboxSelection
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions
}
