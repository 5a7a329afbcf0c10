internal import IssueMirror

/// Where a search looks: in the repositories that are named, else in that of GH_REPO, else in that of the clone
/// that the user stands in, else in all there are. One that the search itself names (`repo:`) is looked for in all.
struct SearchScope: Sendable {
  /// The server.
  let server: GitHubServer
  /// The repositories; none for all.
  let names: [RepositoryName]
  /// Those that the search names.
  private let named: [RepositoryName]
  /// Whether only those of the server are meant, without names too.
  private let isServerNamed: Bool

  /// Reads the values of `--repo`.
  ///
  /// - Parameters:
  ///   - arguments: The values.
  ///   - named: The repositories that the search names.
  ///   - namesPlace: Whether the search says where to look, in whatever words.
  ///   - connection: Which server is meant where the values name none.
  ///   - environment: Where `GH_HOST` and `GH_REPO` are looked up, and `git`.
  /// - Throws: ``InvalidInput``, and ``CommandFailure`` where they are on several servers.
  init(
    _ arguments: [String], _ named: [RepositoryName], namesPlace: Bool,
    _ connection: ConnectionSettings, environment: [String: String]
  ) async throws {
    var references = try arguments.map { try RepositoryReference(parsing: $0) }
    if references.isEmpty, !namesPlace {
      if let preset = try RepositoryChoice.preset(in: environment) {
        references = [preset]
      } else if let own = try? await GitRemotes.repository(environment: environment) {
        references = [own]
      }
    }
    let servers = try references.map {
      try connection.server(host: $0.host, environment: environment)
    }
    guard Set(servers).count <= 1 else {
      throw CommandFailure(.usage, "search one server at a time: these are on several")
    }
    server = try servers.first ?? connection.server(host: nil, environment: environment)
    names = references.map(\.name)
    self.named = named
    isServerNamed = connection.request.apiURL != nil
  }

  /// The repositories that it is, in the mirror.
  ///
  /// - Throws: ``CommandFailure`` that says what isn't mirrored and what to do, and `MirrorFailure`.
  func repositories(
    in session: CommandSession
  ) async throws -> (mirror: any IssueReader, repositories: [MirroredRepository]) {
    guard let mirror = try session.existingMirror() else {
      throw missing(names.first ?? named.first)
    }
    guard !names.isEmpty else {
      let all = try await mirror.repositories().filter { !isServerNamed || $0.host == server.host }
      if all.isEmpty { throw missing(named.first) }
      let present = Set(all.map { $0.fullName.lowercased() })
      for name in named where !present.contains(name.description.lowercased()) {
        guard try await mirror.repository(named: name, on: server) != nil else {
          throw missing(name)
        }
      }
      return (mirror, all)
    }
    var found: [MirroredRepository] = []
    for name in names {
      guard let repository = try await mirror.repository(named: name, on: server) else {
        throw missing(name)
      }
      if !found.contains(where: { $0.id == repository.id }) { found.append(repository) }
    }
    return (mirror, found)
  }

  private func missing(_ name: RepositoryName?) -> CommandFailure {
    guard let name else {
      let subject = isServerNamed ? "nothing of \(server)" : "nothing"
      return CommandFailure(
        .notFound,
        "\(subject) is mirrored on this machine\n"
          + "Mirror a repository with 'issues sync OWNER/REPO', or ask GitHub with --remote.")
    }
    let typed = server == .github ? "\(name)" : "\(server.host)/\(name)"
    return CommandFailure(
      .notFound,
      "\(typed) is not mirrored on this machine\n"
        + "Mirror it with '\(server.syncCommand(name))', or ask the server with --remote.")
  }
}
