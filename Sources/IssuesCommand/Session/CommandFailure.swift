internal import CurlTransport
internal import IssueMirror
internal import IssueOutbox
internal import PlatformModules
internal import StyledText

/// A failure for the user of the command: the problem, its subject, and the remedy.
struct CommandFailure: Error, Sendable, Hashable {
  let status: ExitStatus
  /// The message in one or two lines: the problem, and then the remedy.
  let message: String
  /// Whether the network is unreachable, so that the mirror may be used instead.
  let isNetworkAway: Bool
  /// The time at which the server accepts requests again; nil if it isn't known.
  let retryDate: Date?

  init(
    _ status: ExitStatus, _ message: String, isNetworkAway: Bool = false, retryDate: Date? = nil
  ) {
    self.status = status
    self.message = message
    self.isNetworkAway = isNetworkAway
    self.retryDate = retryDate
  }

  /// The same failure with another message, after which the mirror may no longer be used instead.
  func saying(_ message: String) -> CommandFailure {
    CommandFailure(status, message, retryDate: retryDate)
  }

  /// The message in one line.
  var sentences: String {
    let lines = message.split(whereSeparator: \.isNewline)
    return lines.enumerated().map { index, line in
      let isEnded = line.last.map { ".?!".contains($0) } ?? true
      return index < lines.count - 1 && !isEnded ? "\(line)." : "\(line)"
    }
    .joined(separator: " ")
  }

  /// Explains a network error. The subject is the requested item, such as `apple/swift`.
  init(
    _ error: NetworkError, of subject: String, on server: GitHubServer, tokenSource: TokenSource?,
    certificateVariable: String = CertificateStore.variables[1], now: Date = Date()
  ) {
    // With a team's mirror, requests count against a budget in the mirror.
    if let failure = error.underlying as? MirrorFailure {
      self.init(failure)
      return
    }
    let status = ExitStatus(error)
    let problem = error.absence(of: subject, on: server) ?? error.problem
    var advice: String
    switch error.code {
    case .statusCode where error.response.flatMap({ SingleSignOn($0.headers) })?.isRequired == true:
      advice = Self.singleSignOnAdvice(error, server)
    case .statusCode:
      let code = error.isOfUnsearchable ? 404 : error.response?.status.code ?? 0
      advice = Self.advice(on: code, subject, server, tokenSource)
    case .rateLimited:
      let time = error.retryDate == nil ? "in a few minutes" : "then"
      let wait = Self.wait(until: error.retryDate, now: now)
      // A token raises the quota; secondary limits apply to everyone.
      let isQuota = error.response.map { $0.headers.hasSpentQuota } ?? true
      advice =
        tokenSource != nil || !isQuota
        ? "Try again \(time), or wait with \(wait)."
        : "Try again \(time), wait with \(wait), or set \(Self.variable(server))"
          + "\(Self.orLogin(server)): with a token the limit is higher."
      // Other processes also wait for this time, and a server or a proxy may be wrong.
      if let end = error.retryDate, end.timeIntervalSince(now) > Self.longestLimit {
        advice +=
          " GitHub's limits end within the hour: if this one is a mistake, forget it with 'issues cache clear --limits'."
      }
    case .transport where status == .badAnswer: advice = Self.wrongServer(server)
    case .transport, .timedOut:
      advice = Self.advice(on: error.transportFailure, certificateVariable)
    case .decoding where error.underlying is UnreadableEntries: advice = ""
    case .tooLarge, .insecureRedirect, .tooManyRedirects, .decoding:
      advice = Self.wrongServer(server)
    default: advice = ""
    }
    self.init(
      status, advice.isEmpty ? problem : "\(problem)\n\(advice)",
      isNetworkAway: error.isNetworkAway, retryDate: error.retryDate)
  }

  private static func advice(
    on failure: TransportFailure?, _ certificateVariable: String
  ) -> String {
    switch (failure?.reason, failure?.certificateProblem) {
    case (.certificate, .expired), (.certificate, .notYetValid):
      "Check this machine's clock. If it is right, only the server's operator can help."
    case (.certificate, .wrongHost):
      "Check the host's name: another server may be answering."
    case (.certificate, .revoked):
      "Nothing was sent. Ask the server's operator."
    case (.certificate, _):
      "If you trust the server, set \(certificateVariable) to the certificate of its authority."
    case (.proxy, _):
      "Check the proxy in https_proxy, and its user name and password."
    default:
      "Check the connection and try again."
    }
  }

  /// The longest plausible limit in seconds: an hour, plus a margin for clock differences.
  private static let longestLimit = 3_700.0

  private static func wait(until end: Date?, now: Date) -> String {
    // Without a time, waits take one minute, then two, then four.
    guard let end else { return "--wait 10m" }
    // The time is rounded up, plus half a minute for typing the command again.
    let minutes = Int((max(end.timeIntervalSince(now), 0) + 90) / 60)
    return minutes <= 90 ? "--wait \(minutes)m" : "--wait forever"
  }

  /// Advice about single sign-on. The page's URL comes from the server, and must lead to the same server.
  private static func singleSignOnAdvice(_ error: NetworkError, _ server: GitHubServer) -> String {
    if case .required(let page?) = error.response.flatMap({ SingleSignOn($0.headers) }),
      page.hasPrefix("\(server.webURL)/") || page.hasPrefix("\(GitHubServer.github.webURL)/")
    {
      return
        "Authorize the token for single sign-on, within the hour: \(TerminalText(String(page.prefix(500))))"
    }
    return "Authorize the token for the organization's single sign-on."
  }

