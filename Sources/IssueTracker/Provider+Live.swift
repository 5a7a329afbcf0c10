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
  ///   - rateLimits: What keeps requests within the server's limits, inside the other interceptors. It
  ///     waits for no limit unless told to; nil to send whatever is asked.
  public init(
    server: GitHubServer = .github, token: AccessToken? = nil,
    stubClosure: @escaping StubClosure = { _ in .never }, plugins: [any Plugin] = [],
    interceptors: [any Interceptor] = [],
    rateLimits: RateLimitInterceptor? = RateLimitInterceptor()
  ) {
    self.init(
      server: server, token: token, stubClosure: stubClosure, plugins: plugins,
      interceptors: interceptors, rateLimits: rateLimits, transport: CurlTransport.shared)
  }
}
