/// An error from a server or from libpq. The message never contains values, a password or a connection string.
struct PostgresFailure: Error, Sendable, CustomStringConvertible {
  /// The error code (<https://www.postgresql.org/docs/current/errcodes-appendix.html>); nil if the error isn't from a
  /// server.
  var sqlState: String?
  var message: String
  /// Whether the connection was lost.
  var isLost = false

  init(_ message: String, sqlState: String? = nil, isLost: Bool = false) {
    self.message = message
    self.sqlState = sqlState
    self.isLost = isLost
  }

  /// The server stays silent. Its other connections don't respond either, so the work isn't retried at once.
  static let silent = PostgresFailure("the server doesn't respond")

  var description: String { sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message }

  /// Whether two transactions conflicted, so that a retry may succeed: a serialization failure or a deadlock.
  var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" }
}
