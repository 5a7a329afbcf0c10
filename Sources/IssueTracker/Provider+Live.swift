public import GitHubAPI
public import HTTPTargets

extension Provider where Target == GitHub {
  /// Creates a provider for a server that speaks GitHub's API, over ``PlatformTransport/shared``.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token, if any. It is sent only to the server's origin.
  ///   - stubClosure: Chooses the targets that sample data answers; none by default.
  ///   - plugins: Your own observers and adjusters, after this package's.
  ///   - interceptors: The interceptors around the transport, outermost first.
  ///   - retry: Retries failed requests, inside `interceptors`; nil for no retries.
  ///   - rateLimits: Keeps requests within the server's limits, inside the other interceptors. It doesn't
  ///     wait for limits unless configured to; nil to send every request at once.
  ///   - timeouts: The time limits for the steps of a request; nil for each target's own.
  ///   - connections: The most open connections of a separate pool; nil for the process's shared pool of
  ///     eight.
  public init(
    server: GitHubServer = .github, token: AccessToken? = nil,
    stubClosure: @escaping StubClosure = { _ in .never }, plugins: [Plugin] = [],
    interceptors: [any Interceptor] = [], retry: RetryInterceptor? = RetryInterceptor(),
    rateLimits: RateLimitInterceptor? = RateLimitInterceptor(), timeouts: Timeouts? = nil,
    connections: Int? = nil
  ) {
    self.init(
      server: server, token: token, stubClosure: stubClosure, plugins: plugins,
      interceptors: interceptors, retry: retry, rateLimits: rateLimits, timeouts: timeouts,
      transport: connections.map { PlatformTransport.separate(connections: $0) }
        ?? PlatformTransport.shared)
  }
}
