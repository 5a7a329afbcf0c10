internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct LockCommand: BulkCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock the conversation of issues.",
    usage: """
      issues lock [<options>] [OWNER/REPO] NUMBER …
      issues lock [<options>] --where QUERY
      """,
    discussion: """
      Only people with write access can comment on a locked issue.

      \(BulkOptions.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues lock 12
        issues lock 12 13 --reason 'too heated'
        issues lock --where 'is:closed closed:<2020-01-01' --dry-run
      """)

  @OptionGroup var selection: IssuesOptions

  @Option(
    name: [.customShort("r", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Why: off-topic, 'too heated', resolved or spam.", valueName: "reason"),
    completion: .list(["off-topic", "too-heated", "resolved", "spam"]),
    transform: Self.reason)
  var reason: LockReason?

  @OptionGroup(title: "Bulk") var bulk: BulkOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    [.lock(issue.target, reason)]
  }

  /// Reads a reason. GitHub writes `too heated`, and `gh` writes `too_heated`.
  private static func reason(_ text: String) throws -> LockReason {
    let plain = { (text: String) in text.lowercased().filter { !"-_ ".contains($0) } }
    guard let reason = LockReason.allCases.first(where: { plain($0.rawValue) == plain(text) })
    else {
      throw ValueReader.Refusal(
        description: "use off-topic, 'too heated', resolved or spam")
    }
    return reason
  }
}

struct UnlockCommand: IssueChangeCommand, IssueSelecting {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock the conversation of issues.",
    usage: "issues unlock [<options>] [OWNER/REPO] NUMBER …",
    discussion: """
      \(WriteHelp.results)

      EXAMPLES:
        issues unlock 12
      """)

  @OptionGroup var selection: IssuesOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    [.unlock(issue.target)]
  }
}
