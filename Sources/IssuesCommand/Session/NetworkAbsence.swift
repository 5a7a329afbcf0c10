internal import IssueMirror

/// A network that is away, which the mirror may stand in for.
///
/// That is a server that has no address, or that there is no connection to. A certificate that isn't trusted, an
/// answer that is damaged, and a server that has a problem of its own have to be seen: what an older answer hides
/// would go on for long.
struct NetworkAbsence: Sendable {
  private let failure: CommandFailure
  private let server: GitHubServer
  private let session: CommandSession

  /// Makes it of what a command failed with; nil for every other failure.
  init?(_ failure: CommandFailure, of server: GitHubServer, _ session: CommandSession) {
    guard failure.isNetworkAway else { return nil }
    self.failure = failure
    self.server = server
    self.session = session
  }

  /// What the mirror keeps of a repository, for a person to see.
  ///
  /// - Throws: The failure where that is nothing, or not yet all, or where the mirror can't be read: that is another
  ///   matter. In a pipe it stands too: whoever reads there isn't told how old the answer is, and has to ask for it.
  func mirrored(_ name: RepositoryName) async throws(CommandFailure) -> MirroredPlace {
    guard let place = try? await session.mirrored(name, on: server), place.repository.isComplete
    else { throw failure }
    guard session.style.layout == .table else {
      throw CommandFailure(
        failure.status,
        "\(reason)\nCheck the connection and try again, or ask for the mirror with --offline: it was "
          + "\(place.repository.age()).")
    }
    return place
  }

  /// Says that the mirror is shown.
  ///
  /// - Parameters:
  ///   - place: What is shown.
  ///   - withComments: Whether comments are shown too.
  func announce(_ place: MirroredPlace, withComments: Bool = false) {
    session.progress.finish()
    session.errors.write(
      "\(server) can't be reached (\(reason)): showing the mirror of \(place.repository.fullName), "
        + "\(place.repository.age(withComments: withComments)).")
  }

  /// What happened; the lines after it say what to do.
  private var reason: Substring { failure.message.prefix { $0 != "\n" } }
}
