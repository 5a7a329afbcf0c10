internal import ArgumentParser
internal import IssueMirror
internal import StyledText

struct MirrorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mirror",
    abstract: "List, add, check, repair or remove the mirrors of 'issues sync' on this machine.",
    discussion: """
      All mirrors share one SQLite database, $XDG_DATA_HOME/issues/mirror.db or \
      ~/.local/share/issues/mirror.db, which only you can read. It holds nothing but the server's \
      data, so the next sync restores what you remove.

      With --database or ISSUES_DATABASE, the mirrors are those of a team, in a PostgreSQL database: \
      see 'issues help sync'.

      'issues mirror add' keeps a list of repositories, patterns and organizations in your \
      configuration. 'issues sync --all' mirrors the repositories that they stand for at that time.

      EXAMPLES:
        issues mirror                    (the mirrors, their age, and why)
        issues mirror add --org swiftlang 'apple/swift-*'
        issues mirror remove swiftlang/swift
        du -h "$(issues mirror path)"
        issues mirror list --database service=issues
      """,
    subcommands: [
      MirrorListCommand.self, MirrorAddCommand.self, MirrorRemoveCommand.self,
      MirrorPathCommand.self,
      MirrorCheckCommand.self, MirrorRepairCommand.self,
    ],
    defaultSubcommand: MirrorListCommand.self)
}

struct MirrorPathCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of the mirror, whether it exists or not.",
    discussion: """
      The mirror is an SQLite database, which other programs may read at any time. Its tables may \
      change with each version of 'issues'.

      EXAMPLES:
        issues mirror path
        sqlite3 "$(issues mirror path)" .schema
      """)

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  static let terminalUse = TerminalUse.unpaged

  var color: ColorChoice { .never }

  func run(in session: CommandSession) async throws {
    try session.refuseTeamMirror(
      "which has no path", "'issues mirror' shows its contents.")
    try await session.output.write("\(TerminalText(try session.mirrorPath()))\n")
  }
}

struct MirrorCheckCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that the mirror is sound.",
    discussion: """
      Reads the whole database and checks that its contents are consistent, which takes a while. \
      Prints one line per problem, and changes nothing. The exit status is 0 if the mirror is \
      sound, else 1.

      EXAMPLES:
        issues mirror check
        issues mirror check || issues mirror repair
      """)

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  static let terminalUse = TerminalUse.unpaged

  func run(in session: CommandSession) async throws {
    try session.refuseTeamMirror(
      "whose server checks its own files",
      "'issues mirror repair' compares it with GitHub.")
    let found: Mirror?
    do throws(CommandFailure) {
      found = try session.existingFile()
    } catch {
      // An unreadable mirror isn't intact.
      throw error.status == .output ? CommandFailure(.failed, error.message) : error
    }
    guard let mirror = found else {
      return try await session.output.write("There is no mirror yet.\n")
    }
    session.progress.update("Checking \(mirror.path)…")
    let problems = try await mirror.check()
    session.progress.finish()
    guard problems.isEmpty else {
      for problem in problems { try await session.output.write("\(TerminalText(problem))\n") }
      throw CommandFailure(
        .failed,
        "the mirror isn't sound: \(mirror.path)\n"
          + "Run 'issues mirror repair', or move the file away and sync again: the server has everything that "
          + "was in it.")
    }
    try await session.output.write("The mirror is sound: \(ByteCount.text(mirror.size())).\n")
  }
}

struct MirrorRepairCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Make the mirror match the server again.",
    usage: "issues mirror repair [<options>] [OWNER/REPO | URL] …",
    discussion: """
      Compares everything with the server, as 'issues sync --verify' does: it adds missing \
      issues, removes deleted or transferred ones, and adopts the server's versions, even \
      older ones. It compares the search index with the texts, and rebuilds it if they differ. If \
      the server contradicts itself, nothing is removed, and the command says why.

      By default, it repairs the mirror of the clone in the current directory; outside a clone, \
      all mirrors.

      EXAMPLES:
        issues mirror repair swiftlang/swift
        issues mirror check || issues mirror repair
      """)

  @Argument(
    help: ArgumentHelp(
      "A repository; by default, the current clone's, or all mirrored repositories.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repositories: [String] = []

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  @OptionGroup(title: "Connection") var request: RequestOptions

  func validate() throws {
    guard !request.stub else {
      throw ValidationError("Sample data isn't mirrored: it would mix with real data.")
    }
  }

  static let terminalUse = TerminalUse.unpaged

  func run(in session: CommandSession) async throws {
    let sync = SyncSession(
      session, request: request, wait: .forever, options: .init(verifies: true))
    let selection = SyncSelection(
      sources: try repositories.map { .repository(try RepositoryReference(parsing: $0)) },
      includesList: false)
    try await sync.sync(try await sync.targets(of: selection).places)
  }
}
