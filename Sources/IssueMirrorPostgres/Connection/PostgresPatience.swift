/// The waiting times for a server that doesn't send anything.
///
/// A statement may take as long as it needs: an index over a million rows takes minutes. So a silent server is asked on
/// another connection whether it still responds. If it doesn't, the connection is given up, within ten seconds.
struct PostgresPatience: Sendable {
  /// The time after which a silent server is asked whether it still responds.
  var silence = Duration.seconds(5)
  /// The time to wait for this response. Nil if the server isn't asked, so that silence alone ends the connection.
  var probe: Duration? = .seconds(4)

  /// The time that a canceled statement waits for a silent server.
  static let canceled = Duration.seconds(2)
}
