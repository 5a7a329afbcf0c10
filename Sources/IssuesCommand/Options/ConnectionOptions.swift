internal import ArgumentParser
internal import IssueTracker
internal import Logging

/// Which server to ask, or none.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The URL of the API to ask, instead of the host's own: https, or http on this machine.",
      valueName: "url"))
  var apiURL: String?

  @Option(
    help: ArgumentHelp(
      "How long the server may be silent, such as 10s; a whole answer may take ten times that. 30s "
        + "if left out.",
      valueName: "duration"),
    transform: ValueReader.timeout)
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      """
      How long to wait at most when the server limits the rate of requests, such as 90s, 5m or \
      'forever'; 0 stops instead, 60s unless said otherwise.
      """, valueName: "duration"),
    transform: ValueReader.wait)
  var wait = WaitArgument.standard

  @Flag(help: "Answer from sample data: no network, no token.")
  var stub = false

  @Option(
    help: ArgumentHelp(
      "With --stub: how long each answer takes, such as 300ms or 2s.", valueName: "duration"),
    transform: ValueReader.duration)
  var stubDelay: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "How often a request that failed is sent again; 3 unless said otherwise, 0 for never.",
      valueName: "number"),
    transform: ValueReader.retries)
  var retries = RetryPolicy().maximumRetries

  @Flag(
    name: .shortAndLong,
    help: "Tell on standard error what is asked and answered; twice: with the header fields.")
  var verbose: Int

  func validate() throws {
    guard stubDelay == nil || stub else {
      throw ValidationError("--stub-delay only makes sense with --stub.")
    }
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
    if let apiURL { return try GitHubServer(apiURL: apiURL) }
    if let host { return try GitHubServer(host: host) }
    if let host = environment["GH_HOST"], !host.isEmpty { return try GitHubServer(host: host) }
    return .github
  }

  /// Makes the connection to a server.
  ///
  /// - Throws: ``CommandFailure`` when the environment's token can't be one.
  func connection(
    to server: GitHubServer, _ session: CommandSession
  ) throws(CommandFailure) -> Connection {
    var plugins: [any Plugin] = []
    if verbose > 0 {
      plugins.append(NetworkLogger(logger: session.logger(level: verbose > 1 ? .trace : .debug)))
    }
    if stub {
      let behavior = stubDelay.map { StubBehavior.delayed($0.duration) } ?? .immediate
      let provider = Provider<GitHub>(stubClosure: { _ in behavior }, plugins: plugins)
      return Connection(server: server, provider: provider, hasToken: false)
    }
    let token = try token(for: server, session)
    let notice = session.waitNotice(for: server)
    let rateLimits = RateLimitInterceptor(maximumWait: wait.wait, onWait: { notice.tell($0) })
    let provider = Provider<GitHub>(
      server: server, token: token, plugins: plugins, retry: retry(of: server, session),
      rateLimits: rateLimits, timeouts: timeout.map { Timeouts(scaledTo: $0.duration) })
    return Connection(server: server, provider: provider, hasToken: token != nil)
  }

  /// Makes what sends failed requests again, and says so on the status line.
  private func retry(of server: GitHubServer, _ session: CommandSession) -> RetryInterceptor {
    RetryInterceptor(policy: RetryPolicy(maximumRetries: retries)) {
      [progress = session.progress] in
      progress.update(
        "\(server): \($0.reason), trying again (\($0.number) of \($0.maximum))…")
    }
  }

  /// Finds the token that belongs to a server.
  ///
  /// The variables for servers of one's own don't say for which server: it is the one of `GH_HOST`, or of
  /// `--api-url`. Any other host came out of a clone's configuration or a pasted address, and whoever wrote
  /// that would be sent the token.
  private func token(
    for server: GitHubServer, _ session: CommandSession
  ) throws(CommandFailure) -> AccessToken? {
    let token: AccessToken?
    do throws(NetworkError) {
      token = try AccessToken.environment(for: server, in: session.environment)
    } catch {
      throw CommandFailure(.badCredentials, error.message)
    }
    let home = session.environment["GH_HOST"].flatMap { try? GitHubServer(host: $0) }
    guard token != nil, server.isEnterpriseServer, apiURL == nil, home?.origin != server.origin
    else { return token }
    session.errors.write(
      "No token is sent to \(server): if yours belongs there, set GH_HOST=\(server).",
      style: .faint)
    return nil
  }
}
