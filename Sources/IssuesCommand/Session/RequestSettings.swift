internal import IssueTracker
internal import Logging
internal import StyledText

/// Which server to ask, or none, and how.
struct RequestSettings: Hashable, Sendable {
  /// The URL of the API, instead of the host's own.
  var apiURL: String?
  /// How long the server may be silent; nil for the standard.
  var timeout: Duration?
  /// How often a request that failed is sent again.
  var retries = RetryPolicy().maximumRetries
  /// Whether answers are kept, and kept ones used.
  var usesCache = true
  /// Whether sample data answers, and nothing else.
  var stub = false
  /// How long each answer of the sample data takes; nil for no time.
  var stubDelay: Duration?
  /// How much is told of what is asked and answered: 0 for nothing, 2 for the header fields too.
  var verbosity = 0

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
    try Self.server(apiURL: apiURL, host: host, environment: environment)
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
  /// - Parameters:
  ///   - server: The server.
  ///   - session: Whose environment the token is looked up in.
  ///   - rateLimits: What answers the server's limits.
  ///   - mayUseCache: Whether answers may be kept, and kept ones used, unless the user forbids it.
  ///   - connections: How many connections may be open at once; nil for the usual number.
  /// - Returns: The connection.
  /// - Throws: ``CommandFailure`` when what should be the token can't be one.
  func connection(
    to server: GitHubServer, _ session: CommandSession, rateLimits: RateLimitInterceptor,
    mayUseCache: Bool = true, connections: Int? = nil
  ) async throws(CommandFailure) -> Connection {
    var plugins: [any Plugin] = []
    if verbosity > 0 {
      plugins.append(NetworkLogger(logger: session.logger(level: verbosity > 1 ? .trace : .debug)))
    }
    if stub {
      let behavior = stubDelay.map { StubBehavior.delayed($0) } ?? .immediate
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
      interceptors: mayUseCache ? cache(session).map { [$0] } ?? [] : [],
      retry: retry(of: server, session),
      rateLimits: rateLimits, timeouts: timeout.map { Timeouts(scaledTo: $0) },
      connections: connections)
    return Connection(
      server: server, provider: provider, tokenSource: found.source,
      certificateVariable: CertificateStore.variable(in: session.environment))
  }

  /// Makes the cache, unless it isn't wanted. What it writes is waited for at the end of the session.
  private func cache(_ session: CommandSession) -> CachingInterceptor? {
    guard usesCache else { return nil }
    let logger = verbosity > 0 ? session.logger(level: .debug) : nil
    let store = ResponseCache.store(environment: session.environment) { problem in
      logger?.debug("No cache: \(problem)")
    }
    guard let store else { return nil }
    UserDirectory.cache.makeIfNamed(in: session.environment)
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
