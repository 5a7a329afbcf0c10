internal import ArgumentParser
internal import HTTPTargets
internal import StyledText

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show, check and edit your configuration.",
    discussion: """
      The file is $XDG_CONFIG_HOME/issues/config.toml, or ~/.config/issues/config.toml. It is \
      TOML:

        theme = "solarized"            # default, high-contrast, solarized or ansi
        refresh = "5m"                 # how often the screen looks for changes
        columns = ["labels", "author", "updated"]
        plain = false                  # true: words on the screen, as with --plain
        images = false                 # true: images where the terminal shows them

        [keys]                         # of the screen
        reload = ["R", "ctrl-r"]

        [commands.checkout]            # your own, on the screen: ! lists them
        key = "ctrl-t"                 # optional
        command = ["issues", "develop", "{url}", "--checkout"]
        description = "check the issue's branch out"

        [themes.mine]                  # a theme of your own
        base = "solarized"
        title = "bold #7aa2f7"

        [views.triage]                 # 'issues @triage', and a tab of the screen
        query = "is:open no:label"     # GitHub's search syntax
        sort = "created-asc"
        repositories = ["apple/swift"] # or "all"; by default the clone's
        limit = 50

        [mirror]                       # of 'issues sync --all'
        sources = ["org:swiftlang", "apple/swift-*"]

      'issues list … --save @triage' writes a view for you.

      A command isn't run by a shell. Its words may contain {number}, {repository}, {url}, and {branch}, \
      the branch that is linked to the issue.

      An invalid file stops 'issues browse' and views with exit status \
      \(ExitStatus.configuration.rawValue); all other commands ignore it.

      EXAMPLES:
        issues config                    (the settings and any problems)
        issues config init
        issues config edit
      """,
    subcommands: [
      ConfigShowCommand.self, ConfigPathCommand.self, ConfigInitCommand.self,
      ConfigEditCommand.self,
    ],
    defaultSubcommand: ConfigShowCommand.self)
}

struct ConfigShowCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the configuration and its problems.",
    usage: "issues config [<options>]",
    discussion: """
      Shows the path of the configuration file, and the value and the line of each \
      setting. Problems go to standard error, each with the file's name and the line, and the exit \
      status is then \(ExitStatus.configuration.rawValue).

      In a pipe, each line has tab-separated values: the setting, its value, and the line, or \
      'default'.

      'issues help config' explains the file.

      EXAMPLES:
        issues config
        issues config --json views --jq '.views[].name'
        issues config edit
      """)

  @OptionGroup(title: "Output") var output: OutputOptions

  static var jsonFields: JSONFields.Known { .all(of: ConfigurationReport.Field.self) }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let report = ConfigurationReport(of: try session.configurationFile())
    try await report.write(to: session, fields: fields)
    try report.fail(session)
  }
}

struct ConfigPathCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of the configuration file.",
    discussion: """
      EXAMPLES:
        issues config path
        cp "$(issues config path)" backup.toml
      """)

  func run(in session: CommandSession) async throws {
    try await session.output.write("\(TerminalText(session.configurationFile().path))\n")
  }
}

struct ConfigInitCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write an initial configuration file.",
    discussion: """
      Writes a file in which every setting is explained and commented out. An existing file isn't \
      changed.

      EXAMPLES:
        issues config init
      """)

  func run(in session: CommandSession) async throws {
    let file = try session.configurationFile()
    guard try file.create() else {
      throw CommandFailure(
        .usage, "\(file.path) already exists\n'issues config edit' opens it.")
    }
    session.errors.write("Wrote \(TerminalText(file.path)). 'issues config edit' opens it.")
  }
}

struct ConfigEditCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Open the configuration file in your editor, and check it.",
    discussion: """
      Opens GIT_EDITOR, git's core.editor, VISUAL or EDITOR, with the file of 'issues config init' if \
      none exists yet. Problems are shown when the editor closes.

      EXAMPLES:
        issues config edit
        EDITOR=nano issues config edit
      """)

  static let terminalUse = TerminalUse.unpaged

  func run(in session: CommandSession) async throws {
    let file = try session.configurationFile()
    guard let editor = await TextEditor.find(environment: session.environment) else {
      throw CommandFailure(.failed, "there is no editor\nSet EDITOR.")
    }
    _ = try file.create()
    try await editor.edit(file.path)
    try ConfigurationReport(of: file).fail(session)
  }
}

extension CommandSession {
  func configurationFile() throws(CommandFailure) -> ConfigurationFile {
    guard let file = ConfigurationFile(environment: environment) else {
      throw CommandFailure(
        .failed,
        "there is no place for a configuration: neither XDG_CONFIG_HOME nor HOME names a folder")
    }
    return file
  }
}
