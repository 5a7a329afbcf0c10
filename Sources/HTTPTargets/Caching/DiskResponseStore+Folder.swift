extension DiskResponseStore {
  /// Finds the folder for caches that belongs to a user, as the
  /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/) says:
  /// in `$XDG_CACHE_HOME` if that is an absolute path, else in `~/.cache`.
  ///
  /// - Parameters:
  ///   - name: The folder's name, which is the program's.
  ///   - environment: The environment of the process.
  /// - Returns: The path; nil when neither variable names a folder.
  public static func folder(named name: String, in environment: [String: String]) -> String? {
    UserFolder.cache.path(in: environment).map { "\($0)/\(name)" }
  }
}
