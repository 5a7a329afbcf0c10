internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct CloseCommand: BulkCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close issues.",
    usage: """
      issues close [<options>] [OWNER/REPO] NUMBER …
      issues close [<options>] --where QUERY
      """,
    discussion: """
      An issue that is already closed stays as it is, with its reason. With --comment, the comment is sent \
      first; if it fails, the issue stays open.

      \(BulkOptions.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues close 12
        issues close 12 13 -R apple/swift --reason 'not planned'
        issues close 12 --duplicate-of 7
        issues close 12 --comment "Fixed on main."
        issues close --where 'is:open label:stale' -c 'Closing: stale.'
      """)

  @OptionGroup var selection: IssuesOptions

  @Option(
    name: [.customShort("r", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Why: completed, 'not planned' or duplicate. (default: completed)", valueName: "reason"),
    completion: .list(["completed", "not-planned", "duplicate"]),
    transform: CloseReason.init(reading:))
  var reason: CloseReason?

  @Option(
    help: ArgumentHelp(
      "The issue of the same repository that it duplicates.", valueName: "number"),
    completion: .custom(MirrorCompletion.numbers), transform: ValueReader.issueNumber)
  var duplicateOf: Int?

  @OptionGroup var remark: RemarkOptions
  @OptionGroup(title: "Bulk") var bulk: BulkOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  var typed: [String?] { [remark.comment] }

  func validateOptions() throws {
    try requireIssues()
    guard duplicateOf == nil || reason == nil || reason?.reason == .duplicate else {
      throw ValidationError("--duplicate-of is itself a reason: leave out --reason.")
    }
    guard duplicateOf == nil || bulk.query == nil else {
      throw ValidationError("--duplicate-of is for issues that you name: leave out --where.")
    }
  }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    if let duplicateOf { try await requireIssue(duplicateOf, as: issue, writing) }
    let reason = duplicateOf == nil ? reason?.reason ?? .completed : .duplicate
    let closing = Change.close(issue.target, reason, duplicateOf: duplicateOf)
    return remark.changes(to: issue) + [closing]
  }
}

extension CloseCommand {
  /// Throws if GitHub would reject the original, before `--comment` is sent. Without a network, the outbox checks it.
  private func requireIssue(
    _ original: Int, as issue: NamedIssue, _ writing: WriteSession
  ) async throws(CommandFailure) {
    guard issue.number != original else {
      throw CommandFailure(.usage, "#\(original) can't be a duplicate of itself")
    }
    let found: GitHub.Issue
    do throws(CommandFailure) {
      found = try await NameLookup(writing: writing, place: issue.place).issue(original)
    } catch {
      guard goesOn(without: error) else { throw error }
      return
    }
    guard !found.isPullRequest else {
      throw CommandFailure(
        .usage,
        """
        #\(original) is a pull request, and on GitHub an issue can only be a duplicate of another issue
        Close it without --duplicate-of, and name the pull request in --comment.
        """)
    }
  }
}

/// A reason for closing an issue, in the spelling of `gh` or of GitHub's API.
struct CloseReason: Hashable {
  let reason: StateReason

  init(reading text: String) throws {
    switch text.lowercased().replacing("_", with: " ").replacing("-", with: " ") {
    case "completed": reason = .completed
    case "not planned": reason = .notPlanned
    case "duplicate": reason = .duplicate
    default:
      throw ValueReader.Refusal(description: "use completed, 'not planned' or duplicate")
    }
  }
}

struct ReopenCommand: BulkCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen",
    abstract: "Reopen closed issues.",
    usage: """
      issues reopen [<options>] [OWNER/REPO] NUMBER …
      issues reopen [<options>] --where QUERY
      """,
    discussion: """
      An issue that is already open stays as it is. With --comment, the comment is sent first; if it fails, the \
      issue stays closed.

      \(BulkOptions.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues reopen 12
        issues reopen 12 --comment "It crashes again."
        issues reopen --where 'is:closed label:regression'
      """)

  @OptionGroup var selection: IssuesOptions
  @OptionGroup var remark: RemarkOptions
  @OptionGroup(title: "Bulk") var bulk: BulkOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  var typed: [String?] { [remark.comment] }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    remark.changes(to: issue) + [.reopen(issue.target)]
  }
}

/// The option `--comment`. The comment is sent before the change.
struct RemarkOptions: ParsableArguments {
  @Option(
    name: [.customShort("c", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("Comment on it first.", valueName: "text"),
    transform: ValueReader.sentText(of: "--comment"))
  var comment: String?

  func changes(to issue: NamedIssue) -> [Change] {
    comment.map { [.comment(on: issue.target, body: $0)] } ?? []
  }
}
