internal import IssueMirror

extension CommandSession {
  /// Finds the repository in the mirror that is meant; all of it is there.
  ///
  /// - Parameters:
  ///   - argument: What an argument names.
  ///   - repo: The value of --repo.
  /// - Returns: What is kept of it.
  /// - Throws: ``InvalidInput`` and ``GitRemotes/Failure``; ``CommandFailure`` that says how to mirror it, or the
  ///   rest of it; and `MirrorFailure`.
  func wholeMirror(of argument: String?, repo: String?) async throws -> MirroredPlace {
    let reference = try await RepositoryChoice(parsing: argument, option: repo)
      .reference(environment: environment)
    let server = try RequestSettings.server(
      apiURL: nil, host: reference.host, environment: environment)
    let place = try await mirrored(reference.name, on: server)
    guard place.repository.isComplete else { throw place.repository.incompleteness }
    return place
  }
}
