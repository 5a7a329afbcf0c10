internal import IssueMirror

/// The required freshness: the server's data, the mirror's of any age, or the mirror's of a maximum age.
struct Freshness: Sendable, Hashable {
  var isOffline = false
  var maximumAge: Duration?

  /// The mirror, if it is to be used, after a note about its age; nil for the server.
  func mirror(
    of place: Place, withComments: Bool = false, _ connection: ConnectionOptions,
    _ session: CommandSession
  ) async throws -> MirroredPlace? {
    if isOffline {
      let mirrored = try await session.mirrored(place)
      session.tellAge(
        of: mirrored, withComments: withComments, verbosity: connection.request.verbose,
        maximumAge: maximumAge)
      return mirrored
    }
    guard maximumAge != nil else { return nil }
    guard
      let mirrored = try await knownMirror(
        of: place, withComments: withComments, connection, session)
    else {
      session.tellUnmirrored(place)
      return nil
    }
    session.tellTime(
      of: [mirrored.repository], withComments: withComments, verbosity: connection.request.verbose)
    return mirrored
  }

  /// The mirror to use, if there is one. Writes no note.
  func knownMirror(
    of place: Place, withComments: Bool = false, _ connection: ConnectionOptions,
    _ session: CommandSession
  ) async throws -> MirroredPlace? {
    if isOffline {
      guard let mirror = try await session.existingMirror(),
        let repository = try await mirror.repository(named: place.name, on: place.server)
      else { return nil }
      return MirroredPlace(mirror: mirror, repository: repository)
    }
    guard let maximumAge else { return nil }
    return try await FreshMirror(
      maximumAge: maximumAge, session, request: connection.request, wait: connection.wait.wait
    ).mirrored(place, withComments: withComments)
  }
}
