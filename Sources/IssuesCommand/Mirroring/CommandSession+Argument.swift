internal import IssueMirror

extension CommandSession {
  /// Finds the repository in the mirror that an argument names, or without one that of the clone that the
  /// user stands in.
  ///
  /// - Throws: ``InvalidInput`` and ``GitRemotes/Failure``; ``CommandFailure`` that says how to mirror it, and
  ///   `MirrorFailure`.
  func mirrored(
    _ argument: String?
  ) async throws -> (mirror: Mirror, repository: MirroredRepository) {
    let reference =
      if let argument {
        try RepositoryReference(parsing: argument)
      } else {
        try await GitRemotes.repository(environment: environment)
      }
    let server = try ConnectionOptions.server(
      apiURL: nil, host: reference.host, environment: environment)
    return try await mirrored(reference.name, on: server)
  }
}
