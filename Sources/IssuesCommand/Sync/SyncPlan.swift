internal import IssueMirror

/// Finds out which repositories are to be synced, and makes the connections to their servers.
actor SyncPlan {
  /// A repository to be synced, and how to ask for it.
  struct Place: Sendable {
    /// The name, as it was typed or as it is kept.
    let name: RepositoryName
    /// Its server.
    let connection: Connection
  }

  private let session: CommandSession
  private let request: RequestSettings
  private let connections: ServerConnections

  init(
    session: CommandSession, request: RequestSettings,
    connect: @escaping @Sendable (GitHubServer) async throws -> Connection
  ) {
    self.session = session
    self.request = request
    connections = ServerConnections(connect: connect)
  }

  /// The repositories that the words name; without any that of GH_REPO or the clone, or all that are mirrored.
  func places(named words: [String]) async throws -> [Place] {
    guard !words.isEmpty else { return try await unnamed() }
    // All of them first: a name that is none is told before anything is asked.
    let references = try words.map { try RepositoryReference(parsing: $0) }
    var places: [Place] = []
    var seen: Set<String> = []
    for reference in references {
      let server = try request.server(host: reference.host, environment: session.environment)
      guard seen.insert("\(server.host)/\(reference.name)".lowercased()).inserted else { continue }
      places.append(
        Place(name: reference.name, connection: try await connections.connection(to: server)))
    }
    return places
  }

  private func unnamed() async throws -> [Place] {
    let failure: GitRemotes.Failure
    do {
      let reference = try await RepositoryChoice(nil, option: nil)
        .reference(environment: session.environment)
      let server = try request.server(host: reference.host, environment: session.environment)
      return [Place(name: reference.name, connection: try await connections.connection(to: server))]
    } catch let error as GitRemotes.Failure {
      failure = error
    }
    // What is wrong with a clone is for its owner to hear.
    guard failure == .notARepository || failure == .gitUnavailable else { throw failure }
    var mirrored = try await mirrored()
    guard !mirrored.isEmpty else {
      throw CommandFailure(
        .usage, "nothing is mirrored yet, and \(failure)\nName a repository: issues sync OWNER/REPO"
      )
    }
    if request.apiURL == nil {
      let local = mirrored.filter(\.isOnLoopback).map(\.typedName).joined(separator: ", ")
      mirrored.removeAll(where: \.isOnLoopback)
      let advice = "a server on this machine is named by --api-url: \(local)"
      guard !mirrored.isEmpty else { throw CommandFailure(.usage, advice) }
      if !local.isEmpty { session.errors.write("Not synced, as \(advice)") }
    }
    if session.style.layout == .table {
      let names = mirrored.map(\.typedName).joined(separator: ", ")
      session.errors.write("Syncing what is mirrored: \(names)")
    }
    var places: [Place] = []
    for repository in mirrored {
      guard let name = RepositoryName(repository.fullName) else { continue }
      let server = try request.server(host: repository.host, environment: session.environment)
      places.append(Place(name: name, connection: try await connections.connection(to: server)))
    }
    return places
  }

  /// What is mirrored already: where the URL of an API is given, of that server.
  private func mirrored() async throws -> [MirroredRepository] {
    guard let mirror = try session.existingMirror() else { return [] }
    let host = try request.apiURL.map { try GitHubServer(apiURL: $0).host }
    return try await mirror.repositories().filter { host == nil || $0.host == host }
  }

  /// The repositories that the token's user owns or takes part in, those without issues left out.
  func ownRepositories() async throws -> [Place] {
    let server = try request.server(host: nil, environment: session.environment)
    let connection = try await connections.connection(to: server)
    guard connection.tokenSource != nil else {
      let variable = AccessToken.environmentVariables(for: server)[0]
      throw CommandFailure(
        .badCredentials,
        "--all-mine takes an access token for \(server), and there is none\n"
          + "Set \(variable), or log in with gh.")
    }
    session.progress.update("Asking for your repositories…")
    let pages = PagedListing<Repository>(
      provider: connection.provider, first: .ownRepositories(pageSize: 100))
    var places: [Place] = []
    do throws(NetworkError) {
      for try await page in pages {
        places += page.items.compactMap { repository in
          guard repository.hasIssues, let name = RepositoryName(repository.fullName) else {
            return nil
          }
          return Place(name: name, connection: connection)
        }
      }
    } catch {
      throw connection.explanation(of: error, "your repositories")
    }
    return places
  }
}
