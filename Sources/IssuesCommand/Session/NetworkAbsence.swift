internal import IssueMirror

/// The absence of a network: a server has no address or can't be connected to. The mirror may be used instead.
///
/// All other failures are reported. Otherwise an untrusted certificate, a damaged response or a failing server would go
/// unnoticed behind older data.
struct NetworkAbsence: Sendable {
  private let failure: CommandFailure
  private let place: Place
  private let session: CommandSession

  /// Returns nil for every other failure.
  init?(_ failure: CommandFailure, of place: Place, _ session: CommandSession) {
    guard failure.isNetworkAway else { return nil }
    self.failure = failure
    self.place = place
    self.session = session
  }

  /// The mirror, on a terminal only. In a pipe the failure is reported, because the reader wouldn't learn the age of
  /// the data.
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

  /// The first line of the message; the other lines are advice.
  private var reason: Substring { failure.message.prefix { !$0.isNewline } }
}
