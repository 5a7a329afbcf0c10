internal import ArgumentParser
internal import IssueTracker

/// The option `--where`, and the options that belong to it.
struct BulkOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      """
      Change all issues that this search finds. It searches one repository, with terms such as 'is:open label:stale updated:<2025-01-01': see 'issues search'.
      """, valueName: "query"),
    transform: ValueReader.text(of: "--where"))
  var query: String?

  @Option(
    help: ArgumentHelp("With --where: change at most this many.", valueName: "number"),
    transform: ValueReader.limit)
  var limit: Int?

  @Flag(
    help:
      "With --where: print requests, and send nothing; with --json, print the issues that it would change."
  )
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @Flag(help: "With --where: search the mirror, not the server. It isn't synced first.")
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
      throw ValidationError("--where requires a search: to change all issues use 'is:issue'.")
    }
    if let query { try BulkQuery.check(query) }
    try age.refuse(beside: offline, "--offline", "which searches it at any age")
  }

  /// Throws unless there are issues or a search. `asks` specifies whether the command asks for confirmation even
  /// without a search, so that `--yes` is valid.
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
    --where makes the change to every issue that a search finds: in the mirror with --offline or --max-age, \
    otherwise on the server. A misspelled qualifier is an error. A preview shows the number of issues and the \
    first ones; on a terminal, the command asks for confirmation, elsewhere pass --yes. --dry-run prints each \
    request: method, path and body, separated by tabs. Issues that are already as you want them are skipped. \
    All changes are in the outbox before the first is sent. They go out one second apart, at most 80 a \
    minute and 500 an hour, as GitHub asks; more than an hour's only with --wait 1h or 'forever'. Unsent \
    changes, including after Ctrl-C, wait until you name them: 'issues outbox send --bulk ID' continues, \
    'issues outbox drop --bulk ID' drops them.
    """
}

/// A subcommand that changes the issues on the command line, or those that a search finds.
protocol BulkCommand: IssueChangeCommand, IssueSelecting {
  var bulk: BulkOptions { get }
}
