internal import IssueTracker

/// Which server to ask, or none, and what to do when it limits the rate of requests.
struct ConnectionSettings: Hashable, Sendable {
  /// Which server, and how.
  var request = RequestSettings()
  /// How long to wait when the server limits the rate of requests.
  var wait = WaitArgument.standard

  /// Finds the server.
  ///
  /// - Throws: ``InvalidInput``, saying what is accepted as a host or a URL.
  func server(
    host: String?, environment: [String: String]
  ) throws(InvalidInput) -> GitHubServer {
    try request.server(host: host, environment: environment)
  }

  /// Makes the connection to a server.
  ///
  /// - Throws: ``CommandFailure`` when what should be the token can't be one.
  func connection(
    to server: GitHubServer, _ session: CommandSession
  ) async throws(CommandFailure) -> Connection {
    let notice = session.waitNotice(for: server)
    return try await request.connection(
      to: server, session,
      rateLimits: RateLimitInterceptor(maximumWait: wait.wait, onWait: { notice.tell($0) }))
  }

  /// Makes the connection that a mirror is synced by. Answers aren't kept twice: the mirror knows itself what it has.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - session: Who is told of waits.
  ///   - wait: How long to wait when the server limits the rate of requests.
  ///   - jobs: How many requests may be under way at once.
  /// - Returns: The connection.
  /// - Throws: ``CommandFailure`` when what should be the token can't be one.
  func syncConnection(
    to server: GitHubServer, _ session: CommandSession, wait: RateLimitWait, jobs: Int
  ) async throws(CommandFailure) -> Connection {
    let notice = session.waitNotice(for: server)
    let pace = PointsPerMinute.value(for: server, in: session.environment)
    let rateLimits = RateLimitInterceptor(
      maximumWait: wait, maximumInFlight: jobs, pointsPerMinute: pace,
      onWait: { notice.tell($0) })
    return try await request.connection(
      to: server, session, rateLimits: rateLimits, mayUseCache: false, connections: jobs)
  }
}
