internal import ArgumentParser
internal import IssueMirror

/// `issues sync`.
struct SyncCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Bring the mirror on this machine up to date.",
    usage: """
      issues sync [<options>] [OWNER/REPO | URL] …
      issues sync --all-mine [<options>]
      """,
    discussion: """
      Keeps every issue and pull request of a repository on this machine: 'issues list --offline' and \
      'issues mirror' read them there. The first time all of them are asked for, several pages at once; \
      after that only what has changed. What was stored stays, whatever happens: a sync that was broken \
      off goes on where it was when it is run again, and two at once don't harm each other.

      Without a repository it is that of the clone you stand in; outside of a clone, all that are \
      mirrored already. Several are synced one after the other. One that fails doesn't keep the others \
      from being synced, and decides the exit status.

      When the server limits the rate of requests, it waits for as long as the limit lasts, counting \
      down: a large repository takes more requests than a minute allows, or without a token an hour. \
      See --wait.

      Issues that were deleted or transferred on the server are looked for with --verify, and without it \
      once a week, or when something else has changed and the numbers of open issues disagree. What no list \
      shows is asked for by its number.

      On a terminal a sentence a repository; in a pipe a line: the repository, what is new, updated \
      and removed, new, updated and removed comments, and requests, between tabs.

      EXAMPLES:
        issues sync                      (in a clone, or all that are mirrored)
        issues sync swiftlang/swift apple/swift-nio
        issues sync swiftlang/swift --comments --jobs 16
        issues sync --all-mine --wait 0
      """)

  @Argument(
    help: ArgumentHelp(
      "A repository; that of the clone you stand in, or all mirrored ones, if left out.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repositories: [String] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "A repository, as the argument; repeat it for several.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: [String] = []

  @Flag(help: "Mirror the repositories that the token's user owns or takes part in.")
  var allMine = false

  @Flag(
    name: .shortAndLong,
    help: "Keep the comments too. Once they are all there, every sync keeps them up to date.")
  var comments = false

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      How many requests may be under way at once, each on a connection of its own where the server \
      speaks HTTP/1.1: up to 100, as many as GitHub takes. (default: 8)
      """, valueName: "number"),
    transform: ValueReader.jobs)
  var jobs = RepositorySync.Options().jobs

  @Flag(
    help: """
      Compare everything with the server: find what was deleted or transferred, too, and take over what it \
      has in an older version.
      """)
  var verify = false

  @Option(
    help: ArgumentHelp(
      """
      How long to wait at most when the server limits the rate of requests, such as 90s or 5m; 0 \
      stops instead. (default: forever)
      """, valueName: "duration"),
    transform: ValueReader.wait)
  var wait = WaitArgument(wait: .forever)

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var request: RequestOptions

  static let terminalUse = TerminalUse.unpaged
  static var jsonFields: JSONFields.Known { .all(of: SyncWriter.Entry.CodingKeys.self) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard word.contains("/") else { return false }
    repositories.insert(word, at: 0)
    return true
  }

  func validateOptions() throws {
    guard !request.stub else {
      throw ValidationError("Sample data isn't mirrored: what is real would be among it.")
    }
    guard repositories.isEmpty && repo.isEmpty || !allMine else {
      throw ValidationError("--all-mine names the repositories: leave out OWNER/REPO.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let options = RepositorySync.Options(jobs: jobs, includesComments: comments, verifies: verify)
    let sync = SyncSession(session, request: request, wait: wait.wait, options: options)
    let places =
      allMine ? try await sync.ownPlaces() : try await sync.places(named: repositories + repo)
    try await sync.sync(places, fields: fields)
  }
}
