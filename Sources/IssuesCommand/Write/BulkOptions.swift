internal import ArgumentParser
internal import IssueTracker

/// The option `--where`, and the options that belong to it.
struct BulkOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      """
      Change all issues that this search finds. It looks at one repository, with words such as 'is:open label:stale updated:<2025-01-01': see 'issues search'.
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
      throw ValidationError("--where takes a search: to change all issues use 'is:issue'.")
    }
    if let query { try BulkQuery.check(query) }
    try age.refuse(beside: offline, "--offline", "which searches it however old it is")
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
    otherwise on the server. A misspelled qualifier is an error. A preview says how many issues there are and \
    shows the first; on a terminal you are asked, elsewhere give --yes. --dry-run prints each request: \
    method, path and body, separated by tabs. Issues that are already as you want them are left alone. All \
    changes are in the outbox before the first is sent. They go out one second apart, at most 80 a minute and \
    500 an hour, as GitHub asks; beyond the hour's only with --wait 1h or 'forever'. What isn't sent then, or \
    after Ctrl-C, waits until you name it: 'issues outbox send --bulk ID' goes on, 'issues outbox drop --bulk \
    ID' drops it.
    """
}

/// A subcommand that changes the issues on the command line, or those that a search finds.
protocol BulkCommand: IssueChangeCommand, IssueSelecting {
  var bulk: BulkOptions { get }
}
