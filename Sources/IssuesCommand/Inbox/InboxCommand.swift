internal import ArgumentParser

struct InboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "List your notifications, and mark them as read.",
    discussion: """
      GitHub lets only classic tokens with the scope 'notifications' or 'repo' read them. A \
      fine-grained token is refused.

      EXAMPLES:
        issues inbox
        issues inbox --reason mention --reason review_requested
        issues inbox --json id,reason,subject
        issues inbox read swiftlang/swift#85969
        issues inbox read --all
      """,
    subcommands: [InboxListCommand.self, InboxReadCommand.self],
    defaultSubcommand: InboxListCommand.self)
}
