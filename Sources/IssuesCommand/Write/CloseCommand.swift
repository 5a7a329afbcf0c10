internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct CloseCommand: BulkCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close issues.",
    usage: """
      issues close [<options>] NUMBER …
      issues close [<options>] --where QUERY
      """,
    discussion: """
      An issue that is closed already stays as it is, with its reason. With --comment the comment is \
      written first; if that fails, the issue isn't closed.

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
  @OptionGroup var write: WriteOptions

  var typed: [String?] { [remark.comment] }

  func validateOptions() throws {
    try requireIssues()
    guard duplicateOf == nil || reason == nil || reason?.reason == .duplicate else {
      throw ValidationError("--duplicate-of is a reason of its own: leave --reason out.")
    }
    guard duplicateOf == nil || bulk.query == nil else {
      throw ValidationError("--duplicate-of is said of one issue at a time: leave --where out.")
    }
  }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    let reason = duplicateOf == nil ? reason?.reason ?? .completed : .duplicate
    let closing = Change.close(issue.target, reason, duplicateOf: duplicateOf)
    return remark.changes(to: issue) + [closing]
  }
}

/// A reason for closing an issue, as `gh` and GitHub's API spell it.
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
      issues reopen [<options>] NUMBER …
      issues reopen [<options>] --where QUERY
      """,
    discussion: """
      An issue that is open already stays as it is. With --comment the comment is written first; if that \
      fails, the issue isn't reopened.

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
  @OptionGroup var write: WriteOptions

  var typed: [String?] { [remark.comment] }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    remark.changes(to: issue) + [.reopen(issue.target)]
  }
}

/// `--comment`, which goes before the change.
struct RemarkOptions: ParsableArguments {
  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    help: ArgumentHelp("Comment on it first.", valueName: "text"))
  var comment: String?

  func changes(to issue: NamedIssue) -> [Change] {
    comment.map { [.comment(on: issue.target, body: $0)] } ?? []
  }
}
