internal import IssueTracker

extension GitRemotes {
  /// The repository of the clone that the user stands in.
  ///
  /// - Throws: ``Failure``, and ``CommandFailure`` where no remote names a repository on a server.
  static func repository(environment: [String: String]) async throws -> RepositoryReference {
    for url in try await urls(environment: environment) {
      if let reference = try? RepositoryReference(remoteURL: url) { return reference }
    }
    throw CommandFailure(
      .usage,
      "the remote of this clone is not the address of a repository on a server\n"
        + "Name the repository: OWNER/REPO")
  }
}
