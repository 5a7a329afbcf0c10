internal import IssueMirror
internal import IssueTracker

/// Loads the names that complete a filter: from the mirror, or else from the server's lists of labels and milestones.
/// Failures aren't reported, because the names in the loaded rows can be used.
struct NamesLoading: Sendable {
  let source: BrowserSource

  /// The maximum number of repositories whose names are loaded.
  private static let mostRepositories = 10

  func load(_ scope: ListScope) async -> FilterNames {
    var names = FilterNames()
    for reference in scope.references.prefix(Self.mostRepositories) {
      names.add(await load(reference))
    }
    return names
  }

  private func load(_ reference: RepositoryReference) async -> FilterNames {
    var names = FilterNames()
    if let known = try? await MirrorLoading(source: source).names(of: reference) {
      names.labels = known.labels
      names.milestones = known.milestones
      names.authors = known.authors
      names.assignees = known.assignees
      return names
    }
    guard !source.isOffline, let connection = try? await source.connection(to: reference.host)
    else { return names }
    async let milestones = try? connection.provider.milestones(of: reference.name)
    names.labels = (try? await connection.provider.labelNames(of: reference.name)) ?? []
    names.milestones = (await milestones ?? []).map(\.title)
    return names
  }
}

extension Provider where Target == GitHub {
  fileprivate func labelNames(of repository: RepositoryName) async throws(NetworkError) -> [String]
  {
    var names: [String] = []
    let pages = PagedListing<GitHub.Label>(
      provider: self,
      first: .labels(repositoryFullName: repository.description, pageSize: 100), maximumPages: 20)
    for try await page in pages { names += page.items.map(\.name) }
    return names
  }
}
