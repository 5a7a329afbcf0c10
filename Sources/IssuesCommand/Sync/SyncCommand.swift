internal import ArgumentParser
internal import IssueMirror

struct SyncCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Update the mirror on this machine.",
    usage: """
      issues sync [<options>] [OWNER/REPO | URL] …
      issues sync --all-mine [<options>]
      """,
    discussion: """
      Keeps every issue and pull request of a repository on this machine, for 'issues list \
      --offline', 'issues search' and 'issues mirror'. The first sync loads all of them, several \
      pages at once; later ones load only changes. Stored data is never lost: an interrupted sync \
      continues when you run it again, and two syncs at once don't harm each other.

      By default, it syncs the clone in the current directory; outside a clone, all mirrored \
      repositories, one after the other. If one fails, the others are still synced, and the \
      failure decides the exit status.

      Changes to these repositories that wait in the outbox are sent first, unless you add \
      --no-send. If sending fails, the sync continues, and the exit status shows the failure: see \
      'issues outbox send'.

      When the server limits the rate of requests, the sync waits until the limit ends, and counts \
      down: a large repository takes more requests than the server allows in a minute, or without \
      a token in an hour. See --wait.

      The sync looks for deleted and transferred issues with --verify, otherwise once a week, or \
      when something else has changed and the counts of open issues disagree. It asks for issues \
      that no list shows by their numbers.

      On a terminal, each repository has a sentence. In a pipe, it has a line of tab-separated \
      values: the repository, the numbers of new, updated and removed items, of new, updated and \
      removed comments, and of requests.

      EXAMPLES:
        issues sync                      (the clone, or all mirrored repositories)
        issues sync swiftlang/swift apple/swift-nio
        issues sync swiftlang/swift --comments --jobs 16
        issues sync --all-mine --wait 0
      """)

  @Argument(
    help: ArgumentHelp(
      "A repository; by default, the clone in the current directory, or all mirrored repositories.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repositories: [String] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "A repository, like the argument; repeat it for several.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: [String] = []

  @Flag(help: "Mirror the repositories that the token's user owns or collaborates on.")
  var allMine = false

  @Flag(
    name: .shortAndLong,
    help: "Mirror the comments too. Once they are complete, every sync updates them.")
  var comments = false

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      The number of concurrent requests, up to 100, GitHub's own limit. With HTTP/1.1, each has \
      its own connection. (default: 8)
      """, valueName: "number"),
    transform: ValueReader.jobs)
  var jobs = RepositorySync.Options().jobs

  @Flag(
    help: """
      Compare everything with the server: also find deleted and transferred issues, and adopt \
      older versions.
      """)
  var verify = false

  @Flag(help: "Leave the changes in the outbox unsent.")
  var noSend = false

  @Option(
    help: ArgumentHelp(
      """
      The longest wait when the server limits the rate of requests, such as 90s or 5m; 0 stops \
      instead. (default: forever)
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
