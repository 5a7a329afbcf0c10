internal import IssueTracker

/// A repository and its server.
struct Place: Sendable, Hashable, CustomStringConvertible {
  let name: RepositoryName
  let server: GitHubServer

  init(
    _ reference: RepositoryReference, apiURL: String? = nil, environment: [String: String]
  ) throws(InvalidInput) {
    self.init(
      name: reference.name,
      server: try GitHubServer(apiURL: apiURL, host: reference.host, environment: environment))
  }

  init(name: RepositoryName, server: GitHubServer) {
    self.name = name
    self.server = server
  }

  /// With its host where that isn't github.com.
  var description: String { server == .github ? "\(name)" : "\(server.host)/\(name)" }

  var syncCommand: String {
    if server == .github { return "issues sync \(name)" }
    let isKnownByHost = (try? GitHubServer(host: server.host)) == server
    return isKnownByHost ? "issues sync \(self)" : "issues sync \(name) --api-url \(server.apiURL)"
  }
}

extension GitHubServer {
  /// By the URL, else the host, else `GH_HOST`, else github.com.
  init(
    apiURL: String?, host: String?, environment: [String: String]
  ) throws(InvalidInput) {
    if let apiURL {
      try self.init(apiURL: apiURL)
    } else if let host {
      try self.init(host: host)
    } else if let host = environment["GH_HOST"], !host.isEmpty {
      try self.init(host: host)
    } else {
      self = .github
    }
  }
}

extension CommandSession {
  /// See ``RepositoryChoice``.
  func place(of choice: RepositoryChoice, apiURL: String? = nil) async throws -> Place {
    try Place(
      await choice.reference(environment: environment), apiURL: apiURL, environment: environment)
  }

  func server(host: String? = nil, apiURL: String?) throws(InvalidInput) -> GitHubServer {
    try GitHubServer(apiURL: apiURL, host: host, environment: environment)
  }
}
