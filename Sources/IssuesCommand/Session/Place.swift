internal import IssueTracker

/// A repository and the server that it is on.
struct Place: Sendable, Hashable, CustomStringConvertible {
  let name: RepositoryName
  let server: GitHubServer

  /// The place that a reference names.
  ///
  /// - Throws: ``InvalidInput``, saying which hosts and URLs are accepted.
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

  /// The name as one would type it: with its host where that isn't github.com.
  var description: String { server == .github ? "\(name)" : "\(server.host)/\(name)" }

  /// The command that mirrors the repository.
  var syncCommand: String {
    if server == .github { return "issues sync \(name)" }
    let isKnownByHost = (try? GitHubServer(host: server.host)) == server
    return isKnownByHost ? "issues sync \(self)" : "issues sync \(name) --api-url \(server.apiURL)"
  }
}

extension GitHubServer {
  /// The server that is meant: the one with the URL, else the one on the host, else the one of `GH_HOST`, else
  /// github.com.
  ///
  /// - Throws: ``InvalidInput``, saying which hosts and URLs are accepted.
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
  /// Finds the repository that the user means, wherever that is said: see ``RepositoryChoice``.
  ///
  /// - Parameters:
  ///   - choice: The repository that the command line names, if any.
  ///   - apiURL: The value of `--api-url`.
  /// - Returns: The repository and its server.
  /// - Throws: ``InvalidInput``, ``CommandFailure`` and ``GitRemotes/Failure``.
  func place(of choice: RepositoryChoice, apiURL: String? = nil) async throws -> Place {
    try Place(
      await choice.reference(environment: environment), apiURL: apiURL, environment: environment)
  }

  /// Finds the server that the user means.
  ///
  /// - Throws: ``InvalidInput``, saying which hosts and URLs are accepted.
  func server(host: String? = nil, apiURL: String?) throws(InvalidInput) -> GitHubServer {
    try GitHubServer(apiURL: apiURL, host: host, environment: environment)
  }
}
