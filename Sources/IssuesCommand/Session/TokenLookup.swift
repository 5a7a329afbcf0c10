internal import IssueTracker

/// Finds the token for a server, in the environment, or else with `gh`, or for Forgejo and Gitea in the file of `tea`.
struct TokenLookup: Sendable {
  struct Finding: Sendable {
    var token: AccessToken?
    var source: TokenSource?
    /// The app whose installation has the token; `token` is nil then.
    var app: GitHubApp?
    /// A note to the user about a token that isn't sent.
    var note: String?
  }

  private let server: GitHubServer
  private let isNamedByURL: Bool
  private let environment: [String: String]
  private let clock: any Clock<Duration>

  init(
    server: GitHubServer, isNamedByURL: Bool, environment: [String: String],
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.server = server
    self.isNamedByURL = isNamedByURL
    self.environment = environment
    self.clock = clock
  }

  /// Finds the token. Throws if it is invalid. An app comes first: on CI, a variable often has another token.
  func find() async throws(CommandFailure) -> Finding {
    if GitHubApp.belongs(to: server, isNamedByURL: isNamedByURL, in: environment),
      let app = try GitHubApp(in: environment)
    {
      return Finding(app: app)
    }
    var finding = try variable()
    if finding.token == nil, server.isGitea,
      let token = TeaLogins(environment: environment).token(for: server)
    {
      return Finding(token: token, source: .tea)
    }
    guard finding.token == nil, let host = GHCommand.host(of: server),
      let gh = GHCommand(environment: environment, clock: clock)
    else { return finding }
    switch try await gh.token(for: host) {
    case .token(let token): return Finding(token: token, source: .gh)
    case .none: break
    case .timedOut:
      finding.note =
        "gh didn't return a token within \(GHCommand.timeout.components.seconds) seconds: continuing without one."
    }
    return finding
  }

  /// Finds the token in the environment.
  ///
  /// Except for github.com's, the variables don't specify their server. It is the one in `GITEA_INSTANCE_URL` for
  /// Forgejo and Gitea, or else in `GH_HOST` or `--api-url`. Any other host, even a tenant of ghe.com, comes from a clone
  /// or a pasted URL, and its author would receive the token.
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
    guard !isNamed else { return Finding(token: token, source: .variable(name)) }
    let advice =
      server.isGitea ? "\(Self.giteaVariable)=\(server.webURL)" : "GH_HOST=\(server)"
    return Finding(note: "No token is sent to \(server): if yours belongs there, set \(advice).")
  }

  private static let giteaVariable = "GITEA_INSTANCE_URL"

  /// Whether the user named the server as that of the token in a variable.
  private var isNamed: Bool {
    if server.isGitea, let url = environment[Self.giteaVariable], !url.isEmpty {
      return Origin(url: url) == server.origin
    }
    let home = environment["GH_HOST"].flatMap { try? GitHubServer(host: $0) }
    return server.origin == GitHubServer.github.origin || isNamedByURL
      || home?.origin == server.origin
  }
}

enum TokenSource: Sendable, Hashable {
  case variable(String)

  case gh

  case tea

  /// A GitHub App, by its id, and the number of its installation.
  case app(String, installation: Int)

  /// The source for tables and programs: `GH_TOKEN`, `gh`, `app 12, installation 345`.
  var name: String {
    switch self {
    case .app(let id, let installation): "app \(id), installation \(installation)"
    case .variable(let name): name
    case .gh: "gh"
    case .tea: "tea"
    }
  }

  /// The token in messages: `the token in GH_TOKEN`.
  var token: String {
    switch self {
    case .app(let id, _): "the GitHub App \(id)"
    case .variable(let name): "the token in \(name)"
    case .gh: "the token from gh"
    case .tea: "the token from tea"
    }
  }
}
