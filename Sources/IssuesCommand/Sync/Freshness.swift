internal import IssueMirror

/// The required freshness: the server's data, the mirror's data of any age, or the mirror's data up to a maximum age.
struct Freshness: Sendable, Hashable {
  var isOffline = false
  var maximumAge: Duration?

  /// The mirror to use, after a note about its age; nil if the server must be used.
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

  /// The mirror to use, if it exists. Doesn't write a note.
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
