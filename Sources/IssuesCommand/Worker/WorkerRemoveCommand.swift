internal import ArgumentParser
internal import IssueMirrorPostgres
internal import StyledText

struct WorkerRemoveCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Take repositories out of the queue of the workers. Their mirrors stay.",
    usage: "issues worker remove [<options>] OWNER/REPO …",
    discussion: """
      A worker that is syncing one of them finishes it. 'issues mirror remove' removes the \
      mirror, and also removes the repository from the queue.

      EXAMPLES:
        issues worker remove swiftlang/swift
      """)

  @Argument(
    help: ArgumentHelp("A repository.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repositories: [String]

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  @Option(
    help: ArgumentHelp(
      "The URL of the API. It replaces the host's own: https, or http on this machine.",
      valueName: "url"))
  var apiURL: String?

  static let terminalUse = TerminalUse.unpaged

  func run(in session: CommandSession) async throws {
    // If one name is invalid, nothing is removed.
    let places = try repositories.map { name in
      try Place(
        RepositoryReference(parsing: name), apiURL: apiURL, environment: session.environment)
    }
    let mirror = try await session.queueMirror()
    var missing: [Place] = []
    for place in places {
      if try await mirror.dequeue([place.name], on: place.server) == 0 {
        missing.append(place)
      } else {
        try await session.output.write("Removed \(TerminalText(place.description))\n")
      }
    }
    guard missing.isEmpty else {
      throw CommandFailure(
        .notFound, "not in the queue: \(missing.map(\.description).joined(separator: ", "))")
    }
  }
}
