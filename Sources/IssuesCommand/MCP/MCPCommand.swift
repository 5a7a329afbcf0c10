internal import ArgumentParser
internal import IssueMirror
internal import IssueOutbox
internal import PlatformModules
internal import StyledText

struct MCPCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Let an agent read the mirror, over the Model Context Protocol.",
    usage: "issues mcp [--mirror FILE | --database ADDRESS] [--proposals]",
    discussion: """
      Serves one client on standard input and output, until it closes its end. It only reads the \
      mirror of 'issues sync': it doesn't need a token, contact a server, or change the mirror. Several \
      can run at once.

      The tools are search_issues, read_issue, related_issues and mirror_status. Each response begins \
      with its age and a note of missing data, and is short: \(AnswerBound.usual.grouped) characters, unless the \
      client asks for more. Text by strangers is within marks that it can't close.

      With --database, the mirror is a team's, in a PostgreSQL database.

      With --proposals, the tool propose_change puts a comment, a label or a new issue into your outbox, marked with \
      the name of the client. Nothing is sent before you approve it: 'issues outbox' lists proposals, and 'issues \
      outbox approve' or the screen sends them. At most \(Outbox.mostProposals) can wait.

      Clients pass on few environment variables. If the mirror isn't in ~/.local/share, name it with --mirror: \
      'issues mirror path' prints its path.

      Documentation/agents.md has the lines for each client, and 'issues skill' writes a skill for \
      agents that prefer to run commands.

      EXAMPLES:
        claude mcp add issues -- issues mcp
        codex mcp add issues -- issues mcp --mirror "$(issues mirror path)"
        issues mcp --database service=issues
        claude mcp add issues -- issues mcp --proposals
        {"mcpServers":{"issues":{"command":"issues","args":["mcp"]}}}
      """)

  @Option(
    help: ArgumentHelp("The mirror to use instead of the default file.", valueName: "file"),
    completion: .file(extensions: ["db"]))
  var mirror: String?

  @Flag(help: "Let the agent propose changes; a person approves or drops them.")
  var proposals = false

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  static let terminalUse = TerminalUse.unpaged

  var color: ColorChoice { .never }

  func validate() throws {
    guard mirror?.isEmpty != true else {
      throw ValidationError("--mirror names a file: 'issues mirror path' prints the usual one.")
    }
    guard mirror == nil || database.name == nil else {
      throw ValidationError("--mirror is a file, and --database a team's mirror: use one of them.")
    }
  }

  func run(in session: CommandSession) async throws {
    let place: MirrorWatch.Place
    if let mirror {
      place = .file(Self.path(mirror, session.environment))
    } else if let team = try session.teamMirror() {
      place = .team(team)
    } else {
      place = .file(try session.mirrorPath())
    }
    let world = session.world
    if world.input.terminal.isTerminal {
      session.errors.write(
        "issues: waiting for a client that speaks the Model Context Protocol; Ctrl-D ends it")
    }
    var toolbox = MCPToolbox(watch: MirrorWatch(place))
    if proposals {
      toolbox.openOutbox = { () throws(CommandFailure) in try session.outbox() }
    }
    let server = MCPServer(
      wire: session.output, errors: session.errors, toolset: MCPToolset(proposes: proposals),
      answer: toolbox.answer)
    await server.serve(LineInput(descriptor: world.input.descriptor))
  }

  /// Expands `~` in a path, because clients start the command without a shell.
  static func path(_ text: String, _ environment: [String: String]) -> String {
    guard text.hasPrefix("~/"), let home = environment["HOME"], home.hasPrefix("/") else {
      return text
    }
    return home + text.dropFirst()
  }
}
