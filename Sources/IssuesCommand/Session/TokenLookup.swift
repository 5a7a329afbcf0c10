internal import IssueTracker

/// Finds the token for a server: in the environment, else with `gh`.
struct TokenLookup: Sendable {
  /// A token and its source.
  struct Finding: Sendable {
    /// The token; nil where there is none for the server.
    var token: AccessToken?
    /// The source of the token; nil where there is none.
    var source: TokenSource?
    /// A note to the user on a token that isn't sent.
    var note: String?
  }

  private let server: GitHubServer
  private let isNamedByURL: Bool
  private let environment: [String: String]
  private let clock: any Clock<Duration>

  /// Creates a look-up.
  ///
  /// - Parameters:
  ///   - server: The server that gets the token.
  ///   - isNamedByURL: Whether the user gave the URL of the server's API.
  ///   - environment: The environment, with the variables, and for `gh`.
  ///   - clock: The clock that limits the time of `gh`.
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
  /// - Throws: ``CommandFailure`` for a token that can't be one.
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

  /// Looks for the token in the environment.
  ///
  /// Except for github.com the variables don't say which server they are for. It is the one in `GH_HOST` or of
  /// `--api-url`. Any other host comes from a clone's configuration or a pasted address, and its author would be sent
  /// the token. That includes tenants of ghe.com, which belong to other people.
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

/// The source of a token.
enum TokenSource: Sendable, Hashable {
  /// An environment variable.
  case variable(String)

  /// GitHub's own command, by which the user is logged in.
  case gh

  /// The source in one word, for tables and programs: `GH_TOKEN`, `gh`.
  var name: String {
    switch self {
    case .variable(let name): name
    case .gh: "gh"
    }
  }

  /// The token in the words of a message: `the token in GH_TOKEN`.
  var token: String {
    switch self {
    case .variable(let name): "the token in \(name)"
    case .gh: "the token of gh"
    }
  }
}
