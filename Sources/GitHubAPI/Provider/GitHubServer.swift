public import HTTPTargets

/// A server: github.com, an Enterprise server, one with Forgejo or Gitea (``Forge``), or a test server on this machine.
public struct GitHubServer: Hashable, Sendable {
  /// The host of the pages in lowercase, with its port unless it is 443: `github.com`, `github.example.com`,
  /// `octocorp.ghe.com`.
  public let host: String
  /// The base URL of the API, without a final slash.
  public let apiURL: String
  /// The URL of the GraphQL API. On an Enterprise server, it is next to the REST API.
  var graphQLURL: String {
    let enterprise = "/api/v3"
    return apiURL.hasSuffix(enterprise)
      ? "\(apiURL.dropLast(enterprise.count))/api/graphql" : "\(apiURL)/graphql"
  }

  /// The base URL for uploads of attachments, without a final slash; nil if the server doesn't store attachments. An
  /// Enterprise server doesn't. A server on this machine is a test server, which stores them next to its API.
  public var uploadURL: String? {
    if origin.host == "api.github.com" { return "https://uploads.github.com" }
    if Self.isTenant(origin.host) {
      let tenant = origin.host.hasPrefix("api.") ? origin.host.dropFirst(4) : origin.host[...]
      return "https://uploads.\(tenant)"
    }
    return origin.isLoopback && apiURL == origin.description ? apiURL : nil
  }

  /// The base URL of the pages, without a final slash.
  public let webURL: String
  /// The origin of ``apiURL``. The token is sent only to this origin.
  public let origin: Origin

  /// The server github.com.
  public static let github = GitHubServer(
    host: "github.com", apiURL: "https://api.github.com", webURL: "https://github.com",
    origin: Origin(scheme: "https", host: "api.github.com", port: 443))

  private init(host: String, apiURL: String, webURL: String, origin: Origin) {
    self.host = host
    self.apiURL = apiURL
    self.webURL = webURL
    self.origin = origin
  }

  /// Creates a server from its host. The API always uses https.
  ///
  /// | host | API |
  /// |---|---|
  /// | `github.com` | `https://api.github.com` |
  /// | `NAME.ghe.com` | `https://api.NAME.ghe.com` |
  /// | `codeberg.org`, `gitea.com`, or a host with Forgejo or Gitea | `https://HOST/api/v1` |
  /// | another | `https://HOST/api/v3` |
  ///
  /// - Parameters:
  ///   - host: A host name or an address, with or without a port.
  ///   - forge: The software of a host that isn't one of these; GitHub Enterprise by default.
  /// - Throws: ``InvalidInput`` with the code `host` and with the accepted form.
  public init(host: String, forge: Forge = .gitHub) throws(InvalidInput) {
    guard let name = HostName(host) else {
      let refused = InvalidInput.naming(host, otherwise: "The text")
      throw InvalidInput(
        .host,
        "\(refused) is not a host: use a name such as github.example.com, with :PORT if needed.")
    }
    let web = Origin(scheme: "https", host: name)
    switch name.host {
    case "github.com", "www.github.com", "api.github.com":
      self = .github
    case let tenant where Self.isTenant(tenant):
      let api = Origin(
        scheme: "https", host: tenant.hasPrefix("api.") ? tenant : "api.\(tenant)", port: web.port)
      self.init(api: api, path: "")
    default:
      self.init(api: web, path: (Forge.known(name.host) ?? forge).apiPath)
    }
  }

  /// Creates a server from the URL of its API. Plain http is allowed only to this machine, because it exposes the token
  /// to the network.
  ///
  /// - Parameter apiURL: An absolute URL without user information, query or fragment. Final slashes are ignored.
  /// - Throws: ``InvalidInput`` with the code `apiURL` and with the accepted form.
  public init(apiURL: String) throws(InvalidInput) {
    let example = "such as https://api.github.com or https://github.example.com/api/v3"
    guard !apiURL.contains("@") else {
      throw InvalidInput(
        .apiURL, "The API's URL contains a user name or a token: use one \(example), without it.")
    }
    // Computed only after a failure, because it takes longer than the other steps.
    var refused: String { InvalidInput.naming(apiURL, otherwise: "The text") }
    guard let url = AbsoluteURL(apiURL), let path = Self.path(url.rest) else {
      throw InvalidInput(.apiURL, "\(refused) is not the URL of an API: use one \(example).")
    }
    guard url.origin.scheme == "https" || url.origin.isLoopback else {
      throw InvalidInput(
        .apiURL,
        "\(refused) would send everything unencrypted: use https (http is for loopback only).")
    }
    self.init(api: url.origin, path: path)
  }

  private init(api: Origin, path: String) {
    let web: Origin
    if api.scheme == "https", path.isEmpty, api.host.hasPrefix("api."),
      api.host == "api.github.com" || Self.isTenant(api.host)
    {
      web = Origin(scheme: api.scheme, host: String(api.host.dropFirst(4)), port: api.port)
    } else {
      web = api
    }
    // Forgejo and Gitea can be below a folder of their host.
    let folder = path.hasSuffix(Forge.giteaPath) ? path.dropLast(Forge.giteaPath.utf8.count) : ""
    self.init(
      host: web.authority, apiURL: "\(api)\(path)", webURL: "\(web)\(folder)", origin: api)
  }

  /// Whether this isn't a server of GitHub itself, and doesn't accept tokens for github.com. Subdomains of ghe.com
  /// belong to GitHub and use the same variables as github.com: <https://cli.github.com/manual/gh_help_environment>.
  public var isEnterpriseServer: Bool {
    origin.host != "api.github.com" && !Self.isTenant(origin.host)
  }

  /// Returns the URL of a repository, or of an issue or pull request. GitHub redirects between issues and pull
  /// requests.
  public func webURL(of repository: RepositoryName, issueNumber: Int? = nil) -> String {
    let page = "\(webURL)/\(repository)"
    return issueNumber.map { "\(page)/issues/\($0)" } ?? page
  }

  private static func isTenant(_ host: String) -> Bool {
    host.hasSuffix(".ghe.com") && host != "api.ghe.com"
  }

  private static func path(_ rest: Substring) -> String? {
    var rest = rest
    while rest.last == "/" { rest.removeLast() }
    guard !rest.isEmpty else { return "" }
    guard rest.first == "/", rest.utf8.count <= 1_024 else { return nil }
    for segment in rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard !segment.isEmpty, segment != ".", segment != "..",
        segment.utf8.allSatisfy({
          $0.isASCIILetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
            || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "~")
        })
      else { return nil }
    }
    return String(rest)
  }
}

extension GitHubServer: CustomStringConvertible {
  /// The host.
  public var description: String { host }
}

extension GitHubServer: Codable {
  /// Decodes a server from the URL of its API.
  ///
  /// - Throws: `DecodingError` for a URL that ``init(apiURL:)`` rejects.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { try GitHubServer(apiURL: $0) }
  }

  /// Encodes the URL of the API, which determines the other properties.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(apiURL)
  }
}
