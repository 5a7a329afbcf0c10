internal import ArgumentParser
internal import IssueMirror

/// The maximum age of the mirror for a command that reads it, and the way to sync an older one.
struct MirrorReadingOptions: ConnectingOptions {
  @Option(
    help: ArgumentHelp(
      "Sync first, unless that was done within this time. The time is such as 10m, 2h or 1d.",
      valueName: "duration"),
    transform: ValueReader.age)
  var maxAge: AgeArgument?

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  /// Throws if an option is given that a command doesn't use for its mirror.
  func validateForMirror() throws {
    guard !connection.request.stub else {
      throw ValidationError("Sample data isn't mirrored: leave out --stub.")
    }
    if maxAge == nil, let option = connection.wayOfAsking {
      throw ValidationError("\(option) applies to the server, which only --max-age contacts.")
    }
  }

  /// The mirrored repository. Throws instructions to mirror the repository if it isn't mirrored.
  func mirrored(
    _ choice: RepositoryChoice, withComments: Bool = false, in session: CommandSession
  ) async throws -> MirroredPlace {
    let place = try await session.place(of: choice, apiURL: connection.request.apiURL)
    if let maxAge {
      let fresh = FreshMirror(
        maximumAge: maxAge.duration, session, request: connection.request,
        wait: connection.wait.wait)
      if let mirrored = try await fresh.mirrored(place, withComments: withComments) {
        return mirrored
      }
    }
    return try await session.mirrored(place)
  }

  /// The mirrored repository. Throws if it isn't mirrored, or if its first sync was never completed.
  func wholeMirror(
    of choice: RepositoryChoice, withComments: Bool = false, in session: CommandSession
  ) async throws -> MirroredPlace {
    let place = try await mirrored(choice, withComments: withComments, in: session)
    guard place.repository.isComplete else { throw place.repository.incompleteness }
    return place
  }
}
