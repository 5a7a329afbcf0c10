public import GitHubAPI
public import HTTPTargets

extension GitHub.Configuration {
  /// Creates a configuration over ``PlatformTransport/shared``, with retries, rate limits that fail
  /// instead of waiting, and no cache.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token, if any.
  public init(server: GitHubServer = .github, token: AccessToken? = nil) {
    self.init(server: server, token: token, transport: PlatformTransport.shared)
  }
}

extension Provider where Target == GitHub {
  /// Creates a provider for github.com over ``PlatformTransport/shared``, without a token.
  public static func gitHub() -> Provider { gitHub(GitHub.Configuration()) }
}
