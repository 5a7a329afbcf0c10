internal import IssueMirror

/// An unreachable network, for which the mirror may stand in.
///
/// The server has no address, or there is no connection to it. Other failures are always reported: an untrusted
/// certificate, a damaged answer or a failing server would go unnoticed behind an older answer.
struct NetworkAbsence: Sendable {
  private let failure: CommandFailure
  private let place: Place
  private let session: CommandSession

  /// The absence that a failure shows; nil for every other failure.
  init?(_ failure: CommandFailure, of place: Place, _ session: CommandSession) {
    guard failure.isNetworkAway else { return nil }
    self.failure = failure
    self.place = place
    self.session = session
  }

  /// The repository in the mirror, to show to a person.
  ///
  /// - Throws: The failure where the repository isn't wholly mirrored, or the mirror can't be read. In a pipe the
  ///   failure stands too: its reader wouldn't learn how old the answer is, and has to ask for it.
  func mirrored() async throws(CommandFailure) -> MirroredPlace {
    guard let mirrored = try? await session.mirrored(place), mirrored.repository.isComplete
    else { throw failure }
    guard session.style.layout == .table else {
      throw CommandFailure(
        failure.status,
        "\(reason)\nCheck the connection and try again, or ask for the mirror with --offline: it was "
          + "\(mirrored.repository.age()).")
    }
    return mirrored
  }

  /// Says that the mirror is shown.
  func announce(_ mirrored: MirroredPlace, withComments: Bool = false) {
    session.progress.finish()
    session.errors.write(
      "\(place.server) can't be reached (\(reason)): showing the mirror of "
        + "\(mirrored.repository.fullName), \(mirrored.repository.age(withComments: withComments))."
    )
  }

  /// The first line of the failure; the others say what to do.
  private var reason: Substring { failure.message.prefix { $0 != "\n" } }
}
