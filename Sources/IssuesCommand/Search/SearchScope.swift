internal import IssueMirror

/// The repositories to search: those of `--repo`, else of `GH_REPO`, else of the clone, else all.
///
/// A repository that the search itself names (`repo:`) is matched against all.
struct SearchScope: Sendable {
  let server: GitHubServer
  /// Empty for all.
  let names: [RepositoryName]
  /// The repositories that the search itself names.
  private let named: [RepositoryName]
  /// Without names, the search is then limited to this server's repositories.
  private let isServerNamed: Bool

  /// Throws if the repositories are on several servers.
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

  /// Throws an error with instructions if a repository isn't mirrored.
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
