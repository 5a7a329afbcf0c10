internal import IssueMirror

extension MirrorFailure {
  /// `place` is a description of the database without a password.
  init(any error: any Error, in place: String) {
    switch error {
    case let failure as MirrorFailure: self = failure
    case let failure as PostgresFailure: self.init(failure, in: place)
    case is CancellationError: self.init(.cancelled, "The work on the mirror was cancelled.")
    default: self.init(.database, "The mirror in \(place) can't be used: \(error)")
    }
    isOfServer = true
  }

  /// Maps PostgreSQL's error codes: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
  private init(_ failure: PostgresFailure, in place: String) {
    switch failure.sqlState {
    case nil, "28000", "28P01", "3D000", "53300", "57P01", "57P02", "57P03":
      self.init(.cannotOpen, "The mirror in \(place) can't be reached: \(failure).")
    case let state? where state.hasPrefix("08"):
      self.init(.cannotOpen, "The mirror in \(place) can't be reached: \(failure).")
    case "53100", "53200":
      self.init(
        .full, "The server of the mirror in \(place) has no space left: \(failure). Run this again."
      )
    case "25006":
      self.init(
        .readOnly, "The mirror in \(place) can't be written to: \(failure). It can still be read.")
    case "42501":
      self.init(.readOnly, "The mirror in \(place) doesn't allow this role to do that: \(failure).")
    case "40001", "40P01", "55P03":
      self.init(.busy, "The mirror in \(place) is locked by others: \(failure). Run this again.")
    case "57014":
      self.init(.queryTooCostly, "The mirror in \(place) took too long: \(failure).")
    case "3F000", "42P01", "42703":
      self.init(.damaged, "The mirror in \(place) lacks a part: \(failure).")
    case "XX001", "XX002":
      self.init(.damaged, "The mirror in \(place) is damaged: \(failure).")
    default: self.init(.database, "The mirror in \(place) can't be used: \(failure).")
    }
  }
}
