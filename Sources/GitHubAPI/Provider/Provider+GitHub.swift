public import HTTPTargets

extension Provider where Target == GitHub {
  /// Looks up a user or an organisation.
  public func user(_ username: Username) async throws(NetworkError) -> User {
    try await entity(.userProfile(username: username.login))
  }

  /// Looks up the user that the token belongs to.
  public func ownProfile() async throws(NetworkError) -> User {
    try await entity(.ownProfile)
  }

  /// Looks up a repository. A renamed one is found under its old name, and has its new name.
  public func repository(_ name: RepositoryName) async throws(NetworkError) -> Repository {
    try await entity(.repo(fullName: name.description))
  }

  /// Looks up an issue, or the pull request with that number.
  ///
  /// A transferred issue is found in its new repository, perhaps with another number. A missing issue is an
  /// error with the status 404, a deleted one with 410.
  ///
  /// - Parameters:
  ///   - number: The number, from 1.
  ///   - repository: The repository; a renamed one is found under its old name.
  /// - Returns: The issue in its present state.
  /// - Throws: ``HTTPTargets/NetworkError``.
  public func issue(
    _ number: Int, of repository: RepositoryName
  ) async throws(NetworkError) -> Issue {
    try await entity(.issue(repositoryFullName: repository.description, number: number))
  }

  /// Looks up a file with its text, or the entries of a folder, on the default branch.
  ///
  /// - Parameters:
  ///   - path: The path from the root of the repository; empty for the root.
  ///   - repository: The repository.
  /// - Returns: What is there; nil if the path, or the repository, doesn't exist.
  /// - Throws: ``HTTPTargets/NetworkError``.
  public func contents(
    at path: String, of repository: RepositoryName
  ) async throws(NetworkError) -> RepositoryContents? {
    do throws(NetworkError) {
      return try await entity(.contents(repositoryFullName: repository.description, path: path))
    } catch {
      guard error.response?.status == .notFound else { throw error }
      return nil
    }
  }

  /// Calls a target for an answer that has changed since it had an entity tag, with `If-None-Match`
  /// ([RFC 9110, section 13.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2)).
  ///
  /// A ``HTTPTargets/CachingInterceptor`` leaves such a call alone.
  ///
  /// - Parameters:
  ///   - target: What to ask.
  ///   - entityTag: The tag of the answer that is there already; nil for an answer in any case.
  /// - Returns: The changed answer.
  /// - Throws: ``HTTPTargets/NetworkError/Code/statusCode`` with a response of status 304 for an unchanged answer, which
  ///   costs a token nothing; ``HTTPTargets/NetworkError/Code/requestMapping`` for text that isn't an entity tag (an
  ///   empty text, `*`, control characters), before anything is sent.
  public func request(
    _ target: GitHub, ifNoneMatch entityTag: String?
  ) async throws(NetworkError) -> Response {
    guard let entityTag else { return try await request(target) }
    guard Self.isEntityTag(entityTag) else {
      throw NetworkError(.requestMapping, "the text given isn't an entity tag")
    }
    return try await request(target, adding: [.ifNoneMatch: entityTag])
  }

  /// Whether a text can be sent as an entity tag. Some servers leave the quotation marks out, so only the rest of
  /// the grammar is checked.
  private static func isEntityTag(_ text: String) -> Bool {
    !text.isEmpty && text != "*"
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Calls a target and decodes what it answers, ``Sent`` too.
  package func entity<Entity: Decodable>(_ target: GitHub) async throws(NetworkError) -> Entity {
    try await request(target).decode(using: GitHubJSON.decoder())
  }
}

extension Provider where Target == GitHub {
  /// All milestones of a repository, open and closed.
  ///
  /// - Throws: ``HTTPTargets/NetworkError``.
  public func milestones(
    of repository: RepositoryName
  ) async throws(NetworkError) -> [Milestone] {
    var milestones: [Milestone] = []
    let pages = PagedListing<Milestone>(
      provider: self,
      first: .milestones(repositoryFullName: repository.description, pageSize: 100))
    for try await page in pages { milestones += page.items }
    return milestones
  }

  /// Replaces the title of a filter's milestone by its number, as the server expects it. The title is looked up
  /// among all milestones of the repository, open and closed. A filter without a title costs no request.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - repository: The repository with the milestones.
  /// - Returns: The filter; nil if the repository has no such milestone.
  /// - Throws: ``HTTPTargets/NetworkError``.
  public func numberingMilestone(
    of filter: IssueFilter, in repository: RepositoryName
  ) async throws(NetworkError) -> IssueFilter? {
    guard case .title = filter.milestone else { return filter }
    return filter.numberingMilestone(among: try await milestones(of: repository))
  }
}