  private static func wrongServer(_ server: GitHubServer) -> String {
    "Is \(server.apiURL) the API of a \(server.isGitea ? "Forgejo or Gitea" : "GitHub") server?"
  }

  static func signInAdvice(_ server: GitHubServer) -> String {
    "Set \(variable(server)) to an access token\(orLogin(server))."
  }

  static func variable(_ server: GitHubServer) -> String {
    AccessToken.environmentVariables(for: server)[0]
  }

  /// Advice to log in, for servers that `gh` supports.
  static func orLogin(_ server: GitHubServer) -> String {
    GHCommand.host(of: server).map { " or log in with '\(GHCommand.loginCommand($0))'" } ?? ""
  }

  private static func advice(
    on code: Int, _ subject: String, _ server: GitHubServer, _ source: TokenSource?
  ) -> String {
    switch code {
    case 401:
      let advice =
        switch source {
        case .variable(let name): "Set \(name) to a valid access token for \(server)."
        case .app:
          "Check \(GitHubApp.Variable.id) and the app's private key, and that it isn't suspended."
        case .gh:
          "Log in again with '\(GHCommand.loginCommand(GHCommand.host(of: server) ?? server.host))'."
        case .tea: "Log in again with 'tea login add'."
        case nil:
          "Set \(variable(server)) to a valid access token for \(server)\(orLogin(server))."
        }
      return advice
    case 403:
      return
        (source.map { "T\($0.token.dropFirst()) has no access to \(subject)." }
        ?? "Set \(variable(server)) to an access token for \(subject)\(orLogin(server)).")
    case 404: return adviceOnAbsence(of: subject, on: server, source)
    case 410: return "\(subject) has no issues: they are turned off, or it was deleted."
    case 451:
      return "\(subject) is blocked for legal reasons."
    case 412: return "Close the issues first that block it."
    case 423: return "\(subject) is archived, and can only be read."
    case 400, 409, 422:
      return "The server refuses these options for \(subject)."
    case 500..<600:
      return "The server has a problem: try again later."
    default:
      return wrongServer(server)
    }
  }
}

extension CommandFailure {
  init(any error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as OutputError: self.init(error.exitStatus, "\(error)")
    case let error as InvalidInput: self.init(.usage, error.message)
    case let failure as MirrorFailure: self.init(failure)
    case let failure as OutboxFailure: self.init(failure)
    case GitRemotes.Failure.cancelled: self.init(.cancelled, "")
    case let error as GitRemotes.Failure:
      self.init(.usage, "\(error)\nName the repository: OWNER/REPO")
    case let error as Browser.Failure: self.init(.failed, "\(error)")
    case let error as DiskResponseStore.Failure: self.init(.failed, "\(error)")
    case let error as RepositoryHistory.Failure: self.init(.failed, "\(error)")
    case is CancellationError: self.init(.cancelled, "")
    default: self.init(.failed, "\(error)")
    }
  }

  /// Explains a failure, and adds advice if it has none.
  init(_ failure: MirrorFailure) {
    guard !failure.isOfServer else {
      self.init(ofServer: failure)
      return
    }
    let (status, advice): (ExitStatus, String) =
      switch failure.code {
      case .cancelled: (.cancelled, "")
      case .notMirrored: (.notFound, "")
      case .queryRefused: (.usage, "")
      case .full, .notExported, .damaged, .laterVersion, .busy: (.output, "")
      case .readOnly, .cannotOpen:
        (.output, "\nCheck its permissions, or set XDG_DATA_HOME to another folder.")
      case .database: (.output, "\n'issues mirror check' says whether it is sound.")
      default: (.failed, "")
      }
    self.init(status, failure.message + advice)
  }

  /// Explains a failure of the mirror's server. If the mirror can't be reached, all other work also fails.
  private init(ofServer failure: MirrorFailure) {
    let (status, advice): (ExitStatus, String) =
      switch failure.code {
      case .cancelled: (.cancelled, "")
      case .notMirrored: (.notFound, "")
      case .cannotOpen where failure.message.contains("password"):
        (
          .output,
          "\nKeep the password in ~/.pgpass (PGPASSFILE), in a service file, or in PGPASSWORD."
        )
      case .cannotOpen where failure.message.contains("connection to server"):
        (.output, "\nCheck the address, that the server is running, and that it lets you log in.")
      case .readOnly where failure.message.contains("permission denied for database"):
        (
          .output,
          "\nIt has no tables yet. Its owner makes them with the first sync: Documentation/team.md."
        )
      case .readOnly:
        (
          .output,
          "\nAsk its owner for the rights of a reader, or of a writer to sync: Documentation/team.md."
        )
      case .cannotOpen, .full, .damaged, .laterVersion, .busy, .database: (.output, "")
      default: (.failed, "")
      }
    self.init(status, failure.message + advice)
  }
}

extension NetworkError {
  /// Whether GitHub refused a search. For a repository or a user that doesn't exist or isn't visible, it responds with
  /// 422, not 404.
  var isOfUnsearchable: Bool {
    response?.status.code == 422 && message.contains("cannot be searched")
  }
}

extension HTTPFields {
  /// Whether the hourly quota is used up.
  fileprivate var hasSpentQuota: Bool {
    HTTPField.Name("x-ratelimit-remaining").map { self[$0] == "0" } ?? false
  }
}
