/// An error of a server or of libpq. The message never contains values, a password or a connection string.
struct PostgresFailure: Error, Sendable, CustomStringConvertible {
  /// <https://www.postgresql.org/docs/current/errcodes-appendix.html>; nil if it isn't from a server.
  var sqlState: String?
  var message: String
  /// Whether the connection is gone.
  var isLost = false

  init(_ message: String, sqlState: String? = nil, isLost: Bool = false) {
    self.message = message
    self.sqlState = sqlState
    self.isLost = isLost
  }

  var description: String { sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message }

  /// Whether two transactions conflicted, so that this one may succeed later: a serialization failure or a deadlock.
  var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" }
}
