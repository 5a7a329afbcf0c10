/// The version of this package.
package enum PackageVersion {
  /// The version in the format of <https://semver.org>.
  package static let current = "0.1.0"

  /// The `User-Agent` of all requests.
  package static let userAgent = "issue-tracker-client/\(current)"
}
