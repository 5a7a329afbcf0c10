internal import ArgumentParser
internal import IssueTracker

/// Which server to ask, or none, and what to do when it limits the rate of requests.
struct ConnectionOptions: ParsableArguments {
  @OptionGroup var request: RequestOptions

  @Option(
    help: ArgumentHelp(
      """
      How long to wait at most when the server limits the rate of requests, such as 90s, 5m or \
      'forever'; 0 stops instead. (default: 60s)
      """, valueName: "duration"),
    transform: ValueReader.wait)
  var wait = WaitArgument.standard

  /// The URL of the API to ask, instead of the host's own.
  var apiURL: String? { request.apiURL }

  /// Whether sample data answers, and nothing else.
  var stub: Bool { request.stub }

  /// An option that says how a server is to be asked; nil where none was given.
  var wayOfAsking: String? {
    if stub { return "--stub" }
    if wait != .standard { return "--wait" }
    if request.timeout != nil { return "--timeout" }
    if request.retries != RetryPolicy().maximumRetries { return "--retries" }
    return request.noCache ? "--no-cache" : nil
  }

  /// Finds the server.
  ///
  /// - Parameters:
  ///   - host: The host that the repository's address names.
  ///   - environment: Where `GH_HOST` is looked up.
  /// - Returns: The server.
  /// - Throws: ``InvalidInput``, saying what is accepted as a host or a URL.
  func server(
    host: String?, environment: [String: String]
  ) throws(InvalidInput) -> GitHubServer {
    try request.server(host: host, environment: environment)
  }

  /// Finds the server, by the URL of its API where there is one.
  static func server(
    apiURL: String?, host: String?, environment: [String: String]
  ) throws(InvalidInput) -> GitHubServer {
    if let apiURL { return try GitHubServer(apiURL: apiURL) }
    if let host { return try GitHubServer(host: host) }
    if let host = environment["GH_HOST"], !host.isEmpty { return try GitHubServer(host: host) }
    return .github
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
}
