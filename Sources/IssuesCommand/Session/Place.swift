internal import IssueTracker

/// A repository and its server.
struct Place: Sendable, Hashable, CustomStringConvertible {
  let name: RepositoryName
  let server: GitHubServer

  init(
    _ reference: RepositoryReference, apiURL: String? = nil, environment: [String: String]
  ) throws(InvalidInput) {
    try Self.refuseOwnPage(reference)
    let server = try GitHubServer(apiURL: apiURL, host: reference.host, environment: environment)
    // Only Forgejo and Gitea have such owners, so it is a host.
    guard server != .github || !reference.name.owner.contains(".") else {
      throw InvalidInput(
        .repository, "\(reference) has a host, but no repository\nName it: HOST/OWNER/REPO")
    }
    self.init(name: reference.name, server: server)
  }

  /// Throws for the URL of one of GitHub's own pages, which looks like a repository's URL: no account can have their
  /// names.
  private static func refuseOwnPage(_ reference: RepositoryReference) throws(InvalidInput) {
    let pages = [
      "issues": "'issues mine' lists the issues that concern you.",
      "pulls": "'issues mine --review' lists the pull requests that wait for your review.",
      "notifications": "'issues inbox' lists your notifications.",
      "orgs": "'issues org:NAME' lists the issues of an organization.",
      "search": "'issues search --remote QUERY' searches GitHub.",
      "settings": nil, "marketplace": nil, "topics": nil, "trending": nil, "explore": nil,
      "sponsors": nil, "collections": nil, "codespaces": nil, "features": nil, "login": nil,
      "apps": nil, "organizations": nil, "stars": nil, "about": nil, "enterprise": nil,
    ]
    guard reference.host != nil, let advice = pages[reference.name.owner.lowercased()] else {
      return
    }
    throw InvalidInput(
      .repository,
      "\(reference) is a page of the server's own, not a repository\n"
        + (advice ?? "Name the repository: OWNER/REPO"))
  }

  init(name: RepositoryName, server: GitHubServer) {
    self.name = name
    self.server = server
  }

  /// The name, with its host unless that is github.com.
  var description: String { server == .github ? "\(name)" : "\(server.host)/\(name)" }

  var syncCommand: String {
    if server == .github { return "issues sync \(name)" }
    let isKnownByHost = (try? GitHubServer(host: server.host)) == server
    return isKnownByHost ? "issues sync \(self)" : "issues sync \(name) --api-url \(server.apiURL)"
  }
}

extension GitHubServer {
  /// Chooses a server: by the URL, or else the host, or else `GH_HOST`, or else github.com.
  init(
    apiURL: String?, host: String?, environment: [String: String]
  ) throws(InvalidInput) {
    if let apiURL {
      try self.init(apiURL: apiURL)
    } else if let host {
      guard RemoteAddresses(environment: environment).kind(of: host) != .otherForge else {
        throw InvalidInput(
          .host,
          "\(host) has neither GitHub nor Forgejo nor Gitea\nUse the client of that service, or --api-url for a server with one of their APIs."
        )
      }
      try self.init(host: host, environment: environment)
    } else if let host = environment["GH_HOST"], !host.isEmpty {
      try self.init(host: host, environment: environment)
    } else {
      self = .github
    }
  }
}

extension GitHubServer {
  private init(host: String, environment: [String: String]) throws(InvalidInput) {
    try self.init(host: host)
    guard isEnterpriseServer, !isGitea,
      let forge = ForgeMemory(environment: environment)?.forge(of: self)
    else { return }
    try self.init(host: host, forge: forge)
  }
}

extension CommandSession {
  /// The place of a choice; see ``RepositoryChoice``.
  func place(of choice: RepositoryChoice, apiURL: String? = nil) async throws -> Place {
    try Place(
      await choice.reference(environment: environment), apiURL: apiURL, environment: environment)
  }

  func server(host: String? = nil, apiURL: String?) throws(InvalidInput) -> GitHubServer {
    try GitHubServer(apiURL: apiURL, host: host, environment: environment)
  }
}
