public import HTTPTargets
public import PlatformModules

extension GitHub {
  /// The settings of a provider for GitHub. Pass them to `Provider.gitHub(_:)`.
  ///
  /// ```swift
  /// var configuration = GitHub.Configuration(token: token)
  /// configuration.cache = CachingInterceptor(store: MemoryResponseStore())
  /// configuration.rateLimits = RateLimitInterceptor(maximumWait: .upTo(.seconds(60)))
  /// let provider = Provider.gitHub(configuration)
  /// ```
  ///
  /// The order of the interceptors, from the outermost, is `cache`, `interceptors`, `retries`, `rateLimits`,
  /// `redirects`.
  public struct Configuration: Sendable {
    /// The server.
    public var server: GitHubServer
    /// The server's software; by default ``GitHubServer/likelyForge``.
    public var forge: Forge
    /// The access token, which is sent only to the server's origin; nil for none.
    public var token: AccessToken?
    /// Stores responses and revalidates them; nil for no cache, which is the default.
    public var cache: CachingInterceptor?
    /// Your own interceptors; none by default.
    public var interceptors: [any Interceptor]
    /// How to retry failed requests; nil for no retries.
    public var retries: RetryPolicy?
    /// Called for each retry before its wait.
    public var onRetry: @Sendable (Retry) -> Void = { _ in }
    /// Keeps requests within the server's limits, and waits for the limits to end if configured to; nil to send every
    /// request immediately.
    public var rateLimits: RateLimitInterceptor?
    /// Follows redirects, such as those of renamed and moved repositories; nil to follow none. By default, only those
    /// of reads are followed. A redirect that isn't followed throws an error with the response.
    public var redirects: RedirectInterceptor?
    /// Your own plugins, which run after those of this package.
    public var plugins: [Plugin]
    /// The time limits for the steps of a request; nil for those of each target, which is the default.
    public var timeouts: Timeouts?
    /// Whether to refuse requests that a server which isn't GitHub would misunderstand. It costs a request before the
    /// first write to an Enterprise server, unless something was read before.
    package var refusesForeignServers = true
    /// Decides which targets get sample data; none by default.
    public var stubbing: Provider<GitHub>.StubClosure
    /// The transport that sends the requests.
    public var transport: any Transport
    /// The clock for delays and timings.
    public var clock: any Clock<Duration>
    /// The local time, for the end of a limit.
    public var now: @Sendable () -> Date

    /// Creates a configuration with retries, rate limits that fail instead of waiting, and no cache.
    ///
    /// - Parameters:
    ///   - server: The server; github.com by default.
    ///   - token: The access token, if any.
    ///   - transport: The transport that sends the requests.
    public init(
      server: GitHubServer = .github, token: AccessToken? = nil, transport: any Transport
    ) {
      self.init(
        server: server, token: token, retries: RetryPolicy(), transport: transport)
    }

    package init(
      server: GitHubServer = .github, token: AccessToken? = nil,
      cache: CachingInterceptor? = nil, interceptors: [any Interceptor] = [],
      retries: RetryPolicy? = RetryPolicy(),
      rateLimits: RateLimitInterceptor? = RateLimitInterceptor(),
      redirects: RedirectInterceptor? = RedirectInterceptor(followsWrites: false),
      plugins: [Plugin] = [], timeouts: Timeouts? = nil,
      stubbing: @escaping Provider<GitHub>.StubClosure = { _ in .never },
      transport: any Transport, clock: any Clock<Duration> = ContinuousClock(),
      now: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.server = server
      forge = server.likelyForge
      self.token = token
      self.cache = cache
      self.interceptors = interceptors
      self.retries = retries
      self.rateLimits = rateLimits
      self.redirects = redirects
      self.plugins = plugins
      self.timeouts = timeouts
      self.stubbing = stubbing
      self.transport = transport
      self.clock = clock
      self.now = now
    }

    /// Returns a configuration that gets sample data for every target, and doesn't use the network.
    ///
    /// - Parameter behavior: The delay of the responses; immediate by default.
    /// - Returns: The configuration.
    public static func stubbed(_ behavior: StubBehavior = .immediate) -> Configuration {
      Configuration(
        stubbing: { _ in behavior },
        transport: StubTransport(
          .failure(NetworkError(.requestMapping, "a stubbed configuration has no transport"))))
    }
  }
}

extension Provider where Target == GitHub {
  /// Creates a provider for a server with GitHub's API. It includes the token, error messages, retries, rate limits and
  /// redirects, regardless of other imports.
  ///
  /// `Provider<GitHub>(transport:)` is the lower layer: it doesn't send a token or explain GitHub's errors, and
  /// redirects are its only interceptor.
  ///
  /// - Parameter configuration: The configuration.
  /// - Returns: The provider.
  public static func gitHub(_ configuration: GitHub.Configuration) -> Provider {
    let server = configuration.server
    let token = configuration.token
    let timeouts = configuration.timeouts
    let origins = [server.origin] + (server.uploadURL.flatMap(Origin.init(url:)).map { [$0] } ?? [])
    var interceptors: [any Interceptor] = configuration.cache.map { [$0] } ?? []
    interceptors += configuration.interceptors
    if let retries = configuration.retries {
      interceptors.append(
        RetryInterceptor(
          policy: retries, onRetry: configuration.onRetry, now: configuration.now))
    }
    interceptors.append(EarlyCallInterceptor(keepsLimits: configuration.rateLimits != nil))
    if let rateLimits = configuration.rateLimits { interceptors.append(rateLimits) }
    let forge = configuration.forge
    var plugins = [Plugin.gitHubErrors(now: configuration.now)]
    if forge != .gitHub {
      plugins.append(GiteaAnswers(forge: forge).plugin)
    } else if configuration.refusesForeignServers, let foreign = ForeignServerInterceptor(server) {
      interceptors.append(foreign)
    }
    var provider = Provider(
      endpointClosure: { target in
        // A page already has its own URL.
        var url = target.isGraphQL ? server.graphQLURL : server.apiURL
        if target.isUpload, forge == .gitHub {
          guard let uploadURL = server.uploadURL else {
            throw NetworkError(.refused, "\(server) doesn't store attachments; github.com does")
          }
          url = uploadURL
        }
        guard forge != .gitHub || !target.isOnlyOfGitea else {
          throw NetworkError.lacking(forge, "this endpoint in its REST API")
        }
        var endpoint =
          forge == .gitHub
          ? try Endpoint(target, baseURL: target.isPage ? nil : url)
          : try Endpoint(
            try GiteaTarget(target, on: forge), baseURL: target.isPage ? target.baseURL : url)
        endpoint.maximumBodySize = maximumPageSize
        if let timeouts { endpoint.timeouts = timeouts }
        return endpoint
      },
      stubClosure: configuration.stubbing,
      plugins: origins.map { .accessToken(origin: $0) { _ in token } }
        + plugins + configuration.plugins,
      interceptors: interceptors, redirects: configuration.redirects,
      transport: configuration.transport, clock: configuration.clock,
      decoder: { GitHubJSON.decoder() })
    provider.context = forge
    return provider
  }

  /// The forge of the provider's server.
  public var forge: Forge { context as? Forge ?? .gitHub }

  /// The maximum size of a page. A hundred issues with GitHub's maximum of 65,536 characters use about 20 MB, and many
  /// times as much after decoding.
  private static var maximumPageSize: Int { 32 << 20 }
}
