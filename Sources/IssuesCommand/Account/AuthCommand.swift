internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth",
    abstract: "Show where the access token comes from.",
    discussion: """
      EXAMPLES:
        issues auth
        issues auth status --hostname github.example.com
      """,
    subcommands: [AuthStatusCommand.self],
    defaultSubcommand: AuthStatusCommand.self)
}

struct AuthStatusCommand: JSONCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show where the access token comes from, and its limits.",
    usage: "issues auth status [<options>]",
    discussion: """
      Shows where the token for a host comes from (a variable, gh, or tea), what the server is \
      (GitHub, Forgejo or Gitea), whether it accepts the token, how many requests remain, and when the limits reset. The check itself doesn't count as a \
      request. The token is never shown.

      In a pipe, each line has tab-separated values: the host; the token's source, or 'none'; \
      whether the server accepted it ('yes', 'no' or 'unknown'); then for each resource its name, \
      the remaining requests, the limit, and the time of the reset.

      The exit status is 4 if the server refuses the token, or requires one and none is found.

      EXAMPLES:
        issues auth status
        issues auth status --hostname github.example.com
        issues auth status --json token_source,accepted
      """)

  @Option(
    help: ArgumentHelp(
      "The host; by default GH_HOST, else github.com.", valueName: "host"))
  var hostname: String?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .all(of: AuthStatus.Field.self) }

  func validateOptions() throws {
    guard hostname == nil || connection.request.apiURL == nil else {
      throw ValidationError("Use --hostname or --api-url, not both: each names a server.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let server = try session.server(host: hostname, apiURL: connection.request.apiURL)
    let github = try await connection.connection(to: server, session)
    session.progress.update("Asking \(server)…")
    let status = await AuthStatus(asking: github)
    try await status.write(to: session, fields: fields)
    session.progress.finish()
    if let failure = status.failure { throw failure }
  }
}

/// The source of a server's token, and the server's report about it.
struct AuthStatus: Sendable {
  enum Field: String, CaseIterable, Sendable {
    case host
    case apiURL = "api_url"
    /// `github`, `forgejo` or `gitea`.
    case forge
    case tokenSource = "token_source"
    /// Whether the server accepts the token; null without a token, or if the response doesn't show it.
    case isAccepted = "accepted"
    case resources
  }

  private let server: GitHubServer
  private let forge: Forge
  private let tokenSource: TokenSource?
  private let isAccepted: Bool?
  private let limits: RateLimitStatus?
  /// The time by the server's clock, which ``limits`` use.
  private let serverTime: Date
  let failure: CommandFailure?

  init(asking github: Connection, now: Date = Date()) async {
    server = github.server
    tokenSource = github.tokenSource
    forge = github.provider.forge
    do throws(NetworkError) {
      guard forge == .gitHub else {
        // Forgejo and Gitea don't tell limits, and answer this for every token that they accept.
        if tokenSource != nil { _ = try await github.provider.request(.ownProfile) }
        (limits, serverTime, failure) = (nil, now, nil)
        isAccepted = tokenSource == nil ? nil : true
        return
      }
      let response = try await github.provider.request(.rateLimit)
      limits = try response.decode(RateLimitStatus.self, using: GitHubJSON.decoder())
      serverTime = response.serverDate ?? now
      isAccepted = github.tokenSource == nil ? nil : true
      failure = nil
    } catch {
      let status = error.code == .statusCode ? error.response?.status.code : nil
      limits = nil
      serverTime = now
      // Enterprise servers without limits respond with 404 after they have checked the token:
      // https://docs.github.com/en/enterprise-server@latest/rest/rate-limit/rate-limit
      let verdict: Bool? =
        switch status {
        case 401: false
        case 404: true
        // The token lacks the scope for the user's profile.
        case 403 where forge != .gitHub: true
        default: nil
        }
      isAccepted = github.tokenSource == nil ? nil : verdict
      failure = verdict == true ? nil : github.explanation(of: error, "its limits")
    }
  }

  /// Writes tables on a terminal, `name<TAB>value` in a pipe, or an object with `--json`.
  func write(to session: CommandSession, fields: JSONFields?) async throws {
    if let fields {
      try await JSONSink.write(
        JSONObject(encoding: EncodedObject(Field.self, value)), fields, to: session)
    } else if session.style.layout == .table {
      try await session.output.write(tables(session.style))
    } else {
      try await session.output.write(TSV(color: session.style.color).page(plainRows))
    }
  }

  private func tables(_ style: OutputStyle) -> String {
    let token =
      switch (tokenSource, isAccepted) {
      case (nil, _): "none"
      case (let source?, true?): "from \(source.name), accepted"
      case (let source?, false?): "from \(source.name), refused"
      case (let source?, nil): "from \(source.name), not checked"
      }
    let host = forge == .gitHub ? server.host : "\(server.host) (\(forge.name))"
    let page = style.text(ofFields: [("host", host), ("token", token)])
    guard let limits, !limits.resources.isEmpty else { return page }
    var table = Table(
      columns: [
        Column(title: "RESOURCE", sizing: .limited(percent: 50)),
        Column(title: "REMAINING", alignment: .trailing), Column(title: "RESETS", dropOrder: 0),
      ], width: style.width, color: style.color)
    let rows = limits.names.compactMap { name in
      limits.resources[name].map { quota in
        [
          StyledLine(name, style: .heading),
          StyledLine("\(quota.remaining) of \(quota.limit)"),
          StyledLine(RelativeTime.until(quota.resetDate, from: serverTime), style: .faint),
        ]
      }
    }
    return "\(page)\n\(table.page(rows))"
  }

  private var plainRows: [[StyledLine]] {
    var rows = [
      [StyledLine("host", style: .heading), StyledLine(server.host)],
      [StyledLine("token", style: .heading), StyledLine(tokenSource?.name ?? "none")],
    ]
    if forge != .gitHub {
      rows.append([StyledLine("forge", style: .heading), StyledLine(forge.rawValue)])
    }
    if tokenSource != nil {
      let accepted = isAccepted.map { $0 ? "yes" : "no" } ?? "unknown"
      rows.append([StyledLine("accepted", style: .heading), StyledLine(accepted)])
    }
    for name in limits?.names ?? [] {
      guard let quota = limits?.resources[name] else { continue }
      rows.append([
        StyledLine(name, style: .heading), StyledLine("\(quota.remaining)"),
        StyledLine("\(quota.limit)"),
        StyledLine(Timestamp.string(from: quota.resetDate), style: .faint),
      ])
    }
    return rows
  }

  private func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .host: server.host
    case .apiURL: server.apiURL
    case .forge: forge.rawValue
    case .tokenSource: tokenSource?.name
    case .isAccepted: isAccepted
    case .resources: limits?.resources
    }
  }
}
