internal import ArgumentParser
internal import IssueMirror
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct MirrorRemoveCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove repositories from the mirror, and names from its list.",
    usage: """
      issues mirror remove [--yes] [--keep] OWNER/REPO | 'OWNER/PATTERN' …
      issues mirror remove [--yes] [--keep] [--org NAME] … [--mine] [--starred]
      """,
    discussion: """
      Removes names from the list of 'issues mirror add', and removes the mirrors of the repositories \
      that they stand for, unless another name on the list stands for them too. With --keep, the \
      mirrors stay. A repository that isn't on the list only loses its mirror.

      Asks for confirmation; without a terminal, --yes is required. Nothing is removed from the \
      server, and 'issues sync' creates the mirror again. --id chooses between repositories that \
      had the same name at different times; 'issues mirror --json full_name,id' lists the ids.

      EXAMPLES:
        issues mirror remove swiftlang/swift
        issues mirror remove github.example.com/team/project --yes
        issues mirror remove octo/cat --id 1296269
        issues mirror remove --org swiftlang --keep
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
      "Only the repository with this id. Several may have had the name.", valueName: "number"))
  var id: Int64?

  @OptionGroup var sources: MirrorSourceOptions
  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @Flag(help: "Keep the mirrors, and change the list only.")
  var keep = false

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  func validate() throws {
    // The repositories to remove must be named: neither a variable nor the current directory selects them.
    guard !(repositories + repo).isEmpty || !sources.isEmpty else {
      throw ValidationError(
        "Specify the mirror to remove: OWNER/REPO, a pattern, --org NAME, --mine or --starred.")
    }
  }

  static let terminalUse = TerminalUse.unpaged

  func run(in session: CommandSession) async throws {
    // If one name is invalid, nothing is removed.
    let unwanted = try sources.sources(repositories + repo)
    let list = try session.mirrorSources()
    let listed = list.filter { source in unwanted.contains(where: source.isSame) }
    let rest = list.filter { !listed.contains($0) }
    var found: [MirroredRepository] = []
    for source in unwanted {
      let isListed = listed.contains(where: source.isSame)
      guard case .repository(let reference) = source else {
        guard isListed else {
          throw CommandFailure(
            .notFound,
            "\(source.word) isn't on the list of mirrors\n"
              + (list.isEmpty
                ? "The list is empty." : "There: \(list.map(\.word).joined(separator: ", "))."))
        }
        continue
      }
      found += try await mirrors(of: reference, session, mayLack: isListed).filter { repository in
        !found.contains { $0.id == repository.id }
      }
    }
    // Repositories that were mirrored only because of these names are also removed.
    if !keep, let mirror = try await session.existingMirror() {
      let environment = session.environment
      let (reasons, others) = (
        MirrorReasons(of: listed.filter(\.isList), environment: environment),
        MirrorReasons(of: rest, environment: environment)
      )
      found += try await mirror.repositories().filter { repository in
        !reasons.of(repository).isEmpty && others.of(repository).isEmpty
          && !found.contains { $0.id == repository.id }
      }
    }
    if keep { found = [] }
    if !yes, !found.isEmpty,
      try await !Question.ask("Remove the mirror of \(found.map(\.typedName).fewNames)?")
    {
      throw CommandFailure(.cancelled, "")
    }
    if !listed.isEmpty {
      try session.configurationFile().saveMirror { sources in
        sources.removeAll { source in unwanted.contains(where: source.isSame) }
      }
      for source in listed {
        try await session.output.write("Removed \(TerminalText(source.word)) from the list\n")
      }
    }
    guard !found.isEmpty else { return }
    let mirror = try await session.mirror()
    let reasons = MirrorReasons(of: rest, environment: session.environment)
    for repository in found {
      try await mirror.remove(repository)
      if let path = VectorFile.path(in: session.environment), unsafe access(path, F_OK) == 0 {
        try await VectorFile(path: path).removeAll(of: repository)
      }
      try await session.output.write(
        "Removed the mirror of \(TerminalText(repository.typedName))\n")
      if let reason = reasons.of(repository).first {
        session.errors.write(
          "\(reason.word) still stands for \(repository.typedName): the next 'issues sync --all' mirrors it again."
        )
      }
    }
  }

  /// The mirrors of a repository. They include a repository that had the name before.
  private func mirrors(
    of reference: RepositoryReference, _ session: CommandSession, mayLack: Bool
  ) async throws -> [MirroredRepository] {
    let place = try Place(reference, environment: session.environment)
    guard mayLack || !keep else {
      throw CommandFailure(.notFound, "\(place) isn't on the list of mirrors")
    }
    let known = try await session.existingMirror()?.repository(named: place.name, on: place.server)
    if mayLack, known == nil { return [] }
    let mirrored = try await mirrored(place, session)
    let name = mirrored.repository.typedName.lowercased()
    let found = try await mirrored.mirror.repositories().filter {
      $0.typedName.lowercased() == name && (id == nil || id == $0.serverID)
    }
    if let id, found.isEmpty {
      throw CommandFailure(
        .notFound,
        "there is no mirror of a repository with that name and the id \(id)\n"
          + "'issues mirror --json full_name,id' lists them.")
    }
    return found
  }

  private func mirrored(
    _ place: Place, _ session: CommandSession
  ) async throws -> MirroredPlace {
    let mirror = try await session.existingMirror()
    if let mirror, let repository = try await mirror.repository(named: place.name, on: place.server)
    {
      return MirroredPlace(mirror: mirror, repository: repository)
    }
    let known = try await mirror?.repositories().map(\.typedName) ?? []
    throw CommandFailure(
      .notFound,
      "there is no mirror of \(place) \(session.mirrorPlace)\n"
        + (known.isEmpty ? "Nothing is mirrored." : "Mirrored: \(known.fewNames)."))
  }
}
