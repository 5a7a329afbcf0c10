internal import IssueMirror

/// How fresh an answer has to be: the server's, the mirror's of any age, or the mirror's of a limited age.
struct Freshness: Sendable, Hashable {
  var isOffline = false
  var maximumAge: Duration?

  /// The mirror, if it is to answer, and says what a reader has to know of its age; nil for the server's answer.
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

  /// The mirror that may answer, if there is one. Says nothing.
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
