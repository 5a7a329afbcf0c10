/// The software that a loopback server imitates.
public enum LoopbackForge: String, Sendable, CaseIterable {
  /// GitHub.
  case gitHub = "github"
  /// Forgejo, which continues an early Gitea.
  case forgejo
  /// Gitea.
  case gitea

  /// The text of `/api/v1/version`. Forgejo's names the Gitea that it descends from.
  var version: String { self == .forgejo ? "11.0.1+gitea-1.22.0" : "1.24.0" }

  /// The API's path within the server.
  var apiPath: String { self == .gitHub ? "" : "/api/v1" }
}
