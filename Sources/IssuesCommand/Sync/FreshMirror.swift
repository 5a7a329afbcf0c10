internal import IssueMirror

/// A mirror with a maximum age: an older one is synced first.
struct FreshMirror: Sendable {
  private let maximumAge: Duration
  private let request: RequestOptions
  private let session: CommandSession
  private let standsIn: Bool
  private let sync: SyncSession

  /// Creates the access without sending a request. If the network is unreachable, a mirror that may be used instead is
  /// shown unsynced to a user on a terminal.
  init(
    maximumAge: Duration, _ session: CommandSession, request: RequestOptions,
    wait: RateLimitWait = WaitArgument.standard.wait, standsIn: Bool = true
  ) {
    self.maximumAge = maximumAge
    self.request = request
    self.session = session
    self.standsIn = standsIn
    sync = SyncSession(session, request: request, wait: wait)
  }

  /// Finds a repository, and syncs it if it is too old; nil if some of the requested data isn't mirrored.
  ///
  /// If the network is unreachable, a user on a terminal gets the unsynced mirror and a note.
  func mirrored(
    _ place: Place, withComments: Bool, syncsAnyway: Bool = false
  ) async throws -> MirroredPlace? {
    guard let mirror = try await session.existingMirror(),
      let repository = try await mirror.repository(named: place.name, on: place.server),
      repository.isComplete, !withComments || repository.commentsSyncedTo != nil
    else { return nil }
    if !syncsAnyway, repository.isYounger(than: maximumAge, withComments: withComments) {
      return MirroredPlace(mirror: mirror, repository: repository)
    }
    do {
      return MirroredPlace(mirror: mirror, repository: try await synced(place))
    } catch let error as CommandFailure {
      return try await standIn(for: place, withComments: withComments, error)
    }
  }

  /// Syncs a mirrored repository with its comments if it is too old or incomplete.
  ///
  /// If the network is unreachable, a user on a terminal gets the unsynced mirror and a note.
  func renewed(_ repository: MirroredRepository) async throws -> MirroredRepository {
    if repository.isComplete, repository.isYounger(than: maximumAge, withComments: true) {
      return repository
    }
    guard let name = RepositoryName(repository.fullName) else { return repository }
    guard request.apiURL != nil || !repository.isOnLoopback else {
      throw CommandFailure(
        .usage,
        "the mirror of \(repository.typedName) is older than that\nTo sync from a server on this "
          + "machine, name it with --api-url.")
    }
    let server = try session.server(host: repository.host, apiURL: request.apiURL)
    let place = Place(name: name, server: server)
    do {
      return try await synced(place)
    } catch let error as CommandFailure {
      return try await standIn(for: place, withComments: true, error).repository
    }
  }

  private func standIn(
    for place: Place, withComments: Bool, _ failure: CommandFailure
  ) async throws(CommandFailure) -> MirroredPlace {
    guard standsIn, let absence = NetworkAbsence(failure, of: place, session) else {
      throw failure
    }
    let mirrored = try await absence.mirrored()
    absence.announce(mirrored, withComments: withComments)
    return mirrored
  }

  private func synced(_ place: Place) async throws -> MirroredRepository {
    try await sync.sync(place, to: try await session.mirror()).repository
  }
}
