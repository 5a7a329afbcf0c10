internal import ArgumentParser

/// `issues cache`.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "See or clear the answers that are kept.",
    discussion: """
      What the server answers is kept in $XDG_CACHE_HOME/issues or ~/.cache/issues. The next run asks \
      the server whether it still holds instead of getting it again, which is faster and, with a \
      token, free. Nothing is shown that the server hasn't confirmed, save names that 'issues complete' \
      offers. --no-cache does without.
      """,
    subcommands: [CacheInfoCommand.self, CacheClearCommand.self])
}
