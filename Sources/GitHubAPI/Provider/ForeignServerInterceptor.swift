internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import PlatformModules

/// Refuses requests that a server which isn't GitHub would misunderstand.
///
/// Forgejo, Gitea and GitLab ignore parameters and fields that they don't know, so a filtered list would contain
/// everything, and a write would lose a part, with a status of success. Each response of GitHub has header fields that
/// begin with `X-GitHub-`, and theirs don't. A response without them to such a request isn't returned, and a write is
/// sent only after one response with them. `GET /version` asks for it: GitHub doesn't have this endpoint, and the others
/// do.
struct ForeignServerInterceptor: Interceptor {
  private let versionURL: String
  private let name: String
  /// Whether a response of GitHub was seen.
  private let isGitHub: Locked<Bool>

  /// github.com and its tenants don't need a check.
  init?(_ server: GitHubServer) {
    guard server.isEnterpriseServer else { return nil }
    versionURL = "\(server.apiURL)/version"
    name = server.host
    isGitHub = Locked(false)
  }

  func intercept(
    _ request: TargetRequest, call: TargetCall, next: @escaping Next
  ) async throws -> TargetResponse {
    guard (call.target as? GitHub)?.isUnderstoodByForeignServers == false else {
      return note(try await next(request))
    }
    guard !isGitHub.withLock({ $0 }) else { return try await next(request) }
    var answer: TargetResponse?
    if request.method == .get {
      let response = note(try await next(request))
      // The caller sees that other statuses are failures.
      if response.isOfGitHub || response.status.kind != .successful { return response }
      answer = response
    }
    var probe = request
    (probe.method, probe.url, probe.body) = (.get, versionURL, nil)
    probe.headers = request.headers[.userAgent].map { [.userAgent: $0] } ?? [:]
    let version = note(try await next(probe))
    if version.isOfGitHub {
      if let answer { return answer }
      return try await next(request)
    }
    // The server, or a proxy in front of it, doesn't work at the moment.
    if version.status.code == 429 || version.status.kind == .serverError { return version }
    throw NetworkError(
      .refused,
      """
      \(name) isn't GitHub\(Self.kind(version).map { ", but seems to be \($0)" } ?? ""): it would ignore a part of this \
      request. Without filters, lists of issues and single issues can be read
      """)
  }

  private func note(_ response: TargetResponse) -> TargetResponse {
    if response.isOfGitHub { isGitHub.withLock { $0 = true } }
    return response
  }

  /// GitLab requires a token.
  private static func kind(_ response: TargetResponse) -> String? {
    if let forge = Forge(versionOf: response) { return forge.name }
    return response.headers.contains { $0.name.canonicalName.hasPrefix("x-gitlab-") }
      || response.headers.contains { $0.name.canonicalName == "ratelimit-name" }
      ? "GitLab" : nil
  }
}

extension GitHub {
  /// Whether servers that imitate a part of GitHub's API, such as Gitea, respond to the request as GitHub does.
  fileprivate var isUnderstoodByForeignServers: Bool {
    switch self {
    case .issues(_, let filter, _): filter == IssueFilter(state: filter.state)
    case .repo, .issue, .issueComments, .userProfile, .ownProfile, .repos, .rateLimit, .page: true
    default: false
    }
  }
}
