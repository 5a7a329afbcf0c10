/// The JSON that stubs answer with, embedded in the binary: one file per endpoint.
public enum SampleData {
  /// An answer of `GET /repos/{owner}/{repo}/issues`: a list of issues and pull requests.
  public static var issues: [UInt8] { PackageResources.issues_json }
  /// An answer of `GET /repos/{owner}/{repo}`.
  public static var repository: [UInt8] { PackageResources.repository_json }
  /// An answer of `GET /users/{username}/repos`.
  public static var repositories: [UInt8] { PackageResources.repositories_json }
  /// An answer of `GET /users/{username}`.
  public static var user: [UInt8] { PackageResources.user_json }
}
