internal import ArgumentParser
internal import IssueTracker

/// The command `issues`, which is a group of subcommands.
struct IssuesCommand: AsyncParsableCommand {
  /// The text of `--help`.
  static let configuration = CommandConfiguration(
    commandName: "issues",
    abstract: "See and change the issues of a GitHub repository.",
    usage: """
      issues [<options>] [OWNER/REPO | URL]
      issues <subcommand> …
      """,
    discussion: """
      Lists the open issues of a repository: as a table on a terminal, as tab-separated values in \
      a pipe, or as JSON with --json. Without a repository, it uses the git clone in the current \
      directory. Outside a clone, 'issues' alone opens the screen of 'issues browse' on a \
      terminal. Given the number or address of an issue, it shows that issue. 'issues help list' \
      explains all options, and 'issues help --all' shows the whole manual.

      Every subcommand accepts --json-errors: a failure is then a line of JSON on standard error, \
      with 'code', 'message', 'retryAt' and 'exitStatus'.

      EXAMPLES:
        issues apple/swift               (its open issues; in a clone: issues)
        issues 12                        (an issue; outside a clone, add -R)
        issues create -t "It crashes" -b "With every input."
        issues apple/swift --stub        (sample data: no network, no token)
        issues apple/swift --state closed --label bug --limit 100
        issues apple/swift --all --json number,title | jq length
        issues apple/swift --all --wait forever
        issues https://github.example.com/team/project
        issues mine                      (assigned to you, in all repositories)
        issues org:swiftlang --group-by repo
        issues browse                    (search, list and read on a screen)
        issues view apple/swift 12 --comments
        issues context 12                (shortened, for a language model)
        issues open apple/swift
        issues comment 12                (in your editor)
        issues close 12 --reason 'not planned'
        issues inbox                     (your notifications)
        issues repos octocat
        issues search-repos swift http client
        issues sync swiftlang/swift      (mirror it on this machine)
        issues swiftlang/swift --offline (from the mirror)
        issues search crash is:open      (in the mirror, without a network)
        issues similar 12                (likely duplicates, in the mirror)
        issues create -t 'It crashes' -F report.md
        issues outbox                    (changes that aren't sent yet)
        issues auth status               (which token is used, and its limits)

      \(Environment.discussion)

      \(Environment.files)

      \(ExitStatus.discussion)
      """,
    version: PackageVersion.current,
    subcommands: purposes.flatMap { $0.usual + $0.others })

  /// The groups of subcommands in `issues --help`.
  static var purposes: [CommandPurpose] {
    [
      CommandPurpose(
        title: "READ ISSUES",
        usual: [
          ListCommand.self, MineCommand.self, ViewCommand.self, BrowseCommand.self,
          SearchCommand.self,
        ],
        others: [
          ReadyCommand.self, TreeCommand.self, SimilarCommand.self, OpenCommand.self,
          ContextCommand.self,
        ]),
      CommandPurpose(
        title: "CHANGE ISSUES",
        usual: [CreateCommand.self, CommentCommand.self, EditCommand.self, CloseCommand.self],
        others: [
          ReopenCommand.self, AttachCommand.self, LockCommand.self, UnlockCommand.self,
          ReactCommand.self, PinCommand.self, UnpinCommand.self, SubscribeCommand.self,
          UnsubscribeCommand.self, TransferCommand.self, DeleteCommand.self, DevelopCommand.self,
          LabelCommand.self, MilestoneCommand.self,
        ]),
      CommandPurpose(
        title: "WORK OFFLINE",
        usual: [SyncCommand.self, OutboxCommand.self],
        others: [
          MirrorCommand.self, WorkerCommand.self, ExportCommand.self, StatsCommand.self,
          SQLCommand.self,
        ]),
      CommandPurpose(
        title: "ACCOUNT, REPOSITORIES AND SETTINGS",
        usual: [InboxCommand.self, AuthCommand.self],
        others: [
          UserCommand.self, ReposCommand.self, SearchReposCommand.self, HistoryCommand.self,
          ConfigCommand.self, CacheCommand.self,
        ]),
      CommandPurpose(
        title: "AGENTS AND SHELLS", usual: [],
        others: [MCPCommand.self, SkillCommand.self, CompleteCommand.self]),
    ]
  }

  /// The subcommand for a line that doesn't name a subcommand of `command`.
  ///
  /// For this command it is `list`. The parser doesn't know about it, because it would parse the options of a default
  /// subcommand several times.
  static func implied(by command: any ParsableCommand.Type) -> any ParsableCommand.Type {
    command == IssuesCommand.self
      ? ListCommand.self : command.configuration.defaultSubcommand ?? command
  }
}

/// Subcommands for one purpose. `issues --help` describes the usual ones, and only names the others.
struct CommandPurpose {
  let title: String
  let usual: [any ParsableCommand.Type]
  let others: [any ParsableCommand.Type]
}
