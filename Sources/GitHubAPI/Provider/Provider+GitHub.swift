public import HTTPTargets

extension Provider where Target == GitHub {
  /// Looks up a user or an organization.
  public func user(_ username: Username) async throws(NetworkError) -> GitHub.User {
    try await entity(.userProfile(username: username.login))
  }

  /// Looks up the token's user.
  public func ownProfile() async throws(NetworkError) -> GitHub.User {
    try await entity(.ownProfile)
  }

  /// Looks up a repository. A renamed repository can be found under its old name, and the response contains its new
  /// name.
  public func repository(_ name: RepositoryName) async throws(NetworkError) -> GitHub.Repository {
    try await entity(.repo(fullName: name.description))
  }

  /// Looks up the issue or pull request with a number.
  ///
  /// A transferred issue is found in its new repository, where it may have another number. A renamed repository is
  /// found under its old name. The error for a missing issue has the status 404, and for a deleted issue 410.
  public func issue(
    _ number: Int, of repository: RepositoryName
  ) async throws(NetworkError) -> GitHub.Issue {
    try await entity(.issue(repositoryFullName: repository.description, number: number))
  }

  /// Looks up a file with its text, or the entries of a folder, at a path on the default branch; nil if the path or the
  /// repository doesn't exist.
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

  /// Calls a target, and expects a response that doesn't have a known entity tag, with `If-None-Match` ([RFC 9110,
  /// section 13.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2)). A ``/HTTPTargets/CachingInterceptor``
  /// ignores such a call.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - entityTag: The tag of the known response; nil to get any response.
  /// - Returns: The changed response.
  /// - Throws: ``/HTTPTargets/NetworkError/Code/statusCode`` with the status 304 for an unchanged response, which
  ///   doesn't count toward the token's rate limit; ``/HTTPTargets/NetworkError/Code/requestMapping``, before the
  ///   request is sent, for an invalid tag (empty text, `*`, or control characters).
  public func request(
    _ target: GitHub, ifNoneMatch entityTag: String?
  ) async throws(NetworkError) -> TargetResponse {
    guard let entityTag else { return try await request(target) }
    guard Self.isEntityTag(entityTag) else {
      throw NetworkError(.requestMapping, "the text isn't an entity tag")
    }
    return try await request(target, adding: [.ifNoneMatch: entityTag])
  }

  /// Whether text can be an entity tag. Some servers omit the quotation marks, so only the rest of the syntax is
  /// checked.
  private static func isEntityTag(_ text: String) -> Bool {
    !text.isEmpty && text != "*"
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Calls a target, and decodes its response, which may be ``Sent``.
  package func entity<Entity: Decodable>(_ target: GitHub) async throws(NetworkError) -> Entity {
    try await request(target).decode(using: GitHubJSON.decoder())
  }
}

extension Provider where Target == GitHub {
  /// Returns all milestones of a repository, open and closed.
  public func milestones(
    of repository: RepositoryName
  ) async throws(NetworkError) -> [GitHub.Milestone] {
    var milestones: [GitHub.Milestone] = []
    let pages = PagedListing<GitHub.Milestone>(
      provider: self,
      first: .milestones(repositoryFullName: repository.description, pageSize: 100))
    for try await page in pages { milestones += page.items }
    return milestones
  }

  /// Returns all labels of a repository.
  package func labels(of repository: RepositoryName) async throws(NetworkError) -> [GitHub.Label] {
    var labels: [GitHub.Label] = []
    let pages = PagedListing<GitHub.Label>(
      provider: self, first: .labels(repositoryFullName: repository.description, pageSize: 100))
    for try await page in pages { labels += page.items }
    return labels
  }

  /// Replaces the title of a filter's milestone with its number, because GitHub expects a number; nil if the repository
  /// doesn't have such a milestone, open or closed. Forgejo and Gitea expect the exact title. A filter without a title
  /// doesn't cause a request.
  public func numberingMilestone(
    of filter: IssueFilter, in repository: RepositoryName
  ) async throws(NetworkError) -> IssueFilter? {
    guard case .title = filter.milestone else { return filter }
    let milestones = try await milestones(of: repository)
    guard forge != .gitHub else { return filter.numberingMilestone(among: milestones) }
    guard let milestone = filter.milestone?.match(in: milestones) else { return nil }
    var titled = filter
    titled.milestone = .title(milestone.title)
    return titled
  }
}
