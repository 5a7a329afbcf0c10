internal import CurlTransport
internal import IssueMirror
internal import IssueMirrorPostgres
internal import IssueTracker
internal import Logging
internal import StyledText

/// A server, its provider, and explanations of failures.
struct Connection: Sendable {
  let server: GitHubServer
  let provider: Provider<GitHub>
  let tokenSource: TokenSource?
  /// The token; nil if requests don't carry one.
  var token: AccessToken?
  /// The variable that specifies the trusted authorities.
  var certificateVariable = CertificateStore.variables[1]
  let configuration: GitHub.Configuration
  /// Whether it responds with sample data (`--stub`).
  var isStub = false

  /// The same connection within the request budget that all users of a team's mirror share.
  func sharingBudget(of mirror: PostgresMirror, _ session: CommandSession) -> Connection {
    let budget = TeamBudgetTransport(
      configuration.transport, mirror: mirror, server: server,
      pointsPerMinute: PointsPerMinute.value(for: server, in: session.environment))
    session.end.add { await budget.giveBack() }
    var configuration = configuration
    configuration.transport = budget
    return Connection(
      server: server, provider: .gitHub(configuration), tokenSource: tokenSource, token: token,
      certificateVariable: certificateVariable, configuration: configuration)
  }

  func explaining<Value: Sendable>(
    _ subject: String, _ call: (Provider<GitHub>) async throws(NetworkError) -> Value
  ) async throws(CommandFailure) -> Value {
    do throws(NetworkError) {
      return try await call(provider)
    } catch {
      throw explanation(of: error, subject)
    }
  }

  /// A complete list of repositories, except for those without issues.
  func repositoriesWithIssues(
    _ list: GitHub
  ) async throws(NetworkError) -> [(repository: GitHub.Repository, place: Place)] {
    var found: [(repository: GitHub.Repository, place: Place)] = []
    for try await page in PagedListing<GitHub.Repository>(provider: provider, first: list) {
      for repository in page.items where repository.hasIssues {
        guard let name = RepositoryName(repository.fullName) else { continue }
        found.append((repository, Place(name: name, server: server)))
      }
    }
    return found
  }

  func explanation(of error: NetworkError, _ subject: String) -> CommandFailure {
    if isStub, error.response?.status == .notFound {
      return CommandFailure(
        .notFound,
        "the sample data has no \(subject)\n'issues apple/swift --stub' lists the sample issues.")
    }
    return CommandFailure(
      error, of: subject, on: server, tokenSource: tokenSource,
      certificateVariable: certificateVariable)
  }

  /// The reason that a list is incomplete.
  func explanation(
    of error: NetworkError, _ subject: String, afterShowing count: Int
  ) -> CommandFailure {
    let failure = explanation(of: error, subject)
    guard count > 0, failure.status != .cancelled else { return failure }
    if error.underlying is UnreadableEntries {
      return failure.saying("the list is incomplete: \(failure.message)")
    }
    return failure.saying(
      "the list is incomplete; it broke off after \(count): \(failure.message)")
  }
}

extension ConnectionOptions {
  func connection(
    to server: GitHubServer, _ session: CommandSession, plugins: [Plugin] = [],
    for follow: ListFollow? = nil
  ) async throws(CommandFailure) -> Connection {
    let notice = session.waitNotice(for: server)
    return try await request.connection(
      to: server, session, plugins: plugins + (follow.map { [$0.notice(of: server).plugin] } ?? []),
      rateLimits: RateLimitInterceptor(maximumWait: wait.wait, onWait: { notice.tell($0) }),
      asksAgain: follow != nil)
  }
}

