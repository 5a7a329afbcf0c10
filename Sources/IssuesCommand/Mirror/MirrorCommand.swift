internal import ArgumentParser

/// `issues mirror`.
struct MirrorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mirror",
    abstract: "See, check, repair or remove what 'issues sync' keeps on this machine.",
    discussion: """
      Mirrors are kept in one SQLite database, $XDG_DATA_HOME/issues/mirror.db or \
      ~/.local/share/issues/mirror.db, which only you can read. It holds what the server gave and nothing \
      else: what is removed here comes back with the next sync.

      EXAMPLES:
        issues mirror                    (what is mirrored, and how old it is)
        issues mirror remove swiftlang/swift
        du -h "$(issues mirror path)"
      """,
    subcommands: [
      MirrorListCommand.self, MirrorRemoveCommand.self, MirrorPathCommand.self,
      MirrorCheckCommand.self, MirrorRepairCommand.self,
    ],
    defaultSubcommand: MirrorListCommand.self)
}
