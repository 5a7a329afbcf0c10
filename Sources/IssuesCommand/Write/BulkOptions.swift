internal import ArgumentParser
internal import IssueTracker

/// `--where` and the options that go with it.
struct BulkOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      """
      Change all issues of the repository that this search finds, such as 'is:open label:stale \
      updated:<2025-01-01'. See 'issues search' for its words.
      """, valueName: "query"))
  var query: String?

  @Option(
    help: ArgumentHelp("With --where: change this many at most.", valueName: "number"),
    transform: ValueReader.limit)
  var limit: Int?

  @Flag(help: "With --where: print each request, and send nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @Flag(help: "With --where: search the mirror as it is, and not the server.")
  var offline = false

  @OptionGroup var age: AgeOptions

  func validate() throws {
    if query == nil {
      let stray = [
        ("--limit", limit != nil), ("--dry-run", dryRun), ("--offline", offline),
        ("--max-age", age.maxAge != nil),
      ]
      if let (name, _) = stray.first(where: \.1) {
        throw ValidationError("\(name) only makes sense with --where.")
      }
    }
    guard query?.contains(where: { !$0.isWhitespace }) ?? true else {
      throw ValidationError("--where takes a search: to change all issues use 'is:issue'.")
    }
    if let query { try BulkQuery.check(query) }
    try age.refuse(beside: offline, "--offline", "which searches it however old it is")
  }

  /// Requires issues or a search. `asks` says whether the command also asks without a search, so that `--yes` is right.
  func require(_ issues: [String], asks: Bool = false) throws {
    guard query == nil || issues.isEmpty else {
      throw ValidationError(
        "--where finds the issues: leave out their numbers, and name the repository with --repo.")
    }
    guard query != nil || !issues.isEmpty else {
      throw ValidationError("Say which issue: NUMBER, OWNER/REPO#NUMBER or URL; or --where QUERY.")
    }
    guard query != nil || asks || !yes else {
      throw ValidationError("--yes only makes sense with --where.")
    }
  }

  static let discussion = """
    With --where the change is made to every issue that a search finds: in the mirror with --offline or \
    --max-age, else on the server. A preview says how many there are and shows the first; on a terminal you \
    are asked, elsewhere --yes is needed. --dry-run prints each request: its method, its path and its body, \
    separated by tabs. Issues that are as you want them already are left alone. All changes are in the \
    outbox before the first is sent, one second apart, 80 a minute and 500 an hour, as GitHub asks for. If \
    that is interrupted, 'issues outbox send' goes on.
    """
}

/// A subcommand that changes the issues that the command line names or a search finds.
protocol BulkCommand: IssueChangeCommand {
  var bulk: BulkOptions { get }
}
