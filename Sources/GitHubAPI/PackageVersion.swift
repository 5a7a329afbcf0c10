/// The version of this package.
public enum PackageVersion {
  /// The version in the format of <https://semver.org>.
  public static let current = "0.1.0"
}
