public import ArgumentParser
internal import GitHubAPI

/// The command `issues`: a list of subcommands.
public struct IssuesCommand: AsyncParsableCommand {
  /// What `--help` says.
  public static let configuration = CommandConfiguration(
    commandName: "issues",
    abstract: "See the issues of a GitHub repository.",
    usage: """
      issues [<options>] [OWNER/REPO | URL]
      issues <subcommand> …
      """,
    discussion: """
      Looks the repository up and lists its open issues: a table on a terminal, tab-separated values \
      in a pipe, JSON with --json. Without a repository it takes the one of the git clone that you \
      stand in. 'issues help list' shows all options.

      EXAMPLES:
        issues apple/swift
        issues apple/swift --state closed --label bug --limit 100
        issues apple/swift --all --json number,title | jq length
        issues https://github.example.com/team/project
        issues apple/swift --stub        (sample data: no network, no token)
        issues repos octocat

      \(Environment.discussion)

      \(ExitStatus.discussion)
      """,
    version: PackageVersion.current,
    subcommands: [ListCommand.self, UserCommand.self, ReposCommand.self],
    defaultSubcommand: ListCommand.self)

  /// Creates the command.
  public init() {}

  /// Runs the command line that the process was started with, and exits.
  public static func start() async {
    ProcessStart.prepare()
    await main()
  }
}
