public import HTTPTargets

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

  /// A filter with its milestone by number, as the server takes it: a title is looked up among all of a
  /// repository's, open and closed. A filter without a title costs no request.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - repository: Whose milestones.
  /// - Returns: The filter; nil where the repository has no such milestone.
  /// - Throws: ``HTTPTargets/NetworkError``.
  public func numberingMilestone(
    of filter: IssueFilter, in repository: RepositoryName
  ) async throws(NetworkError) -> IssueFilter? {
    guard case .title = filter.milestone else { return filter }
    return filter.numberingMilestone(among: try await milestones(of: repository))
  }
}
