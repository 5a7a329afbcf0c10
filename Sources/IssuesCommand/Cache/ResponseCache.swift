internal import IssueTracker

/// The answers that the command keeps for its next run.
enum ResponseCache {
  /// Finds the store.
  ///
  /// - Parameters:
  ///   - environment: Where the folder is looked up.
  ///   - onProblem: Is told why there is none, or why it is off.
  /// - Returns: The store; nil when no variable names a folder for it.
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
