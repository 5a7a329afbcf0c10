internal import PlatformModules

/// The loopback server as a Forgejo or a Gitea.
extension LoopbackGitHub {
  /// The media type of a proxy's pages.
  private static let proxyType = "text/html"

  /// The path within the API, and the prefix before it.
  func forgePath(_ path: String) -> (path: String, prefix: String) {
    guard configuration.forge != .gitHub else { return Self.apiPath(path) }
    let prefix = configuration.subPath + configuration.forge.apiPath
    return path.hasPrefix("\(prefix)/")
      ? (String(path.dropFirst(prefix.count)), prefix) : (path, "")
  }

  /// Refuses requests that are refused before a look at the path.
  func forgeChecked(
    _ request: LoopbackRequest, token: String?, _ decision: LoopbackRateLimits.Decision,
    _ number: Int, now: Int
  ) -> LoopbackResponse {
    switch decision {
    case .admitted: break
    case .primaryLimit:
      return forgeAnswer(to: .secondaryRateLimitWithoutTime(status: 429), now: now)
    case .secondaryLimit(let retryAfter):
      return forgeAnswer(
        to: .secondaryRateLimit(status: 429, retryAfter: retryAfter), now: now)
    }
    if let token, let accepted = configuration.acceptedTokens, !accepted.contains(token) {
      // Forgejo repeats the token.
      return ForgejoEndpoints(github: self, request: request, now: now).refused(
        ForgejoRefusal(
          401,
          configuration.forge == .forgejo
            ? "access token does not exist [sha: \(token)]"
            : "invalid username, password or token"))
    }
    return carryOut(request, number, now: now)
  }

  /// An error of GitHub as Forgejo and Gitea, or a proxy before them, would report it.
  func forgeAnswer(to error: GitHubError, now: Int) -> LoopbackResponse {
    let answer = error.response(now: now)
    let status = answer.status
    switch error {
    case .primaryRateLimit, .secondaryRateLimit, .secondaryRateLimitUntilDate,
      .secondaryRateLimitWithoutTime, .contentLimit:
      return .text(
        "<html><body><h1>429 Too Many Requests</h1></body></html>\n", status: 429,
        contentType: Self.proxyType
      ).with { $0.headers["Retry-After"] = answer.headers["Retry-After"] }
    case .badGateway, .unavailable, .gatewayTimeout:
      return .text(
        "<html><body><h1>\(status)</h1></body></html>\n", status: status,
        contentType: Self.proxyType)
    default:
      let refusal: ForgejoRefusal =
        switch error {
        case .notFound, .gone, .deleted: .notFound
        case .serverError: .internalError
        case .requiresAuthentication: .tokenRequired
        case .badCredentials: ForgejoRefusal(401, "invalid username, password or token")
        default: ForgejoRefusal(status, "refused")
        }
      let request = LoopbackRequest(method: "GET", target: "/")
      return ForgejoEndpoints(github: self, request: request, now: now).refused(refusal)
    }
  }

  /// An error in place of an answer.
  func fault(_ error: GitHubError, now: Int) -> LoopbackFault {
    configuration.forge == .gitHub
      ? .error(error) : .answer(forgeAnswer(to: error, now: now))
  }

  /// Adds the headers of all answers, in the order of Go's server: by name.
  func completeForge(_ response: inout LoopbackResponse, now: Int) {
    var fields = response.headers.fields.filter { field in
      let name = field.name.lowercased()
      return !name.hasPrefix("x-github-") && !name.hasPrefix("x-ratelimit-")
    }
    let own =
      configuration.forge == .forgejo
      ? [
        ("Cache-Control", "max-age=0, private, must-revalidate"),
        ("X-Frame-Options", "SAMEORIGIN"),
      ]
      : [
        ("Cache-Control", "max-age=0, private, must-revalidate, no-transform"),
        ("Vary", "Origin"),
      ]
    // A proxy's page has none of them.
    let isOwn = response.headers["Content-Type"] != Self.proxyType
    for (name, value) in own + [("X-Content-Type-Options", "nosniff")]
    where isOwn && response.headers[name] == nil {
      fields.append(.init(name: name, value: value))
    }
    fields.sort { $0.name < $1.name }
    if response.headers["Date"] == nil {
      fields.append(.init(name: "Date", value: Timestamp.httpDate(now)))
    }
    response.headers = LoopbackHeaders(fields)
  }
}
