/// The JSON of stubs, embedded in the binary: one file per endpoint.
public enum SampleData {
  /// A response to `GET /repos/{owner}/{repo}/issues`, with issues and pull requests.
  public static var issues: [UInt8] { PackageResources.issues_json }
  /// A response to `GET /rate_limit` at midnight of 1 January 2026, UTC.
  public static var rateLimit: [UInt8] { PackageResources.rate_limit_json }
  /// A response to `GET /repos/{owner}/{repo}`.
  public static var repository: [UInt8] { PackageResources.repository_json }
  /// A response to `GET /users/{username}/repos`.
  public static var repositories: [UInt8] { PackageResources.repositories_json }
  /// A response to `GET /search/repositories`.
  public static var searchRepositories: [UInt8] { PackageResources.search_repositories_json }
  /// A response to `GET /users/{username}`.
  public static var user: [UInt8] { PackageResources.user_json }
}
