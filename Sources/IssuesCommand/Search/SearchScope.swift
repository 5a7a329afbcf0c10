internal import IssueMirror

/// The repositories to search: those of `--repo`, or else of `GH_REPO`, or else of the clone, or else all.
///
/// A repository that the search itself names (`repo:`) is looked for among all repositories.
struct SearchScope: Sendable {
  let server: GitHubServer
  /// The names of the repositories; empty for all.
  let names: [RepositoryName]
  /// The repositories that the search itself names.
  private let named: [RepositoryName]
  /// Whether the server is specified. Without names, the search is then limited to its repositories.
  private let isServerNamed: Bool

  /// Creates a scope. Throws if the repositories are on several servers.
  init(
    _ arguments: [String], _ named: [RepositoryName], namesPlace: Bool, apiURL: String?,
    _ session: CommandSession
  ) async throws {
    let environment = session.environment
    var references = try arguments.map { try RepositoryReference(parsing: $0) }
    if references.isEmpty, !namesPlace {
      if let preset = try RepositoryChoice.preset(in: environment) {
        references = [preset]
      } else if let own = try? await GitRemotes.repository(environment: environment) {
        references = [own]
      }
    }
    let places = try references.map { try Place($0, apiURL: apiURL, environment: environment) }
    guard Set(places.map(\.server)).count <= 1 else {
      throw CommandFailure(.usage, "search one server at a time: these repositories are on several")
    }
    server = try places.first?.server ?? session.server(apiURL: apiURL)
    names = places.map(\.name)
    self.named = named
    isServerNamed = apiURL != nil
  }

  /// The mirrored repositories of the scope. Throws instructions if a repository isn't mirrored.
  func repositories(
    in session: CommandSession
  ) async throws -> (mirror: any IssueReader, repositories: [MirroredRepository]) {
    guard let mirror = try await session.existingMirror() else {
      throw missing(names.first ?? named.first, session)
    }
    guard !names.isEmpty else {
      let all = try await mirror.repositories().filter { !isServerNamed || $0.host == server.host }
      if all.isEmpty { throw missing(named.first, session) }
      let present = Set(all.map { $0.fullName.lowercased() })
      for name in named where !present.contains(name.description.lowercased()) {
        guard try await mirror.repository(named: name, on: server) != nil else {
          throw missing(name, session)
        }
      }
      return (mirror, all)
    }
    var found: [MirroredRepository] = []
    for name in names {
      guard let repository = try await mirror.repository(named: name, on: server) else {
        throw missing(name, session)
      }
      if !found.contains(where: { $0.id == repository.id }) { found.append(repository) }
    }
    return (mirror, found)
  }

  private func missing(
    _ name: RepositoryName?, _ session: CommandSession
  ) -> CommandFailure {
    guard let name else {
      return session.absence(
        ofAnyMirrorOf: isServerNamed ? "nothing of \(server)" : "nothing", mayAskServer: true)
    }
    return session.absence(ofMirror: Place(name: name, server: server), mayAskServer: true)
  }
}
