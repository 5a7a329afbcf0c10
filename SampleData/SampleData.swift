/// The JSON that stubs answer with, embedded in the binary: one file per endpoint.
public enum SampleData {
  /// An answer of `GET /repos/{owner}/{repo}/issues`: a list of issues and pull requests.
  public static var issues: [UInt8] { PackageResources.issues_json }
  /// An answer of `GET /rate_limit`, given at midnight of 1 January 2026 UTC.
  public static var rateLimit: [UInt8] { PackageResources.rate_limit_json }
  /// An answer of `GET /repos/{owner}/{repo}`.
  public static var repository: [UInt8] { PackageResources.repository_json }
  /// An answer of `GET /users/{username}/repos`.
  public static var repositories: [UInt8] { PackageResources.repositories_json }
  /// An answer of `GET /search/repositories`.
  public static var searchRepositories: [UInt8] { PackageResources.search_repositories_json }
  /// An answer of `GET /users/{username}`.
  public static var user: [UInt8] { PackageResources.user_json }
}