extension RequestOptions {
  /// Creates a connection. `plugins` observe calls in addition to the log. If `connections` is nil, the default number
  /// is used. A caller that repeats requests keeps the responses in memory if there is no cache.
  func connection(
    to server: GitHubServer, _ session: CommandSession, plugins: [Plugin] = [],
    rateLimits: RateLimitInterceptor, mayUseCache: Bool = true, asksAgain: Bool = false,
    connections: Int? = nil
  ) async throws(CommandFailure) -> Connection {
    var plugins = plugins
    if verbose > 0 {
      let logger = session.logger(level: verbose > 1 ? .trace : .debug)
      plugins += [.logger(logger), .deprecations(logger: logger)]
    }
    if stub {
      let behavior = stubDelay.map { StubBehavior.delayed($0.duration) } ?? .immediate
      var configuration = GitHub.Configuration.stubbed(behavior)
      configuration.plugins = plugins
      return Connection(
        server: server, provider: .gitHub(configuration), tokenSource: nil,
        configuration: configuration, isStub: true)
    }
    var transport = session.world.transport(connections)
    let (server, forge) = try await recognizing(server, session, transport)
    // Forgejo and Gitea don't tell their limits, and a proxy before them may have some.
    if forge != .gitHub { transport = session.world.transport(min(connections ?? 4, 4)) }
    var found = try await TokenLookup(
      server: server, isNamedByURL: apiURL != nil, environment: session.environment
    ).find()
    if let app = found.app {
      let signedIn = try await signIn(as: app, on: server, session, transport, plugins)
      (transport, found.token, found.source) = (signedIn, signedIn.standIn, signedIn.source)
    }
    if let note = found.note { session.errors.write(note, style: .faint) }
    if let token = found.token { session.errors.conceal(token.secret) }
    var configuration = GitHub.Configuration(server: server, token: found.token)
    configuration.forge = forge
    configuration.cache = mayUseCache ? cache(session) : nil
    if asksAgain, configuration.cache == nil {
      configuration.cache = CachingInterceptor(store: MemoryResponseStore())
    }
    configuration.retries = RetryPolicy(maximumRetries: retries)
    configuration.onRetry = { [progress = session.progress] in
      progress.update(
        "\(server): \($0.reason), trying again (\($0.number) of \($0.maximum))…")
    }
    configuration.rateLimits = rateLimits
    configuration.plugins = plugins
    configuration.timeouts = timeout.map { Timeouts(scaledTo: $0.duration) }
    (configuration.clock, configuration.now) = (session.world.clock, session.world.now)
    configuration.transport = transport
    if let folder = SharedBudgetFolder(environment: session.environment) {
      let logger = verbose > 0 ? session.logger(level: .debug) : nil
      configuration.transport = SharedBudgetTransport(
        configuration.transport, for: server.origin, in: folder,
        pointsPerMinute: PointsPerMinute.value(for: server, in: session.environment),
        clock: session.world.clock, now: session.world.now, onDelay: { logger?.debug("\($0)") })
    }
    return Connection(
      server: server, provider: .gitHub(configuration), tokenSource: found.source,
      token: found.token,
      certificateVariable: CertificateStore.variable(in: session.environment),
      configuration: configuration)
  }

  private func signIn(
    as app: GitHubApp, on server: GitHubServer, _ session: CommandSession,
    _ transport: any Transport, _ plugins: [Plugin]
  ) async throws(CommandFailure) -> InstallationTransport {
    let errors = session.errors
    let tokens = InstallationTokens(
      app, on: server, transport: transport, plugins: plugins, retries: retries,
      clock: session.world.clock, now: session.world.now
    ) { errors.conceal($0.secret) }
    do throws(NetworkError) {
      return try await InstallationTransport(transport, tokens, of: app)
    } catch {
      throw CommandFailure(
        error, of: "the installation of the app", on: server,
        tokenSource: .app(app.id, installation: 0),
        certificateVariable: CertificateStore.variable(in: session.environment))
    }
  }

  /// The cache. The session waits for its writes before it ends.
  private func cache(_ session: CommandSession) -> CachingInterceptor? {
    guard !noCache else { return nil }
    let logger = verbose > 0 ? session.logger(level: .debug) : nil
    let store = ResponseCache.store(environment: session.environment) { problem in
      logger?.debug("No cache: \(problem)")
    }
    guard let store else { return nil }
    UserDirectory.cache.makeIfNamed(in: session.environment)
    session.end.add { await store.flush() }
    return CachingInterceptor(store: store)
  }
}

/// The connections, one per server, created on first use.
actor Connections {
  private let connect: @Sendable (GitHubServer) async throws(CommandFailure) -> Connection
  private var connections: [GitHubServer: Connection] = [:]

  init(connect: @escaping @Sendable (GitHubServer) async throws(CommandFailure) -> Connection) {
    self.connect = connect
  }

  func connection(to server: GitHubServer) async throws(CommandFailure) -> Connection {
    if let known = connections[server] { return known }
    let connection = try await connect(server)
    connections[server] = connection
    return connection
  }
}
