package import HTTPTargets

/// The software of a server.
///
/// The cases of ``GitHub`` are the same for all servers. For Forgejo and Gitea, a provider turns each into their own
/// request, and throws ``HTTPTargets/NetworkError/Code/refused`` for what they don't have before anything is sent.
/// Forgejo is a fork of Gitea, and both have the same API (<https://forgejo.org/docs/latest/user/api-usage/>,
/// <https://docs.gitea.com/development/api-usage>) with a few differences.
public enum Forge: String, CaseIterable, Hashable, Sendable, Codable {
  /// github.com, its tenants, and GitHub Enterprise servers.
  case gitHub = "github"
  /// Forgejo, such as codeberg.org.
  case forgejo
  /// Gitea, such as gitea.com.
  case gitea

  /// The name for users.
  public var name: String {
    switch self {
    case .gitHub: "GitHub"
    case .forgejo: "Forgejo"
    case .gitea: "Gitea"
    }
  }

  /// The path of the API on its server, whose end is the version of the API.
  var apiPath: String { self == .gitHub ? "/api/v3" : Self.giteaPath }

  /// Whether a title on the server is one that was sent. Forgejo and Gitea cut longer titles than 255 bytes or
  /// characters; Gitea then ends them with `…`.
  package func stores(_ sent: String, as stored: String) -> Bool {
    guard self != .gitHub, sent.utf8.count > 255 else { return false }
    let kept = ["…", "\u{FFFD}"].contains(stored.last) ? stored.dropLast() : stored[...]
    // A cut inside of a character leaves a few bytes less. Shorter titles aren't cut ones.
    return kept.utf8.count >= 250 && sent.utf8.starts(with: kept.utf8)
  }

  static let giteaPath = "/api/v1"

  /// The forge of a public server.
  static func known(_ host: String) -> Forge? {
    switch host {
    case "codeberg.org": .forgejo
    case "gitea.com": .gitea
    default: nil
    }
  }
}

extension GitHubServer {
  /// Whether the server has the API of Forgejo and Gitea.
  public var isGitea: Bool { apiURL.hasSuffix(Forge.giteaPath) }

  /// The server's forge, as far as its address shows it. A server with the API of Forgejo and Gitea is taken for Gitea,
  /// which has less, unless it is codeberg.org.
  public var likelyForge: Forge { isGitea ? Forge.known(host) ?? .gitea : .gitHub }

  /// The server's forge, if its address alone decides it.
  package var knownForge: Forge? {
    if isGitea { return Forge.known(host) }
    return isEnterpriseServer ? nil : .gitHub
  }
}

extension NetworkError {
  /// An error for something that a forge doesn't have, before anything was sent.
  package static func lacking(_ forge: Forge, _ feature: String) -> NetworkError {
    var error = NetworkError(.refused, "\(forge.name) doesn't have \(feature)")
    error.bytesSent = 0
    return error
  }
}
