public import ArgumentParser
internal import IssueTracker

/// The command `issues`: a list of subcommands.
public struct IssuesCommand: AsyncParsableCommand {
  /// What `--help` says.
  public static let configuration = CommandConfiguration(
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
      shows all options, and 'issues help --all' the whole manual.

      EXAMPLES:
        issues apple/swift
        issues apple/swift --state closed --label bug --limit 100
        issues apple/swift --all --json number,title | jq length
        issues apple/swift --all --wait forever
        issues https://github.example.com/team/project
        issues mine                      (assigned to you, in all repositories)
        issues org:swiftlang --group-by repo
        issues browse                    (search, list and read on a screen)
        issues view apple/swift 12 --comments
        issues 12                        (in a clone; elsewhere: -R apple/swift)
        issues context 12                (in few words, for a language model)
        issues open apple/swift
        issues create -t "It crashes" -b "With every input."
        issues comment 12                (in your editor)
        issues close 12 --reason 'not planned'
        issues apple/swift --stub        (sample data: no network, no token)
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

      Every subcommand takes --json-errors: a failure is then a line of JSON on standard error, \
      with 'code', 'message', 'retryAt' and 'exitStatus'.

      \(Environment.discussion)

      \(Environment.files)

      \(ExitStatus.discussion)
      """,
    version: PackageVersion.current,
    subcommands: [
      ListCommand.self,
      MineCommand.self,
      BrowseCommand.self,
      ViewCommand.self,
      ContextCommand.self,
      TreeCommand.self,
      ReadyCommand.self,
      OpenCommand.self,
      CreateCommand.self,
      CommentCommand.self,
      EditCommand.self,
      CloseCommand.self,
      ReopenCommand.self,
      LockCommand.self,
      UnlockCommand.self,
      ReactCommand.self,
      PinCommand.self,
      UnpinCommand.self,
      TransferCommand.self,
      DeleteCommand.self,
      InboxCommand.self,
      UserCommand.self,
      ReposCommand.self,
      SearchReposCommand.self,
      SearchCommand.self,
      SimilarCommand.self,
      SyncCommand.self,
      MirrorCommand.self,
      WorkerCommand.self,
      OutboxCommand.self,
      ExportCommand.self,
      StatsCommand.self,
      SQLCommand.self,
      MCPCommand.self,
      SkillCommand.self,
      AuthCommand.self,
      LabelCommand.self,
      MilestoneCommand.self,
      CacheCommand.self,
      ConfigCommand.self,
      HistoryCommand.self,
      CompleteCommand.self,
    ],
    defaultSubcommand: ListCommand.self)

  /// Creates the command.
  public init() {}

  /// Runs the command line that the process was started with, and exits.
  @MainActor public static func start() async -> Never {
    OwnProcess.prepare()
    if let index = OwnProcess.indexOfUnreadableArgument {
      let failure = CommandFailure(.usage, "argument \(index) isn't text in UTF-8")
      ErrorForm.ofProcess.write(failure, to: ErrorOutput())
      OwnProcess.exit(.usage)
    }
    let arguments = GHArguments.attachingRules(
      in: GHArguments.movingRepository(
        in: ErrorForm.removingOption(from: Array(CommandLine.arguments.dropFirst()))))
    do {
      try await run(arguments)
      OwnProcess.exit(.done)
    } catch let code as ExitCode {
      // Nothing to say, and the parser would compose the whole help first.
      OwnProcess.exit(ExitStatus(rawValue: code.rawValue) ?? .failed)
    } catch {
      await finish(error)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    if let text = try await CompletionScript.response(to: arguments) {
      throw CleanExit.message(text)
    }
    if arguments.isEmpty, await BrowseCommand.isMeantByNothing {
      return try await BrowseCommand.asyncParse([]).run()
    }
    if ManualCommand.isMeant(by: arguments) {
      return try await ManualCommand.asyncParse(Array(arguments.dropFirst())).run()
    }
    if let mistyped = MistypedCommand(in: arguments) { throw ValidationError(mistyped.message) }
    var command: any ParsableCommand
    do {
      command = try await parsed(arguments)
    } catch {
      command = try await parsed(separatingValuesIn: arguments, otherwise: error)
    }
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  }

  /// Tries other readings where the parser refuses a line, or answers with the help because of an `h` in a value.
  private static func parsed(
    separatingValuesIn arguments: [String], otherwise error: any Error
  ) async throws -> any ParsableCommand {
    for line in GHArguments.separatingValues(in: arguments) {
      if let command = try? await parsed(line) { return command }
    }
    throw error
  }

  private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
    if !namesSubcommand(arguments.first ?? ""), arguments.contains(where: mayNameIssue) {
      // A person who names an issue wants to read it, unless there are options that only a list has.
      let list = try? await ListCommand.asyncParse(arguments)
      if list?.repositories.contains(where: mayNameIssue) ?? true,
        let view = try? await ViewCommand.asyncParse(arguments), view.issue.namesIssue
      {
        return view
      }
    }
    let isSearch = arguments.first.map(SearchCommand.isCalled) ?? false
    return try await asyncParseAsRoot(isSearch ? SearchCommand.readable(arguments) : arguments)
  }

  private static func namesSubcommand(_ argument: String) -> Bool {
    argument == "help" || configuration.subcommands.contains { $0.isCalled(argument) }
  }

  /// Whether a word names an issue, if it isn't the value of an option: `12`, `#12`, `OWNER/REPO#12` or an address.
  private static func mayNameIssue(_ argument: String) -> Bool {
    (try? IssueReference(parsing: argument)) != nil
  }

  /// Two lines, like the command's other messages, instead of the parser's four; empty if it was written already.
  private static func usageMessage(_ error: any Error) -> String {
    let message = usageSentence(error)
    guard !message.isEmpty else { return "" }
    let hint = fullMessage(for: error).split(separator: "\n").last ?? ""
    return "issues: \(message)\n\(hint.drop { $0 == " " })"
  }

  /// Empty if it was written already.
  private static func usageSentence(_ error: any Error) -> String {
    var message = message(for: error)
    if ["-t", "--template"].contains(where: { message.contains("Unknown option '\($0)'") }) {
      message = """
        Templates are not supported: use --json with --jq, such as --json number,title \
        --jq '.[] | "\\(.number) \\(.title)"'.
        """
    }
    let projectOptions =
      ["--project", "--add-project", "--remove-project"]
      + (CommandLine.arguments.contains("create") ? ["-p"] : [])
    if projectOptions.contains(where: { message.contains("Unknown option '\($0)'") }) {
      message = """
        There are no projects here: add the issue with 'gh issue edit NUMBER --add-project TITLE', or on the \
        project's page.
        """
    }
    return message
  }

  private static func finish(_ error: any Error) async -> Never {
    let code = exitCode(for: error)
    if ErrorForm.ofProcess == .json, code != .success {
      let status = ExitStatus(rawValue: code.rawValue) ?? .failed
      let said = code == .validationFailure ? usageSentence(error) : message(for: error)
      if !said.isEmpty { ErrorForm.json.write(CommandFailure(status, said), to: ErrorOutput()) }
      OwnProcess.exit(status)
    }
    var message = code == .validationFailure ? usageMessage(error) : fullMessage(for: error)
    let isVerbose = CommandLine.arguments.contains { ["--verbose", "-v"].contains($0) }
    if code == .success, isVerbose, message == PackageVersion.current {
      message = await LibraryVersions.described()
    }
    guard code == .success else {
      if !message.isEmpty { ErrorOutput().write(message) }
      OwnProcess.exit(ExitStatus(rawValue: code.rawValue) ?? .failed)
    }
    let output = Output()
    do throws(OutputError) {
      if !message.isEmpty { try await output.write(message + "\n") }
      OwnProcess.exit(.done)
    } catch {
      ErrorForm.ofProcess.write(
        CommandFailure(error.exitStatus, "\(error)"), to: ErrorOutput())
      OwnProcess.exit(error.exitStatus)
    }
  }
}
