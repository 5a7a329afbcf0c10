internal import HTTPTypes
internal import IssueTracker

/// Sends requests with the current token of a GitHub App's installation.
///
/// Requests come with a stand-in for the token, which names the installation and is no secret. So everything above,
/// which tells accounts apart by their tokens, has the same account for hours: the shared budgets, the cache of
/// responses, and the outbox. Only this transport knows the token.
struct InstallationTransport: Transport {
  let transport: any Transport
  let tokens: InstallationTokens
  let source: TokenSource
  let standIn: AccessToken

  init(
    _ transport: any Transport, _ tokens: InstallationTokens, of app: GitHubApp
  ) async throws(NetworkError) {
    self.transport = transport
    self.tokens = tokens
    let installation = try await tokens.installationID()
    source = .app(app.id, installation: installation)
    standIn = try AccessToken("app-\(app.id)-installation-\(installation)")
  }

  /// Sends a request. If the server refuses the token, the request is sent again with a new one.
  func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    // After a redirect to another host, the request has no credentials.
    guard let value = request.headers[.authorization], value.hasSuffix(" \(standIn.secret)") else {
      return try await transport.send(request, onSent: onSent)
    }
    let token = try await tokens.current()
    let reply = try await transport.send(request.authorized(by: token), onSent: onSent)
    guard reply.status == .unauthorized else { return reply }
    let renewed = try await tokens.current(afterRefusalOf: token)
    return try await transport.send(request.authorized(by: renewed), onSent: onSent)
  }
}

extension TargetRequest {
  fileprivate func authorized(by token: AccessToken) -> TargetRequest {
    var request = self
    request.headers[.authorization] = "Bearer \(token.secret)"
    return request
  }
}
