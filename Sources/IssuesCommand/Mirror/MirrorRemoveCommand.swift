internal import ArgumentParser
internal import IssueMirror
internal import StyledText

struct MirrorRemoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove repositories from the mirror.",
    usage: "issues mirror remove [--yes] OWNER/REPO …",
    discussion: """
      Asks for confirmation; without a terminal, --yes is required. Nothing is removed from the \
      server, and 'issues sync' creates the mirror again. --id chooses between repositories that \
      had the same name at different times; 'issues mirror --json full_name,id' lists the ids.

      EXAMPLES:
        issues mirror remove swiftlang/swift
        issues mirror remove github.example.com/team/project --yes
        issues mirror remove octo/cat --id 1296269
      """)

  @Argument(
    help: ArgumentHelp("A repository.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repositories: [String] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "A repository, like the argument; repeat it for several.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repo: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only the repository with this id, if several have had the name.", valueName: "number"))
  var id: Int64?

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @Option(help: "When to use colours.")
  var color = ColorChoice.automatic

  func validate() throws {
    // Neither a variable nor the current directory decides what is removed.
    guard !(repositories + repo).isEmpty else {
      throw ValidationError("Say which mirror to remove: OWNER/REPO.")
    }
  }

  private static let mostNames = 10

  static let terminalUse = TerminalUse.unpaged

  static func needsNetwork(_ arguments: [String]) -> Bool { false }

  func run(in session: CommandSession) async throws {
    // If one name is wrong, nothing is removed.
    var found: [MirroredRepository] = []
    for reference in try (repositories + repo).map({ try RepositoryReference(parsing: $0) }) {
      let place = try await mirrored(Place(reference, environment: session.environment), session)
      // A repository that had the name before goes too.
      let name = place.repository.typedName.lowercased()
      for repository in try await place.mirror.repositories()
      where repository.typedName.lowercased() == name
        && (id == nil || id == repository.serverID)
        && !found.contains(where: { $0.id == repository.id })
      {
        found.append(repository)
      }
    }
    if let id, found.isEmpty {
      throw CommandFailure(
        .notFound,
        "there is no mirror of a repository with that name and the id \(id)\n"
          + "'issues mirror --json full_name,id' lists them.")
    }
    let names = found.map(\.typedName).joined(separator: ", ")
    if !yes, try await !Question.ask("Remove the mirror of \(names)?") {
      throw CommandFailure(.cancelled, "")
    }
    let mirror = try session.mirror()
    for repository in found {
      try await mirror.remove(repository)
      try await session.output.write(
        "Removed the mirror of \(TerminalText(repository.typedName))\n")
    }
  }

  private func mirrored(
    _ place: Place, _ session: CommandSession
  ) async throws -> MirroredPlace {
    let mirror = try session.existingMirror()
    if let mirror, let repository = try await mirror.repository(named: place.name, on: place.server)
    {
      return MirroredPlace(mirror: mirror, repository: repository)
    }
    let names = try await mirror?.repositories().map(\.typedName) ?? []
    let (first, more) = (names.prefix(Self.mostNames), max(0, names.count - Self.mostNames))
    let list = first.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    throw CommandFailure(
      .notFound,
      "there is no mirror of \(place) on this machine\n"
        + (names.isEmpty ? "Nothing is mirrored." : "Mirrored: \(list)."))
  }
}
