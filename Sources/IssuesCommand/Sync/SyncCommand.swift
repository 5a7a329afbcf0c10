internal import ArgumentParser
internal import IssueMirror

struct SyncCommand: JSONCommand, DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Update the mirror on this machine.",
    usage: """
      issues sync [<options>] [OWNER/REPO | URL] …
      issues sync [--org NAME] … [--mine] [--starred] | --all [<options>]
      """,
    discussion: """
      Keeps every issue and pull request of a repository on this machine, for 'issues list \
      --offline', 'issues search' and 'issues mirror'. The first sync loads all of them, several \
      pages at once; later ones load only changes. Stored data is never lost: an interrupted sync \
      continues when you run it again, and two syncs can run at once.

      REPOSITORIES:
      By default, it syncs the clone in the current directory; outside a clone, or with --all, \
      all mirrored repositories and those of the list of 'issues mirror add', the least recently \
      synced first. Several are synced at once, within the number of requests of \
      --jobs, and each is reported when it is done. If one fails, the others are still synced, \
      and the failure decides the exit status.

      A name may be a pattern, in quotes: 'swiftlang/swift-*'. --org, --mine and --starred stand \
      for all repositories of an organization, of the token's user, and starred by that user; those \
      without issues are left out. These names can be combined.

      CHANGES AND LIMITS:
      Changes to these repositories that wait in the outbox are sent first, unless you add \
      --no-send. If sending fails, the sync continues, and the exit status shows the failure: see \
      'issues outbox send'.

      When the server limits the rate of requests, the sync waits until the limit ends, and counts \
      down: a large repository requires more requests than the server allows in a minute, or without \
      a token in an hour. See --wait.

      TIMELINES AND VERIFICATION:
      --timeline mirrors the timeline of each issue, for 'issues view --timeline --offline' and \
      'issues stats': who closed, labeled, renamed or mentioned it, and when. That requires a request \
      for each issue, the most recently changed first; without a token, GitHub allows 60 an hour. Later \
      syncs request only changed issues. Pull requests are left out, and the texts of comments \
      require --comments. With --verify, all timelines are requested again. A server without \
      timelines is asked once a month.

      The sync looks for deleted and transferred issues with --verify, otherwise once a week, or \
      when something else has changed and the counts of open issues disagree. It requests issues that \
      no list shows by number.

      WATCHING:
      With --watch, it continues until you stop it, including as a \
      service (Documentation/issues-sync.service). A repository is checked again after the interval if \
      something has changed there; otherwise the interval grows by half each time, up to half an \
      hour. Responses without news don't count against GitHub's rate limit. After the first \
      round it reports changes and failures only, and every hour it asks again which repositories \
      --org, --mine, --starred, patterns and the list stand for.

      A MIRROR OF A TEAM:
      With --database, the mirror is a team's, in a PostgreSQL database (Documentation/team.md). The \
      option accepts any connection string of libpq without a password: keep that in ~/.pgpass, in a \
      service file or in PGPASSWORD. The first sync creates the tables. The repositories of --org, \
      --mine, --starred and patterns are also added to the queue of the workers ('issues help \
      worker'), which keep syncing them.

      OUTPUT FORMAT:
      On a terminal, each repository is reported in a sentence. In a pipe, it is a line of \
      tab-separated values: the repository, the numbers of new, updated and removed items, of new, updated and \
      removed comments, of new and changed timelines, and of requests.

      EXAMPLES:
        issues sync                      (the clone, or all mirrored repositories)
        issues sync --all
        issues sync swiftlang/swift apple/swift-nio
        issues sync swiftlang/swift --comments --jobs 16
        issues sync swiftlang/swift --timeline --comments
        issues sync --mine --wait 0
        issues sync --org swiftlang --comments
        issues sync 'apple/swift-*' --starred
        issues sync --watch 1m           (until Ctrl-C)
        issues sync swiftlang/swift --database postgres://ada@db.example.com/issues
        issues sync --org swiftlang --database service=issues
      """)

  @Argument(
    help: ArgumentHelp(
      "A repository; by default, the current clone's, or all mirrored repositories.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repositories: [String] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "A repository, like the argument; repeat it for several.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: [String] = []

  @OptionGroup var sources: MirrorSourceOptions

  @Flag(
    help: """
      All mirrored repositories, even in a clone. Also those that the list of 'issues mirror add' stands for.
      """)
  var all = false

  @Flag(
    name: .shortAndLong,
    help: "Mirror the comments too. Once they are complete, every sync updates them.")
  var comments = false

  @Flag(
    help: """
      Mirror the timelines of issues too; it takes a request for each. Once they are complete, every sync \
      updates them.
      """)
  var timeline = false

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      The most requests at once, up to 100. That is GitHub's own limit. With HTTP/1.1, each has \
      its own connection. (default: 8)
      """, valueName: "number"),
    transform: ValueReader.jobs)
  var jobs = RepositorySync.Options().jobs

  @Flag(
    help: """
      Compare everything with the server. This also finds deleted and transferred issues, and adopts older versions.
      """)
  var verify = false

  @Option(
    help: ArgumentHelp(
      """
      Keep going, and sync again after this time. A repository that doesn't change is synced less often. It ends when you stop it. From 1s to a day.
      """, valueName: "interval"),
    transform: ValueReader.watchInterval)
  var watch: DurationArgument?

  @Flag(help: "Leave the changes in the outbox unsent.")
  var noSend = false

  @Option(
    help: ArgumentHelp(
      """
      The longest wait for a rate limit, such as 90s; 0 stops \
      instead. (default: forever)
      """, valueName: "duration"),
    transform: ValueReader.wait)
  var wait = WaitArgument(wait: .forever)

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var request: RequestOptions

  static let terminalUse = TerminalUse.unpaged
  static var jsonFields: JSONFields.Known { .all(of: SyncWriter.Field.self) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard word.contains("/") else { return false }
    repositories.insert(word, at: 0)
    return true
  }

  func validateOptions() throws {
    guard watch == nil || !output.isJSON || output.jsonl else {
      throw ValidationError("--watch doesn't end, but a JSON array must: use --jsonl.")
    }
    guard !all || repositories + repo == [] && sources.isEmpty else {
      throw ValidationError("--all stands for every mirror: leave the names out.")
    }
    guard !request.stub else {
      throw ValidationError("Sample data isn't mirrored: it would mix with real data.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let options = RepositorySync.Options(
      jobs: jobs, includesComments: comments, includesTimelines: timeline, verifies: verify)
    let sync = SyncSession(
      session, request: request, wait: wait.wait, options: options, sendsFirst: !noSend)
    let selection = SyncSelection(
      sources: try sources.sources(repositories + repo), isAll: all)
    let targets = try await sync.targets(of: selection)
    if targets.places.isEmpty, let first = targets.failures.first { throw first }
    for failure in targets.failures { session.errors.report(failure) }
    let count = targets.places.count
    if targets.isAll, session.style.layout == .table {
      let names = targets.places.map(\.description).fewNames
      session.errors.write("Syncing all mirrored repositories: \(names)")
    } else if targets.mayChange, session.style.layout == .table {
      session.errors.write("Syncing \(count == 1 ? "1 repository" : "\(count) repositories")")
    }
    try await sync.enqueue(targets)
    if let watch {
      return try await SyncWatch(
        sync: sync, selection: selection, shortest: watch.duration, fields: fields
      ).run(targets)
    }
    try await sync.sync(targets.places, fields: fields)
    if let first = targets.failures.first {
      throw first.saying("a part of the list of mirrors could not be read")
    }
  }
}
