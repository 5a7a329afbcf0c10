internal import ArgumentParser
internal import IssueMirror

struct SyncCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Bring the mirror on this machine up to date.",
    usage: """
      issues sync [<options>] [OWNER/REPO | URL] …
      issues sync --all-mine [<options>]
      """,
    discussion: """
      Keeps every issue and pull request of a repository on this machine, for 'issues list --offline', \
      'issues search' and 'issues mirror'. The first sync loads all of them, several pages at once; later \
      ones only load what has changed. Stored data stays, whatever happens: a sync that was interrupted \
      continues when it is run again, and two syncs at once don't harm each other.

      By default, the repository is that of the clone in the current directory; outside of a clone, all \
      mirrored repositories are synced. Several are synced one after the other. If one fails, the others \
      are still synced, and the failure decides the exit status.

      Changes of these repositories that wait in the outbox are sent first, unless --no-send leaves them. \
      If that fails, the sync goes on, and the exit status says so: see 'issues outbox send'.

      When the server limits the rate of requests, the sync waits as long as the limit lasts, and counts \
      down: a large repository takes more requests than the server allows in a minute, or without a token \
      in an hour. See --wait.

      Issues that were deleted or transferred on the server are looked for with --verify, and otherwise \
      once a week, or when something else has changed and the numbers of open issues disagree. Issues that \
      no list shows are asked for by their numbers.

      On a terminal there is a sentence for each repository. In a pipe there is a line: the repository, \
      the numbers of new, updated and removed items, of new, updated and removed comments, and of \
      requests, separated by tabs.

      EXAMPLES:
        issues sync                      (in a clone, or all that are mirrored)
        issues sync swiftlang/swift apple/swift-nio
        issues sync swiftlang/swift --comments --jobs 16
        issues sync --all-mine --wait 0
      """)

  @Argument(
    help: ArgumentHelp(
      "A repository; by default that of the clone in the current directory, or all that are mirrored.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repositories: [String] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "A repository, like the argument; repeat it for several.", valueName: "repository"),
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
      How many requests to send at once, up to 100, GitHub's own limit. With HTTP/1.1 each has a \
      connection of its own. (default: 8)
      """, valueName: "number"),
    transform: ValueReader.jobs)
  var jobs = RepositorySync.Options().jobs

  @Flag(
    help: """
      Compare everything with the server: find deleted and transferred issues, too, and take over older \
      versions.
      """)
  var verify = false

  @Flag(help: "Leave what waits in the outbox there.")
  var noSend = false

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
      throw ValidationError("Sample data isn't mirrored: it would mix with real data.")
    }
    guard repositories.isEmpty && repo.isEmpty || !allMine else {
      throw ValidationError("--all-mine names the repositories: leave out OWNER/REPO.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let options = RepositorySync.Options(jobs: jobs, includesComments: comments, verifies: verify)
    let sync = SyncSession(
      session, request: request, wait: wait.wait, options: options, sendsFirst: !noSend)
    let places =
      allMine ? try await sync.ownPlaces() : try await sync.places(named: repositories + repo)
    try await sync.sync(places, fields: fields)
  }
}
