internal import ArgumentParser
internal import IssueMirrorPostgres

struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Keep a team's mirror up to date, with other workers.",
    usage: """
      issues worker [run] [<options>]
      issues worker add | remove [<options>] OWNER/REPO …
      issues worker status [<options>]
      """,
    discussion: """
      A team's mirror (--database, ISSUES_DATABASE) has a queue of repositories. Any number of \
      workers on any machines take due repositories, sync them, and put them back: for soon if \
      much changes, for later if nothing does. Only one worker syncs a repository at a time. If a \
      worker dies, another one continues where it stopped.

      'issues worker' alone is 'issues worker run'.

      EXAMPLES:
        export ISSUES_DATABASE=postgres://issues@db.example.com/issues
        issues worker add --org swiftlang apple/swift-nio
        issues worker                    (until Ctrl-C or SIGTERM)
        issues worker status
      """,
    subcommands: [
      WorkerRunCommand.self, WorkerStatusCommand.self, WorkerAddCommand.self,
      WorkerRemoveCommand.self,
    ],
    defaultSubcommand: WorkerRunCommand.self)
}

extension CommandSession {
  /// The mirror that contains the queue. Creates its tables if they don't exist.
  func queueMirror() async throws -> PostgresMirror {
    try await teamOfWorkers().writable() as? PostgresMirror ?? { throw Self.noQueue }()
  }

  /// The mirror that contains the queue, for reading.
  func existingQueueMirror() async throws -> PostgresMirror? {
    try await teamOfWorkers().existing() as? PostgresMirror
  }

  private func teamOfWorkers() throws -> TeamMirror {
    guard let team = try teamMirror() else { throw Self.noQueue }
    return team
  }

  private static let noQueue = CommandFailure(
    .usage,
    """
    the mirror on this machine has no queue for workers
    Name a team's: --database postgres://USER@HOST/DATABASE, or ISSUES_DATABASE. Alone, 'issues sync --all \
    --watch 1m' does the same.
    """)
}
