internal import ArgumentParser
internal import IssueMirrorPostgres
internal import StyledText

struct WorkerAddCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add repositories to the queue of the workers.",
    usage: """
      issues worker add [<options>] OWNER/REPO | 'OWNER/PATTERN' …
      issues worker add [--org NAME] … [--mine] [--starred]
      """,
    discussion: """
      Patterns in quotes, --org, --mine and --starred stand for the repositories that the server \
      lists now; add them again from time to time for new ones. Repositories already in the queue \
      become due at once. Creates the tables of the mirror if there are none.

      In a pipe, each name is a line: the number of its repositories, the number of those that are \
      new in the queue, and the name.

      EXAMPLES:
        issues worker add swiftlang/swift apple/swift-nio
        issues worker add --org swiftlang 'apple/swift-*'
        issues worker add swiftlang/swift --priority 10    (before all others)
      """)

  @Argument(
    help: ArgumentHelp(
      "A repository, or a pattern of names, in quotes.", valueName: "repository"),
    completion: .custom(NameCompletion.candidates))
  var repositories: [String] = []

  @OptionGroup var sources: MirrorSourceOptions

  @Option(
    help: ArgumentHelp(
      "The priority, from -1000 to 1000. The highest that is due comes first. (default: 0)",
      valueName: "number"),
    transform: ValueReader.priority)
  var priority = 0

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  @OptionGroup(title: "Connection") var request: RequestOptions

  static let terminalUse = TerminalUse.unpaged

  func validate() throws {
    guard !repositories.isEmpty || !sources.isEmpty else {
      throw ValidationError(
        "Specify what to add: OWNER/REPO, a pattern, --org NAME, --mine or --starred.")
    }
    guard !request.stub else {
      throw ValidationError("Sample data isn't mirrored: it would mix with real data.")
    }
  }

  func run(in session: CommandSession) async throws {
    // If one name is invalid, nothing is added.
    let lookup = SyncSession(session, request: request, wait: .upTo(.seconds(60)))
    var found: [(source: MirrorSource, places: [Place])] = []
    for source in try sources.sources(repositories) {
      found.append(
        (source, try await lookup.targets(of: SyncSelection(sources: [source])).places))
    }
    let mirror = try await session.queueMirror()
    for (source, places) in found {
      var new = 0
      for (server, places) in Dictionary(grouping: places, by: \.server) {
        new += try await mirror.enqueue(
          places.map(\.name), on: server, reason: source.word, priority: priority)
      }
      let word = TerminalText(source.word).string
      try await session.output.write(
        session.style.layout == .table
          ? "\(word): \(places.count == 1 ? "1 repository" : "\(places.count) repositories"), "
            + "\(new) new in the queue.\n"
          : "\(places.count)\t\(new)\t\(word)\n")
    }
  }
}
