public import GitHubAPI
public import HTTPTargets

extension GitHub.Configuration {
  /// Creates a configuration with ``PlatformTransport/shared`` and retries, and without a cache. Rate limits fail
  /// instead of waiting.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token; nil for anonymous access.
  public init(server: GitHubServer = .github, token: AccessToken? = nil) {
    self.init(server: server, token: token, transport: PlatformTransport.shared)
  }
}

extension Provider where Target == GitHub {
  /// Creates a provider for github.com with ``PlatformTransport/shared``, without a token.
  public static func gitHub() -> Provider { gitHub(GitHub.Configuration()) }
}
