internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Where a server's token comes from, and what the server says of it.
struct AuthStatus: Sendable {
  /// A field of the status, by its name in JSON.
  enum Field: String, CodingKey, CaseIterable, Sendable {
    /// The server's host.
    case host
    /// The URL of its API.
    case apiURL = "api_url"
    /// Where the token comes from; null for no token.
    case tokenSource = "token_source"
    /// Whether the server accepts the token; null for no token, and where the server didn't say.
    case isAccepted = "accepted"
    /// The limits, as the server gives them; null where it has none, or didn't say.
    case resources
  }

  private let server: GitHubServer
  private let tokenSource: TokenSource?
  private let isAccepted: Bool?
  private let limits: RateLimitStatus?
  /// The time at which the server said so, by its own clock, which ``limits`` go by.
  private let serverTime: Date
  /// Why the command can't end well, if so.
  let failure: CommandFailure?

  /// Asks a server.
  init(asking github: Connection, now: Date = Date()) async {
    server = github.server
    tokenSource = github.tokenSource
    do throws(NetworkError) {
      let response = try await github.provider.request(.rateLimit)
      limits = try response.decode(RateLimitStatus.self)
      serverTime = response.serverDate ?? now
      isAccepted = github.tokenSource == nil ? nil : true
      failure = nil
    } catch {
      let status = error.code == .statusCode ? error.response?.status.code : nil
      limits = nil
      serverTime = now
      // 404 is the answer of Enterprise servers whose limits are switched off, after they looked at the
      // token: https://docs.github.com/en/enterprise-server@latest/rest/rate-limit/rate-limit
      let verdict: Bool? =
        switch status {
        case 401: false
        case 404: true
        default: nil
        }
      isAccepted = github.tokenSource == nil ? nil : verdict
      failure = status == 404 ? nil : github.explanation(of: error, "its limits")
    }
  }

  /// Writes the status: tables on a terminal, `name<TAB>value` in a pipe, an object with `--json`.
  func write(to session: CommandSession, fields: JSONFields?) async throws {
    if let fields {
      try await JSONSink.write(JSONObject(encoding: Whole(status: self)), fields, to: session)
    } else if session.style.layout == .table {
      try await session.output.write(tables(session.style))
    } else {
      try await session.output.write(TSV(color: session.style.color).page(plainRows))
    }
  }

  private func tables(_ style: OutputStyle) -> String {
    var head = Table(
      columns: [Column(title: "FIELD"), Column(title: "VALUE", sizing: .flexible(minimum: 10))],
      width: style.width, color: style.color)
    let token =
      switch (tokenSource, isAccepted) {
      case (nil, _): "none"
      case (let source?, true?): "from \(source.name), accepted"
      case (let source?, false?): "from \(source.name), refused"
      case (let source?, nil): "from \(source.name), not checked"
      }
    let page = head.page([
      [StyledLine("host", style: .heading), StyledLine(server.host)],
      [StyledLine("token", style: .heading), StyledLine(token)],
    ])
    guard let limits, !limits.resources.isEmpty else { return "\n\(page)" }
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
    return "\n\(page)\n\(table.page(rows))"
  }

  private var plainRows: [[StyledLine]] {
    var rows = [
      [StyledLine("host", style: .heading), StyledLine(server.host)],
      [StyledLine("token", style: .heading), StyledLine(tokenSource?.name ?? "none")],
    ]
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

  /// All fields of the status, with null for what isn't known.
  private struct Whole: Encodable {
    let status: AuthStatus

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Field.self)
      for field in Field.allCases {
        switch field {
        case .host: try container.encode(status.server.host, forKey: field)
        case .apiURL: try container.encode(status.server.apiURL, forKey: field)
        case .tokenSource: try container.encode(status.tokenSource?.name, forKey: field)
        case .isAccepted: try container.encode(status.isAccepted, forKey: field)
        case .resources: try container.encode(status.limits?.resources, forKey: field)
        }
      }
    }
  }
}
