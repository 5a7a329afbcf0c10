internal import IssueTracker

/// GitHub's `gh` as a source of tokens (<https://cli.github.com/manual/gh_auth_token>).
///
/// `gh` provides tokens only for hosts that the user is logged in to. It would return a token in a variable for *any*
/// host, so it runs without those variables.
struct GHCommand: Sendable {
  enum Answer: Sendable, Hashable {
    case token(AccessToken)

    /// The user isn't logged in, or `gh` can't be run.
    case none

    /// `gh` was killed.
    case timedOut
  }

  /// The time limit. `gh` needs about 50 ms, unless a key ring must be unlocked first.
  static let timeout = Duration.seconds(5)

  static let maximumOutput = 64 << 10

  private let path: String
  private let environment: [String: String]
  private let clock: any Clock<Duration>

  /// Returns nil if `gh` isn't in `PATH`.
  init?(environment: [String: String], clock: any Clock<Duration> = ContinuousClock()) {
    guard let path = ProgramSearch.path(of: "gh", in: environment) else { return nil }
    self.path = path
    self.environment = Environment.withoutSecrets(environment)
    self.clock = clock
  }

  /// The host in `gh`'s terms; nil for a server that `gh` is never queried about.
  ///
  /// `gh` ignores ports. It maps subdomains of `github.com` or of a `ghe.com` tenant to the parent domain, whose token
  /// would then be sent to another server. Servers without https or on this machine are for tests and tunnels.
  static func host(of server: GitHubServer) -> String? {
    let origin = server.origin
    guard origin.scheme == "https", origin.port == 443, !origin.isLoopback, !server.isGitea
    else { return nil }
    if origin.host == GitHubServer.github.origin.host { return GitHubServer.github.host }
    if origin.host.hasSuffix(".github.com") { return nil }
    guard origin.host.hasSuffix(".ghe.com") else { return server.host }
    let tenant = origin.host.hasPrefix("api.") ? String(origin.host.dropFirst(4)) : origin.host
    return tenant.split(separator: ".").count == 3 ? tenant : nil
  }

  /// The token for a host from ``host(of:)``. Throws if the output can't be a token: without one, requests would be
  /// sent as another user.
  func token(for host: String) async throws(CommandFailure) -> Answer {
    let output: ChildProcess.BoundedOutput
    do {
      output = try await ChildProcess.output(
        of: [path, "auth", "token", "--hostname", host], environment: environment,
        limit: Self.maximumOutput, timeout: Self.timeout, clock: clock)
    } catch {
      return .none
    }
    switch output {
    case .finished(.exited(0), let bytes):
      guard let token = try? AccessToken(String(decoding: bytes, as: UTF8.self)) else {
        throw Self.refusal(host)
      }
      return .token(token)
    case .finished: return .none
    case .tooLong: throw Self.refusal(host)
    case .timedOut: return .timedOut
    case .cancelled: throw CommandFailure(.cancelled, "")
    }
  }

  private static func refusal(_ host: String) -> CommandFailure {
    CommandFailure(
      .badCredentials,
      "'gh auth token' printed something other than an access token for \(host)\n"
        + "Log in again with '\(loginCommand(host))', or set a variable to a token.")
  }

  static func loginCommand(_ host: String) -> String {
    host == GitHubServer.github.host ? "gh auth login" : "gh auth login --hostname \(host)"
  }
}
