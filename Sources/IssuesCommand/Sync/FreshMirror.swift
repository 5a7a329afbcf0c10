internal import IssueMirror

/// The mirror as an answer that may have some age: what is older is brought up to date first.
struct FreshMirror: Sendable {
  /// How old an answer may be.
  let maximumAge: Duration
  let connection: ConnectionSettings
  let session: CommandSession
  /// Whether a person whose network is away gets the mirror as it is.
  let standsIn: Bool
  private let options = RepositorySync.Options()
  private let connections: ServerConnections

  init(
    maximumAge: Duration, connection: ConnectionSettings, session: CommandSession,
    standsIn: Bool = true
  ) {
    self.maximumAge = maximumAge
    self.connection = connection
    self.session = session
    self.standsIn = standsIn
    let jobs = options.jobs
    connections = ServerConnections { server in
      try await connection.syncConnection(
        to: server, session, wait: connection.wait.wait, jobs: jobs)
    }
  }

  /// Finds a repository, as fresh as it has to be.
  ///
  /// - Parameters:
  ///   - name: The repository.
  ///   - server: The server that it is on.
  ///   - withComments: Whether comments are wanted too.
  ///   - syncsAnyway: Whether it is brought up to date however young it is.
  /// - Returns: Where it is; nil where not all that is wanted of it is mirrored, so that the server has to be asked.
  /// - Throws: ``CommandFailure`` where it can't be brought up to date, and `MirrorFailure`. A person whose network
  ///   is away gets it as it is, and is told.
  func place(
    of name: RepositoryName, on server: GitHubServer, withComments: Bool,
    syncsAnyway: Bool = false
  ) async throws -> MirroredPlace? {
    guard let mirror = try session.existingMirror(),
      let repository = try await mirror.repository(named: name, on: server),
      repository.isComplete, !withComments || repository.commentsSyncedTo != nil
    else { return nil }
    if !syncsAnyway, repository.isYounger(than: maximumAge, withComments: withComments) {
      return MirroredPlace(mirror: mirror, repository: repository)
    }
    do {
      return MirroredPlace(mirror: mirror, repository: try await synced(name, on: server))
    } catch let error as CommandFailure {
      return try await standIn(for: name, on: server, withComments: withComments, error)
    }
  }

  /// Brings a mirrored repository up to date, where it is older than it may be or not whole.
  ///
  /// - Parameter repository: What is searched, with its comments.
  /// - Returns: The repository as it is then.
  /// - Throws: ``CommandFailure`` where that can't be done. A person whose network is away gets it as it is, and is
  ///   told.
  func renewed(_ repository: MirroredRepository) async throws -> MirroredRepository {
    if repository.isComplete, repository.isYounger(than: maximumAge, withComments: true) {
      return repository
    }
    guard let name = RepositoryName(repository.fullName) else { return repository }
    guard connection.request.apiURL != nil || !repository.isOnLoopback else {
      throw CommandFailure(
        .usage,
        "the mirror of \(repository.typedName) is older than that\nA server on this machine is named "
          + "by --api-url, so that it can be asked.")
    }
    let server = try connection.server(host: repository.host, environment: session.environment)
    do {
      return try await synced(name, on: server)
    } catch let error as CommandFailure {
      return try await standIn(for: name, on: server, withComments: true, error).repository
    }
  }

  private func standIn(
    for name: RepositoryName, on server: GitHubServer, withComments: Bool,
    _ failure: CommandFailure
  ) async throws(CommandFailure) -> MirroredPlace {
    guard standsIn, let absence = NetworkAbsence(failure, of: server, session) else {
      throw failure
    }
    let place = try await absence.mirrored(name)
    absence.announce(place, withComments: withComments)
    return place
  }

  private func synced(
    _ name: RepositoryName, on server: GitHubServer
  ) async throws -> MirroredRepository {
    let connection = try await connections.connection(to: server)
    let run = SyncRun(
      mirror: try session.mirror(), session: session, options: options, fields: nil)
    return try await run.sync(SyncPlan.Place(name: name, connection: connection)).repository
  }
}
