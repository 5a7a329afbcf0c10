internal import ArgumentParser
internal import HTTPTargets
internal import PlatformModules
internal import StyledText

struct SkillCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "skill",
    abstract: "Print or install a skill that tells agents how to use 'issues'.",
    usage: "issues skill [--agent <agent> [--project] [--force]]",
    discussion: """
      Prints a file SKILL.md: when to use this command, the search syntax, the age of data, exit \
      statuses, and why text by strangers is data.

      With --agent, writes it where that agent looks for skills: \
      ~/\(SkillAgent.claude.folder)/\(SkillText.name) for claude, \
      ~/\(SkillAgent.codex.folder)/\(SkillText.name) for the others. With --project, that is in the \
      current directory instead of the home folder. A file that differs stays, unless --force \
      replaces it: it may be your own version, or one of an earlier 'issues'.

      EXAMPLES:
        issues skill
        issues skill --agent claude
        issues skill --agent codex --project --force
      """)

  @Option(help: "The agent to write it for.")
  var agent: SkillAgent?

  @Flag(help: "Write it into the current directory, for this project alone.")
  var project = false

  @Flag(help: "Replace a file that differs.")
  var force = false

  func validate() throws {
    guard agent != nil || !project && !force else {
      throw ValidationError("--project and --force only make sense with --agent.")
    }
  }

  func run(in session: CommandSession) async throws {
    guard let agent else { return try await session.output.write(SkillText.file) }
    let path = agent.path(in: try Self.base(isProject: project, session.environment))
    if project { try Self.checkLinks(path) }
    let text = Data(SkillText.file.utf8)
    if FileManager.default.contents(atPath: path) == text {
      session.errors.write("\(TerminalText(path)) is up to date.")
      return
    }
    try Self.makeFolder(of: path)
    try await ExportFile.write(at: path, replaces: force) { try await $0.write(Array(text)) }
    session.errors.write("Wrote \(TerminalText(path)).")
  }

  private static func base(
    isProject: Bool, _ environment: [String: String]
  ) throws(CommandFailure) -> String {
    if isProject { return "." }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw CommandFailure(
        .failed,
        "HOME doesn't name a folder for the skill\nWrite it for one project with --project.")
    }
    return home.hasSuffix("/") ? String(home.dropLast()) : home
  }

  /// Throws if the path contains links. A project may be an untrusted clone, with links to any path.
  private static func checkLinks(_ path: String) throws(CommandFailure) {
    for end in path.indices where path[end] == "/" {
      let folder = String(path[..<end])
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: folder)) != nil else {
        continue
      }
      throw CommandFailure(
        .output,
        "“\(folder)” is a symbolic link, which may lead out of this project\n"
          + "Remove it, or write the skill without --project.")
    }
  }

  private static func makeFolder(of path: String) throws(CommandFailure) {
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    guard !FolderOwner.isInTheWay(of: folder) else {
      throw CommandFailure(.output, "root doesn't write into another user's folder: \(folder)")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(.output, "the folder “\(folder)” can't be made")
    }
  }
}
