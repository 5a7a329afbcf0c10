internal import IssueTracker

/// Finds the token that belongs to a server: in the environment, then with `gh`.
struct TokenLookup: Sendable {
  /// A token, and where it came from.
  struct Finding: Sendable {
    /// The token; nil where there is none for the server.
    var token: AccessToken?
    /// Where it came from; nil where there is none.
    var source: TokenSource?
    /// What the user should know of a token that isn't sent.
    var note: String?
  }

  private let server: GitHubServer
  private let isNamedByURL: Bool
  private let environment: [String: String]
  private let clock: any Clock<Duration>

  /// Creates a look-up.
  ///
  /// - Parameters:
  ///   - server: Whom the token is for.
  ///   - isNamedByURL: Whether the user gave the URL of the server's API.
  ///   - environment: Where the variables are, and what `gh` is run in.
  ///   - clock: What the time of `gh` is measured with.
  init(
    server: GitHubServer, isNamedByURL: Bool, environment: [String: String],
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.server = server
    self.isNamedByURL = isNamedByURL
    self.environment = environment
    self.clock = clock
  }

  /// Finds the token.
  ///
  /// - Throws: ``CommandFailure`` when what should be a token can't be one.
  func find() async throws(CommandFailure) -> Finding {
    var finding = try variable()
    guard finding.token == nil, let host = GHCommand.host(of: server),
      let gh = GHCommand(environment: environment, clock: clock)
    else { return finding }
    switch try await gh.token(for: host) {
    case .token(let token): return Finding(token: token, source: .gh)
    case .none: break
    case .timedOut:
      finding.note =
        "gh gave no token within \(GHCommand.timeout.components.seconds) seconds: going on without."
    }
    return finding
  }

  /// Looks into the environment.
  ///
  /// The variables don't say for which server they are, but for github.com: it is the one of `GH_HOST`, or of
  /// `--api-url`. Any other host came out of a clone's configuration or a pasted address, and whoever wrote
  /// that would be sent the token. That goes for tenants of ghe.com too, which are other people's.
  func variable() throws(CommandFailure) -> Finding {
    guard let name = AccessToken.environmentVariable(for: server, in: environment) else {
      return Finding()
    }
    let token: AccessToken?
    do throws(NetworkError) {
      token = try AccessToken.environment(for: server, in: environment)
    } catch {
      throw CommandFailure(.badCredentials, error.message)
    }
    let home = environment["GH_HOST"].flatMap { try? GitHubServer(host: $0) }
    guard server.origin != GitHubServer.github.origin, !isNamedByURL,
      home?.origin != server.origin
    else {
      return Finding(token: token, source: .variable(name))
    }
    return Finding(
      note: "No token is sent to \(server): if yours belongs there, set GH_HOST=\(server).")
  }
}
