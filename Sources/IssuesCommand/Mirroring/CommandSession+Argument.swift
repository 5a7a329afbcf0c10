internal import IssueMirror

extension CommandSession {
  /// Finds the repository in the mirror that an argument names, or without one that of the clone that the
  /// user stands in; all of it is there.
  ///
  /// - Throws: ``InvalidInput`` and ``GitRemotes/Failure``; ``CommandFailure`` that says how to mirror it, or the
  ///   rest of it; and `MirrorFailure`.
  func wholeMirror(of argument: String?) async throws -> MirroredPlace {
    let reference =
      if let argument {
        try RepositoryReference(parsing: argument)
      } else {
        try await GitRemotes.repository(environment: environment)
      }
    let server = try RequestSettings.server(
      apiURL: nil, host: reference.host, environment: environment)
    let place = try await mirrored(reference.name, on: server)
    guard place.repository.isComplete else { throw place.repository.incompleteness }
    return place
  }
}
