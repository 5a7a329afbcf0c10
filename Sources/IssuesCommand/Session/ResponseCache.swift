internal import IssueTracker

/// The cache of the server's responses.
enum ResponseCache {
  /// Opens the store. If no variable specifies a folder for it, `onProblem` receives the reason.
  static func store(
    environment: [String: String], onProblem: (@Sendable (String) -> Void)? = nil
  ) -> DiskResponseStore? {
    guard let folder = DiskResponseStore.folder(named: "issues", in: environment) else {
      onProblem?("neither XDG_CACHE_HOME nor HOME names a folder for it")
      return nil
    }
    return DiskResponseStore(folder: folder, onProblem: onProblem)
  }
}
