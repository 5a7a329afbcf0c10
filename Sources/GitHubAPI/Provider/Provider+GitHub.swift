public import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Provider where Target == GitHub {
  /// Creates a provider for a server that speaks GitHub's API.
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
  ///   - redirects: What follows redirects, inside the other interceptors. GitHub answers for renamed
  ///     and moved repositories with redirects; nil to take them as answers.
  ///   - transport: What sends.
  ///   - clock: The clock for delays and timings.
  ///   - now: The local time, to tell when a limit ends.
  public init(
    server: GitHubServer = .github, token: AccessToken? = nil,
    stubClosure: @escaping StubClosure = { _ in .never }, plugins: [any Plugin] = [],
    interceptors: [any Interceptor] = [], retry: RetryInterceptor? = RetryInterceptor(),
    rateLimits: RateLimitInterceptor? = RateLimitInterceptor(), timeouts: Timeouts? = nil,
    redirects: RedirectInterceptor? = RedirectInterceptor(), transport: any Transport,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let credentials = AccessTokenPlugin(origin: server.origin) { _ throws(NetworkError) in token }
    self.init(
      endpointClosure: { target throws(NetworkError) in
        // A page says itself where it is.
        let url = target.isGraphQL ? server.graphQLURL : server.apiURL
        var endpoint = try Endpoint(target, baseURL: target.isPage ? nil : url)
        endpoint.maximumBodySize = Self.maximumPageSize
        if let timeouts { endpoint.timeouts = timeouts }
        return endpoint
      },
      stubClosure: stubClosure, plugins: [credentials, GitHubErrors(now: now)] + plugins,
      interceptors: interceptors + (retry.map { [$0] } ?? []) + [
        EarlyCallInterceptor(keepsLimits: rateLimits != nil)
      ]
        + (rateLimits.map { [$0] } ?? []),
      redirects: redirects,
      transport: transport, clock: clock)
  }

  /// 32 MiB: a hundred issues with bodies of 65,536 characters, the most that GitHub takes, are some
  /// 20 MB. Decoding takes many times the memory of what is decoded.
  private static var maximumPageSize: Int { 32 << 20 }

  /// Looks a user or an organisation up.
  public func user(_ username: Username) async throws(NetworkError) -> User {
    try await entity(.userProfile(username: username.login))
  }

  /// Looks up the user whom the token belongs to.
  public func ownProfile() async throws(NetworkError) -> User {
    try await entity(.ownProfile)
  }

  /// Looks a repository up. A renamed one is found under its old name and has its new one.
  public func repository(_ name: RepositoryName) async throws(NetworkError) -> Repository {
    try await entity(.repo(fullName: name.description))
  }

  /// Looks an issue up, or the pull request with that number.
  ///
  /// One that was transferred is found in its new repository, where it may have another number. One that
  /// isn't there is an error with the status 404, and one that was deleted with 410.
  ///
  /// - Parameters:
  ///   - number: The number, from 1.
  ///   - repository: The repository; a renamed one is found under its old name.
  /// - Returns: The issue, as the server has it now.
  /// - Throws: ``HTTPTargets/NetworkError``.
  public func issue(
    _ number: Int, of repository: RepositoryName
  ) async throws(NetworkError) -> Issue {
    try await entity(.issue(repositoryFullName: repository.description, number: number))
  }

  /// Calls a target and decodes what it answers, ``Sent`` too.
  package func entity<Entity: Decodable>(_ target: GitHub) async throws(NetworkError) -> Entity {
    let response = try await request(target)
    let decoder = GitHubJSON.decoder()
    decoder.userInfo[GitHubJSON.bytesKey] = response.body
    return try response.decode(using: decoder)
  }
}

extension Provider where Target == GitHub {
  /// All milestones of a repository, open and closed.
  ///
  /// - Throws: ``HTTPTargets/NetworkError``.
  public func milestones(
    of repository: RepositoryName
  ) async throws(NetworkError) -> [Milestone] {
    var milestones: [Milestone] = []
    let pages = PagedListing<Milestone>(
      provider: self,
      first: .milestones(repositoryFullName: repository.description, pageSize: 100))
    for try await page in pages { milestones += page.items }
    return milestones
  }

  /// A filter with its milestone by number, as the server takes it: a title is looked up among all of a
  /// repository's, open and closed. A filter without a title costs no request.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - repository: Whose milestones.
  /// - Returns: The filter; nil where the repository has no such milestone.
  /// - Throws: ``HTTPTargets/NetworkError``.
  public func numberingMilestone(
    of filter: IssueFilter, in repository: RepositoryName
  ) async throws(NetworkError) -> IssueFilter? {
    guard case .title = filter.milestone else { return filter }
    return filter.numberingMilestone(among: try await milestones(of: repository))
  }
}
