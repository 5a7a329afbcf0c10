internal import IssueTracker

/// GitHub's own command, `gh`, as a source of tokens (<https://cli.github.com/manual/gh_auth_token>).
///
/// The protection of its tokens is that `gh` gives one only for a host that the user has logged in to: a host
/// that somebody wrote into a clone's configuration gets none. That holds only without the variables that
/// hold tokens, whose value `gh` gives for *whatever* host is asked for; it isn't shown them.
struct GHCommand: Sendable {
  /// What asking came to.
  enum Answer: Sendable, Hashable {
    /// The user is logged in to the host.
    case token(AccessToken)

    /// The user isn't, or `gh` can't be run.
    case none

    /// `gh` took too long, and was killed.
    case timedOut
  }

  /// How long `gh` may take. It does in some 50 ms what it has to do, unless a key ring waits to be unlocked.
  static let timeout = Duration.seconds(5)

  /// The most bytes that are read.
  static let maximumOutput = 64 << 10

  private let path: String
  private let environment: [String: String]
  private let clock: any Clock<Duration>

  /// Finds `gh`; nil where it isn't on `PATH`.
  ///
  /// - Parameters:
  ///   - environment: Where `PATH` is looked up, and what `gh` gets, tokens excepted.
  ///   - clock: What its time is measured with.
  init?(environment: [String: String], clock: any Clock<Duration> = ContinuousClock()) {
    guard let path = ProgramSearch.path(of: "gh", in: environment) else { return nil }
    self.path = path
    self.environment = Environment.withoutSecrets(environment)
    self.clock = clock
  }

  /// The host that `gh` knows a server by; nil for one that it is never asked about.
  ///
  /// That is what isn't asked over https, what is on this machine (a test's or a tunnel's), and what has a
  /// port of its own, which hosts of `gh` can't have. And names below `github.com` or below a tenant's of
  /// `ghe.com`: `gh` takes them for the name above, whose token would then go to another server.
  static func host(of server: GitHubServer) -> String? {
    let origin = server.origin
    guard origin.scheme == "https", origin.port == 443, !origin.isLoopback else { return nil }
    if origin.host == GitHubServer.github.origin.host { return GitHubServer.github.host }
    if origin.host.hasSuffix(".github.com") { return nil }
    guard origin.host.hasSuffix(".ghe.com") else { return server.host }
    let tenant = origin.host.hasPrefix("api.") ? String(origin.host.dropFirst(4)) : origin.host
    return tenant.split(separator: ".").count == 3 ? tenant : nil
  }

  /// Asks for the token of a host.
  ///
  /// - Parameter host: As ``host(of:)`` gives it.
  /// - Returns: What came of it.
  /// - Throws: ``CommandFailure`` when what it printed can't be a token. Going on without would ask as
  ///   somebody else than was meant.
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
      "what 'gh auth token' printed for \(host) is no access token\n"
        + "Log in anew with '\(loginCommand(host))', or set a variable to a token.")
  }

  /// What the user types to log in to a host.
  static func loginCommand(_ host: String) -> String {
    host == GitHubServer.github.host ? "gh auth login" : "gh auth login --hostname \(host)"
  }
}
