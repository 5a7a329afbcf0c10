internal import CurlTransport
public import GitHubAPI
public import HTTPTargets

extension Provider where Target == GitHub {
  /// Creates a provider for a server that speaks GitHub's API, over the shared ``CurlTransport``.
  ///
  /// - Parameters:
  ///   - server: The server; github.com unless said otherwise.
  ///   - token: The access token; nil to ask without one. It is sent to the server's origin only.
  ///   - stubClosure: Tells which targets are answered from sample data; none unless said otherwise.
  ///   - plugins: Observers and adjusters of your own, after this package's.
  ///   - interceptors: What wraps the transport, outermost first.
  ///   - retry: What sends failed requests again, inside `interceptors`; nil for never.
  ///   - rateLimits: What keeps requests within the server's limits, inside the other interceptors. It
  ///     waits for no limit unless told to; nil to send whatever is asked.
  ///   - timeouts: How long the steps of a request may take; nil for what each target says.
  ///   - connections: How many connections to the server may be open at once, of its own; nil for those that
  ///     everything in the process shares, of which there are eight.
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
