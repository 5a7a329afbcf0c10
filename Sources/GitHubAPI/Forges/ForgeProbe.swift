package import HTTPTargets

extension Forge {
  /// Asks a server for its forge, without a token: `GET /api/v1/version`, which Forgejo and Gitea answer for everybody.
  ///
  /// - Parameters:
  ///   - server: The server. A server whose address has no version of an API is asked under `/api/v1` of its host.
  ///   - transport: The transport that sends the request.
  ///   - timeouts: The time limits of the request.
  /// - Returns: Forgejo or Gitea, or else GitHub if the response is one of GitHub's; nil for another server.
  /// - Throws: ``/HTTPTargets/NetworkError`` if the server can't be reached.
  package static func asking(
    _ server: GitHubServer, transport: any Transport, timeouts: Timeouts = Timeouts()
  ) async throws(NetworkError) -> Forge? {
    let url = server.isGitea ? server.apiURL : "\(server.origin)\(giteaPath)"
    let provider = Provider<VersionTarget>(redirects: nil, transport: transport)
    let response = try await provider.request(VersionTarget(baseURL: url, timeouts: timeouts))
    if response.isOfGitHub { return .gitHub }
    return response.status.kind == .successful ? Forge(versionOf: response) : nil
  }

  /// The forge of a response to `GET /version`: Gitea and Forgejo send `{"version": "1.22.0"}`, and Forgejo adds the
  /// version of Gitea with which it is compatible: `11.0.1+gitea-1.22.0`.
  init?(versionOf response: TargetResponse) {
    struct Version: Decodable {
      var version: String
    }
    guard let answer = try? GitHubJSON.decode(Version.self, from: response.body),
      answer.version.first?.isNumber == true
    else { return nil }
    self = answer.version.contains("+gitea-") ? .forgejo : .gitea
  }
}

private struct VersionTarget: TargetType {
  let baseURL: String
  let timeouts: Timeouts
  var path: URLPath { "version" }
  var method: HTTPRequest.Method { .get }
  var task: HTTPTask { .plain }
  var headers: HTTPFields {
    [.accept: "application/json", .userAgent: PackageVersion.userAgent]
  }
  var policy: TargetPolicy { TargetPolicy(timeouts: timeouts, validation: .none) }
}

extension TargetResponse {
  /// Whether the response has one of the header fields of GitHub, which begin with `X-GitHub-`.
  var isOfGitHub: Bool {
    headers.contains { $0.name.canonicalName.hasPrefix("x-github-") }
  }
}
