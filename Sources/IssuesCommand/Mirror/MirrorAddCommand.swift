internal import ArgumentParser
internal import IssueMirror
internal import StyledText

struct MirrorAddCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add repositories to the list that 'issues sync --all' mirrors.",
    usage: """
      issues mirror add [<options>] OWNER/REPO | 'OWNER/PATTERN' …
      issues mirror add [--org NAME] … [--mine] [--starred]
      """,
    discussion: """
      The list is in your configuration, under [mirror]. It holds names, and entries for many \
      repositories: a pattern in quotes, an organization, your own repositories, your starred ones. 'issues sync \
      --all' (outside a clone, also 'issues sync') asks the server each time which \
      repositories these are, and mirrors them and all that are already mirrored. This command \
      doesn't contact a server.

      'issues mirror' shows why each repository is mirrored, and 'issues mirror remove' \
      removes names from the list.

      EXAMPLES:
        issues mirror add apple/swift-nio
        issues mirror add --org swiftlang 'apple/swift-*'
        issues mirror add --mine --starred && issues sync --all
      """)

  @Argument(
    help: ArgumentHelp(
      "A repository, or a pattern of names, in quotes.", valueName: "repository"),
    completion: .custom(NameCompletion.candidates))
  var repositories: [String] = []

  @OptionGroup var sources: MirrorSourceOptions

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  static let terminalUse = TerminalUse.unpaged

  func validate() throws {
    guard !repositories.isEmpty || !sources.isEmpty else {
      throw ValidationError(
        "Specify what to mirror: OWNER/REPO, a pattern, --org NAME, --mine or --starred.")
    }
  }

  func run(in session: CommandSession) async throws {
    // If one name is invalid, nothing is added.
    let wanted = try sources.sources(repositories)
    for case .repository(let reference) in wanted {
      _ = try Place(reference, environment: session.environment)
    }
    var (added, known): ([MirrorSource], [MirrorSource]) = ([], [])
    let file = try session.configurationFile()
    if try session.mirrorSources().isMissing(any: wanted) {
      try file.saveMirror { sources in
        for source in wanted {
          if sources.contains(where: source.isSame) {
            known.append(source)
          } else {
            sources.append(source)
            added.append(source)
          }
        }
      }
    } else {
      known = wanted
    }
    for source in added {
      try await session.output.write("Added \(TerminalText(source.word))\n")
    }
    for source in known where !added.contains(source) {
      session.errors.write("\(source.word) is already on the list.")
    }
    if !added.isEmpty, session.style.layout == .table {
      session.errors.write(
        "'issues sync --all' mirrors the repositories on the list.", style: .faint)
    }
  }
}

extension [MirrorSource] {
  fileprivate func isMissing(any others: [MirrorSource]) -> Bool {
    others.contains { other in !contains(where: other.isSame) }
  }
}
