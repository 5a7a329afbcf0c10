internal import HTTPTypes
internal import IssueTracker
internal import PlatformModules

/// The tokens of a GitHub App's installation. Each is valid for an hour, and is kept only in memory.
actor InstallationTokens {
  /// The time in seconds before the end of a token when a new one is requested.
  private static let margin = 300.0
  /// The difference of clocks in seconds that a signature tolerates.
  private static let tolerance = 30.0

  private let app: GitHubApp
  private let server: GitHubServer
  private let provider: Provider<AppTarget>
  private let now: @Sendable () -> Date
  private let onToken: @Sendable (AccessToken) -> Void
  /// The seconds by which the server's clock is ahead of this machine's.
  private var lead = 0.0
  private var installation: Int?
  private var token: AccessToken?
  private var renewalDate = Date.distantPast
  private var renewal: Task<AccessToken, any Error>?

  /// `onToken` receives each new token before it is used, so that no message shows it.
  init(
    _ app: GitHubApp, on server: GitHubServer, transport: any Transport, plugins: [Plugin],
    retries: Int, clock: any Clock<Duration>, now: @escaping @Sendable () -> Date,
    onToken: @escaping @Sendable (AccessToken) -> Void
  ) {
    self.app = app
    self.server = server
    self.now = now
    self.onToken = onToken
    provider = Provider(
      plugins: [.gitHubErrors(now: now)] + plugins,
      interceptors: [RetryInterceptor(policy: RetryPolicy(maximumRetries: retries), now: now)],
      // A redirect could lead to another host.
      redirects: nil, transport: transport, clock: clock, decoder: { GitHubJSON.decoder() })
  }

  /// The number of the installation.
  func installationID() async throws(NetworkError) -> Int {
    if let installation { return installation }
    let found: Int
    switch app.installation {
    case .id(let id): found = id
    case .repository(let name):
      found = try await lookUp(["repos/\(name.owner)/\(name.name)/installation"], "\(name)")
    case .account(let account):
      found = try await lookUp(
        ["orgs/\(account.login)/installation", "users/\(account.login)/installation"], "\(account)")
    case nil:
      let all = try await send("app/installations", as: [Found].self)
      guard let only = all.first, all.count == 1 else {
        throw NetworkError(
          .forbidden,
          all.isEmpty
            ? "the GitHub App \(app.id) isn't installed anywhere"
            : "the GitHub App \(app.id) has several installations: set \(GitHubApp.Variable.installation) to one"
        )
      }
      found = only.id
    }
    installation = found
    return found
  }

  /// The current token, or a new one if it is about to end or was refused. Concurrent callers share a request.
  func current(afterRefusalOf refused: AccessToken? = nil) async throws(NetworkError)
    -> AccessToken
  {
    if let token, token != refused, now() < renewalDate { return token }
    let task = renewal ?? Task { try await renew() }
    renewal = task
    do {
      return try await task.value
    } catch {
      throw error as? NetworkError ?? NetworkError(.underlying, "\(error)", underlying: error)
    }
  }

  private func renew() async throws(NetworkError) -> AccessToken {
    defer { renewal = nil }
    let installation = try await installationID()
    let granted: Granted
    do throws(NetworkError) {
      granted = try await send(
        "app/installations/\(installation)/access_tokens", method: .post, as: Granted.self)
    } catch {
      guard error.response?.status == .notFound else { throw error }
      throw notInstalled("the number \(installation)")
    }
    let new = try AccessToken(granted.token)
    onToken(new)
    // The server's clock decides, so only the remaining time counts.
    let rest = granted.expiresAt.timeIntervalSince(now()) - lead
    renewalDate = now().addingTimeInterval(max(rest - Self.margin, rest / 2))
    token = new
    return new
  }

  private func lookUp(_ paths: [URLPath], _ place: String) async throws(NetworkError) -> Int {
    for path in paths {
      do throws(NetworkError) {
        return try await send(path, as: Found.self).id
      } catch {
        guard error.response?.status == .notFound else { throw error }
      }
    }
    throw notInstalled(place)
  }

  private func notInstalled(_ place: String) -> NetworkError {
    NetworkError(
      .forbidden,
      "the GitHub App \(app.id) isn't installed for \(place) on \(server): check \(GitHubApp.Variable.installation)"
    )
  }

  /// Sends a request as the app. If the server's clock differs, the request is signed again with its time.
  private func send<Value: Decodable & Sendable>(
    _ path: URLPath, method: HTTPRequest.Method = .get, as type: Value.Type
  ) async throws(NetworkError) -> Value {
    var isRepeated = false
    while true {
      let target = AppTarget(
        server: server, path: path, method: method,
        webToken: try app.webToken(at: now().addingTimeInterval(lead)))
      do throws(NetworkError) {
        let response = try await provider.request(target)
        if let date = response.serverDate { lead = date.timeIntervalSince(now()) }
        return try response.decode(type, using: GitHubJSON.decoder())
      } catch {
        guard error.response?.status == .unauthorized, !isRepeated,
          let date = error.response?.serverDate,
          abs(date.timeIntervalSince(now()) - lead) > Self.tolerance
        else { throw error }
        lead = date.timeIntervalSince(now())
        isRepeated = true
      }
    }
  }

  private struct Found: Decodable, Sendable {
    var id: Int
  }

  private struct Granted: Decodable, Sendable {
    var token: String
    var expiresAt: Date

    private enum CodingKeys: String, CodingKey {
      case token
      case expiresAt = "expires_at"
    }
  }
}

/// An endpoint that accepts an app's web token
/// (<https://docs.github.com/en/rest/apps/apps>).
private struct AppTarget: TargetType {
  let server: GitHubServer
  let path: URLPath
  let method: HTTPRequest.Method
  let webToken: String

  var baseURL: String { server.apiURL }
  var task: HTTPTask { .plain }
  var headers: HTTPFields {
    [
      .accept: "application/vnd.github+json", .authorization: "Bearer \(webToken)",
      // GitHub refuses requests without it.
      .userAgent: PackageVersion.userAgent,
    ]
  }
  /// A token that is requested twice is harmless.
  var policy: TargetPolicy { TargetPolicy(idempotency: .idempotent) }
}
