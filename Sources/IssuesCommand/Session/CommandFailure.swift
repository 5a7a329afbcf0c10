internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Why the command can't go on, for the person who typed it: what happened, to what, what to do.
struct CommandFailure: Error, Sendable, Hashable {
  /// What the process exits with.
  let status: ExitStatus
  /// One or two lines.
  let message: String
  /// Whether it is that the network is away, which the mirror may stand in for.
  let isNetworkAway: Bool

  init(_ status: ExitStatus, _ message: String, isNetworkAway: Bool = false) {
    self.status = status
    self.message = message
    self.isNetworkAway = isNetworkAway
  }

  /// What happened and what to do, in one line of sentences.
  var sentences: String {
    let lines = message.split(separator: "\n")
    return lines.enumerated().map { index, line in
      let isEnded = line.last.map { ".?!".contains($0) } ?? true
      return index < lines.count - 1 && !isEnded ? "\(line)." : "\(line)"
    }
    .joined(separator: " ")
  }

  /// Explains an error of the network.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - subject: What was asked for, such as `apple/swift`.
  ///   - server: Who was asked.
  ///   - tokenSource: Where the token came from that was sent; nil for none.
  ///   - certificateVariable: The variable that names the authorities to trust.
  ///   - now: The time, to tell how long a limit lasts.
  init(
    _ error: NetworkError, of subject: String, on server: GitHubServer, tokenSource: TokenSource?,
    certificateVariable: String = CertificateStore.variables[1], now: Date = Date()
  ) {
    let (status, advice): (ExitStatus, String)
    switch error.code {
    case .cancelled:
      (status, advice) = (.cancelled, "")
    case .statusCode:
      (status, advice) = Self.explain(
        error.response?.status.code ?? 0, subject, server, tokenSource)
    case .rateLimited:
      status = .rateLimited
      let time = error.retryDate == nil ? "in a few minutes" : "then"
      let wait = Self.wait(until: error.retryDate, now: now)
      // Of a quota a token has more; to slow down is asked of everybody.
      let isQuota = error.response.map { $0.headers.hasSpentQuota } ?? true
      advice =
        tokenSource != nil || !isQuota
        ? "Try again \(time), or wait for it with \(wait)."
        : "Try again \(time), wait for it with \(wait), or set \(Self.variable(server))"
          + "\(Self.orLogin(server)): with a token the limit is higher."
    case .transport
    where [.malformedResponse, .contentEncoding].contains(error.transportFailure?.reason):
      (status, advice) = (.badAnswer, Self.wrongServer(server))
    case .transport, .timedOut:
      (status, advice) = (
        .network, Self.advice(on: error.transportFailure, certificateVariable)
      )
    case .decoding where error.underlying is UnreadableEntries:
      (status, advice) = (.badAnswer, "")
    case .tooLarge, .insecureRedirect, .tooManyRedirects, .decoding:
      (status, advice) = (.badAnswer, Self.wrongServer(server))
    case .requestMapping, .encoding:
      (status, advice) = (.usage, "")
    default:
      (status, advice) = (.failed, "")
    }
    self.init(
      status, advice.isEmpty ? error.problem : "\(error.problem)\n\(advice)",
      isNetworkAway: error.isNetworkAway)
  }

  private static func advice(
    on failure: TransportFailure?, _ certificateVariable: String
  ) -> String {
    switch (failure?.reason, failure?.certificateProblem) {
    case (.certificate, .expired), (.certificate, .notYetValid):
      "Is this machine's clock right? If so, only the server can put that right."
    case (.certificate, .wrongHost):
      "Check the host's name: somebody else may be answering."
    case (.certificate, .revoked):
      "Nothing was sent. Ask whoever runs the server."
    case (.certificate, _):
      "If you trust it, name its authority's certificate in \(certificateVariable)."
    case (.proxy, _):
      "Check the proxy in https_proxy, and its user name and password."
    default:
      "Check the connection and try again."
    }
  }

  /// The option that waits until a limit ends.
  private static func wait(until end: Date?, now: Date) -> String {
    // Without a time a minute is waited, then two, then four.
    guard let end else { return "--wait 10m" }
    // Rounded up, and half a minute on top for what it takes to type the command again.
    let minutes = Int((max(end.timeIntervalSince(now), 0) + 90) / 60)
    return minutes <= 90 ? "--wait \(minutes)m" : "--wait forever"
  }

  private static func wrongServer(_ server: GitHubServer) -> String {
    "Is \(server.apiURL) the API of a GitHub server?"
  }

  /// The variable that the user is told to set.
  private static func variable(_ server: GitHubServer) -> String {
    AccessToken.environmentVariables(for: server)[0]
  }

  /// The other way to a token, where the server is one that `gh` is asked about.
  private static func orLogin(_ server: GitHubServer) -> String {
    GHCommand.host(of: server).map { " or log in with '\(GHCommand.loginCommand($0))'" } ?? ""
  }

  private static func explain(
    _ code: Int, _ subject: String, _ server: GitHubServer, _ source: TokenSource?
  ) -> (ExitStatus, String) {
    switch code {
    case 401:
      let advice =
        switch source {
        case .variable(let name): "Set \(name) to a valid access token for \(server)."
        case .gh:
          "Log in anew with '\(GHCommand.loginCommand(GHCommand.host(of: server) ?? server.host))'."
        case nil:
          "Set \(variable(server)) to a valid access token for \(server)\(orLogin(server))."
        }
      return (.badCredentials, advice)
    case 403:
      return (
        .badCredentials,
        source.map { "T\($0.token.dropFirst()) may not see \(subject)." }
          ?? "Set \(variable(server)) to an access token that may see \(subject)\(orLogin(server))."
      )
    case 404:
      return (
        .notFound,
        source.map { "Check the name “\(subject)”, and that \($0.token) may see it." }
          ?? "Check the name “\(subject)”; if it is private, set \(variable(server)) to an access token\(orLogin(server))."
      )
    case 410:
      return (.notFound, "\(subject) has no issues: they are switched off, or it was deleted.")
    case 451:
      return (.notFound, "\(subject) is blocked for legal reasons.")
    case 400, 422:
      return (.usage, "The server refuses these options for \(subject).")
    case 500..<600:
      return (.network, "The server has a problem of its own: try again later.")
    default:
      return (.badAnswer, wrongServer(server))
    }
  }
}

extension HTTPFields {
  /// Whether the quota of an hour is used up, as GitHub says it.
  fileprivate var hasSpentQuota: Bool {
    HTTPField.Name("x-ratelimit-remaining").map { self[$0] == "0" } ?? false
  }
}
