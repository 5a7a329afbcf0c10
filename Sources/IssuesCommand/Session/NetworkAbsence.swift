internal import IssueMirror

/// A server that has no address or no connection: the mirror may stand in.
///
/// All other failures are reported: an untrusted certificate, a damaged answer or a failing
/// server would go unnoticed behind an older answer.
struct NetworkAbsence: Sendable {
  private let failure: CommandFailure
  private let place: Place
  private let session: CommandSession

  /// nil for every other failure.
  init?(_ failure: CommandFailure, of place: Place, _ session: CommandSession) {
    guard failure.isNetworkAway else { return nil }
    self.failure = failure
    self.place = place
    self.session = session
  }

  /// For a person. In a pipe the failure stands: its reader wouldn't learn how old the answer is.
  func mirrored() async throws(CommandFailure) -> MirroredPlace {
    guard let mirrored = try? await session.mirrored(place), mirrored.repository.isComplete
    else { throw failure }
    guard session.style.layout == .table else {
      throw CommandFailure(
        failure.status,
        "\(reason)\nCheck the connection and try again, or use the mirror with --offline: it was "
          + "\(mirrored.repository.age()).")
    }
    return mirrored
  }

  func announce(_ mirrored: MirroredPlace, withComments: Bool = false) {
    session.progress.finish()
    session.errors.write(
      "\(place.server) can't be reached (\(reason)): showing the mirror of "
        + "\(mirrored.repository.fullName), \(mirrored.repository.age(withComments: withComments))."
    )
  }

  /// The other lines say what to do.
  private var reason: Substring { failure.message.prefix { !$0.isNewline } }
}
