internal import IssueMirror

/// A network that is away, which the mirror may stand in for.
///
/// That is what ends with the status of a network failure: a server that can't be reached, that doesn't answer,
/// or that has a problem of its own. What a server answers to the question itself, as that there is no such
/// repository or that a limit is used up, is the answer.
struct NetworkAbsence: Sendable {
  private let reason: Substring
  private let server: GitHubServer
  private let session: CommandSession

  /// Makes it of what a command failed with; nil for what is no failure of the network.
  init?(_ failure: CommandFailure, of server: GitHubServer, _ session: CommandSession) {
    guard failure.status == .network else { return nil }
    // The lines after the first say what to do.
    reason = failure.message.prefix { $0 != "\n" }
    self.server = server
    self.session = session
  }

  /// Finds what the mirror keeps of a repository.
  ///
  /// - Returns: What it keeps; nil where that is nothing, or not yet all: then the failure stands. It stands too
  ///   where the mirror can't be read: that is another matter.
  func mirrored(_ name: RepositoryName) async -> MirroredPlace? {
    guard let place = try? await session.mirrored(name, on: server), place.repository.isComplete
    else { return nil }
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
}
