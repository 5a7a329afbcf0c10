internal import ArgumentParser
internal import IssueTracker
internal import Logging
internal import StyledText

/// Which server to ask, or none, and how.
struct RequestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The URL of the API to ask, instead of the host's own: https, or http on this machine.",
      valueName: "url"))
  var apiURL: String?

  @Option(
    help: ArgumentHelp(
      "How long the server may be silent, such as 10s; a whole answer may take ten times that. "
        + "(default: 30s)",
      valueName: "duration"),
    transform: ValueReader.timeout)
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "How often a request that failed is sent again; 0 for never. (default: 3)",
      valueName: "number"),
    transform: ValueReader.retries)
  var retries = RetryPolicy().maximumRetries

  @Flag(help: "Keep no answers, and use none that were kept: see 'issues cache'.")
  var noCache = false

  @Flag(help: "Answer from sample data: no network, no token.")
  var stub = false

  @Option(
    help: ArgumentHelp(
      "With --stub: how long each answer takes, such as 300ms or 2s.", valueName: "duration"),
    transform: ValueReader.duration)
  var stubDelay: DurationArgument?

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
    try ConnectionOptions.server(apiURL: apiURL, host: host, environment: environment)
  }

  /// Makes the connection to a server.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - session: Whose environment the token is looked up in.
  ///   - rateLimits: What answers the server's limits.
  ///   - usesCache: Whether answers may be kept, and kept ones used, unless the user forbids it.
  /// - Returns: The connection.
  /// - Throws: ``CommandFailure`` when what should be the token can't be one.
  func connection(
    to server: GitHubServer, _ session: CommandSession, rateLimits: RateLimitInterceptor,
    usesCache: Bool = true
  ) async throws(CommandFailure) -> Connection {
    var plugins: [any Plugin] = []
    if verbose > 0 {
      plugins.append(NetworkLogger(logger: session.logger(level: verbose > 1 ? .trace : .debug)))
    }
    if stub {
      let behavior = stubDelay.map { StubBehavior.delayed($0.duration) } ?? .immediate
      let provider = Provider<GitHub>(stubClosure: { _ in behavior }, plugins: plugins)
      return Connection(server: server, provider: provider, tokenSource: nil)
    }
    let found = try await TokenLookup(
      server: server, isNamedByURL: apiURL != nil, environment: session.environment
    ).find()
    if let note = found.note { session.errors.write(note, style: .faint) }
    if let token = found.token { session.errors.conceal(token.secret) }
    let provider = Provider<GitHub>(
      server: server, token: found.token, plugins: plugins,
      interceptors: usesCache ? cache(session).map { [$0] } ?? [] : [],
      retry: retry(of: server, session),
      rateLimits: rateLimits, timeouts: timeout.map { Timeouts(scaledTo: $0.duration) })
    return Connection(server: server, provider: provider, tokenSource: found.source)
  }

  /// Makes the cache, unless it isn't wanted. What it writes is waited for at the end of the session.
  private func cache(_ session: CommandSession) -> CachingInterceptor? {
    guard !noCache else { return nil }
    let logger = verbose > 0 ? session.logger(level: .debug) : nil
    let store = ResponseCache.store(environment: session.environment) { problem in
      logger?.debug("No cache: \(problem)")
    }
    guard let store else { return nil }
    session.end.add { await store.flush() }
    return CachingInterceptor(store: store)
  }

  /// Makes what sends failed requests again, and says so on the status line.
  private func retry(of server: GitHubServer, _ session: CommandSession) -> RetryInterceptor {
    RetryInterceptor(policy: RetryPolicy(maximumRetries: retries)) {
      [progress = session.progress] in
      progress.update(
        "\(server): \($0.reason), trying again (\($0.number) of \($0.maximum))…")
    }
  }
}
