public import HTTPTargets
public import PlatformModules

extension AccessToken {
  /// The variables that can contain a token for a server. The first one that is set is used: `GH_TOKEN` and
  /// `GITHUB_TOKEN` for github.com and its tenants, `GH_ENTERPRISE_TOKEN` and `GITHUB_ENTERPRISE_TOKEN` for all other
  /// servers (<https://cli.github.com/manual/gh_help_environment>). Forgejo and Gitea have `FORGEJO_TOKEN` and
  /// `GITEA_TOKEN`; the latter is that of Gitea's command `tea`.
  public static func environmentVariables(for server: GitHubServer) -> [String] {
    if server.isGitea { return ["FORGEJO_TOKEN", "GITEA_TOKEN"] }
    return server.isEnterpriseServer
      ? ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"] : ["GH_TOKEN", "GITHUB_TOKEN"]
  }

  /// The variable that contains the token for a server; nil if none is set.
  public static func environmentVariable(
    for server: GitHubServer,
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    environmentVariables(for: server).first { environment[$0]?.isEmpty == false }
  }

  /// Finds the token for a server in the environment; nil if there is none.
  ///
  /// - Throws: ``/HTTPTargets/NetworkError/Code/requestMapping`` with the name of the variable if its value isn't a
  ///   valid token. Without the error, requests would be sent as the wrong user.
  public static func environment(
    for server: GitHubServer,
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(NetworkError) -> AccessToken? {
    guard let name = environmentVariable(for: server, in: environment),
      let value = environment[name]
    else { return nil }
    do throws(NetworkError) {
      return try AccessToken(value)
    } catch {
      throw NetworkError(error.code, "\(name): \(error.message)")
    }
  }
}
