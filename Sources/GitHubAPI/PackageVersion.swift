/// The version of this package.
public enum PackageVersion {
  /// The version, by the rules of <https://semver.org>.
  public static let current = "0.1.0"
}
