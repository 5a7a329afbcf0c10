internal import ArgumentParser
internal import IssueTracker

/// The notifications that a command changes.
struct InboxSelection: ParsableArguments {
  @Argument(help: ArgumentHelp("A thread's id, or an issue.", valueName: "thread"))
  var threads: [String] = []

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "All unread ones that match, such as 'repo:swiftlang/swift reason:subscribed is:pr'.",
      valueName: "query"),
    transform: ValueReader.text(of: "--where"))
  var query: String?

  @Flag(help: "All unread ones.")
  var all = false

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "With --all or --where: only those of one repository.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: String?

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  /// Throws unless the options say which notifications are meant.
  func require() throws {
    let isBulk = all || query != nil
    guard threads.isEmpty == isBulk else {
      throw ValidationError(
        isBulk
          ? "\(all ? "--all" : "--where") finds the threads: leave out the others."
          : "Specify the notifications: <thread>, --where QUERY or --all.")
    }
    guard repo == nil || isBulk else {
      throw ValidationError("-R requires --all or --where; name an issue as OWNER/REPO#12.")
    }
    guard !yes || isBulk else {
      throw ValidationError("--yes only makes sense with --all or --where.")
    }
    if let query { _ = try InboxQuery(parsing: query) }
  }

  static let discussion = """
    A thread is its id, as 'issues inbox' lists it in a pipe, or an issue: #12 in a clone, OWNER/REPO#12, or its \
    address. An issue without an unread notification is reported.

    --where and --all find unread notifications. The qualifiers of --where are \(InboxQuery.names), each with - \
    before it to exclude its values. A preview shows their number and the first ones; on a terminal, the command \
    asks for confirmation, elsewhere pass --yes. All changes are in the outbox before the first is sent; unsent \
    ones, including after Ctrl-C, wait for 'issues outbox send --bulk ID'.

    GitHub accepts only classic tokens with the scope 'notifications' or 'repo'.
    """
}
