internal import ArgumentParser

struct InboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "List your notifications, and mark them as read or done.",
    discussion: """
      GitHub lets only classic tokens with the scope 'notifications' or 'repo' read and change them. A \
      fine-grained token is refused.

      EXAMPLES:
        issues inbox
        issues inbox --reason mention --reason review_requested
        issues inbox --json id,reason,subject
        issues inbox read swiftlang/swift#85969
        issues inbox read --all
        issues inbox done --where 'reason:subscribed is:pr'
      """,
    subcommands: [
      InboxListCommand.self, InboxReadCommand.self, InboxDoneCommand.self, InboxMuteCommand.self,
      InboxUnsubscribeCommand.self,
    ],
    defaultSubcommand: InboxListCommand.self)
}
