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

  @Flag(help: "Answer from sample data: no network, no token.")
  var stub = false

  @Option(
    help: ArgumentHelp(
      "With --stub: how long each answer takes, such as 300ms or 2s.", valueName: "duration"),
    transform: ValueReader.duration)
  var stubDelay: DurationArgument?

  @Flag(help: "Keep no answers, and use none that were kept: see 'issues cache'.")
  var noCache = false

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
    let provider = Provider<GitHub>(
      server: server, token: token, plugins: plugins,
      interceptors: cache(session).map { [$0] } ?? [])
    return Connection(server: server, provider: provider, hasToken: token != nil)
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
