public import HTTPTargets

extension Provider where Target == GitHub {
  /// Looks a repository up, and asks for its list side by side: both together take as long as one.
  ///
  /// What the look-up says decides. A list is given only when it is that of the repository that was found
  /// (``AnswerSource/isList(of:)``); any other is dropped unseen, and asked for under the name that the server
  /// gave. While the look-up goes on the list is an ``EarlyCall``, and where it fails, the list is cancelled.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - onFound: Is told of the repository, and of its name as the server has it, before the list is there.
  ///   - list: Asks for the list under a name, and says where it came from; nil where nothing was
  ///     asked for.
  /// - Returns: The repository as the server has it, and its list.
  /// - Throws: Why there is no repository; else why there is no list.
  public func repository<List: Sendable>(
    _ name: RepositoryName,
    onFound: @Sendable (Repository, RepositoryName) -> Void = { _, _ in },
    with list:
      @escaping @Sendable (RepositoryName) async throws(NetworkError) -> (
        list: List, source: AnswerSource?
      )
  ) async throws(NetworkError) -> (repository: Repository, list: List) {
    let early = EarlyCall()
    async let guess = early.outcome { () async throws(NetworkError) in try await list(name) }
    let repository = try await repository(name)
    // From here on the name is the server's: a renamed repository has its new one.
    guard let fullName = RepositoryName(repository.fullName) else {
      throw NetworkError(
        .decoding, "the server gives \(name) a name that is none")
    }
    onFound(repository, fullName)
    let isAsked = "\(fullName)".lowercased() == "\(name)".lowercased()
    // Under another name a list can be the right one, but a failure need not be.
    early.settle(isWanted: isAsked)
    switch await guess {
    case .success((let list, let source))
    where source?.isList(of: repository) ?? true:
      return (repository, list)
    case .failure(let error) where isAsked:
      throw error
    default:
      guard !Task.isCancelled else { throw .cancelled }
      return (repository, try await list(fullName).list)
    }
  }
}
