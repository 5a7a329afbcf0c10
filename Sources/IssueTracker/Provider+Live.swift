internal import CurlTransport
public import GitHubAPI
public import HTTPTargets

extension Provider where Target == GitHub {
  /// Creates a provider for a server that speaks GitHub's API, over the shared ``CurlTransport``.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token; nil to ask without one. It is sent to the server's origin only.
  ///   - stubClosure: Tells which targets are answered from sample data; none by default.
  ///   - plugins: Observers and adjusters of your own, after this package's.
  ///   - interceptors: The interceptors around the transport, outermost first.
  ///   - retry: Retries failed requests, inside `interceptors`; nil for no retries.
  ///   - rateLimits: Keeps requests within the server's limits, inside the other interceptors. It doesn't wait
  ///     for limits unless configured to; nil to send every request at once.
  ///   - timeouts: The time limits for the steps of a request; nil for those of each target.
  ///   - connections: The most connections of a separate pool that may be open at once; nil for the pool of
  ///     eight that everything in the process shares.
  public init(
    server: GitHubServer = .github, token: AccessToken? = nil,
    stubClosure: @escaping StubClosure = { _ in .never }, plugins: [any Plugin] = [],
    interceptors: [any Interceptor] = [], retry: RetryInterceptor? = RetryInterceptor(),
    rateLimits: RateLimitInterceptor? = RateLimitInterceptor(), timeouts: Timeouts? = nil,
    connections: Int? = nil
  ) {
    self.init(
      server: server, token: token, stubClosure: stubClosure, plugins: plugins,
      interceptors: interceptors, retry: retry, rateLimits: rateLimits, timeouts: timeouts,
      transport: connections.map {
        CurlTransport(configuration: .init(maximumConnectionsPerHost: $0))
      } ?? .shared)
  }
}
