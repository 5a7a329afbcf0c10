/// Lists of repositories.
extension GitHubEndpoints {
  /// <https://docs.github.com/en/rest/repos/repos#list-organization-repositories>.
  func organizationRepositories(_ name: String) -> LoopbackResponse {
    let configuration = github.configuration
    let owned = configuration.repositories.filter { $0.owner.lowercased() == name.lowercased() }
    let invented = (0..<configuration.repositoriesPerOrganization).compactMap {
      github.repository(name, "repo-\($0 + 1)")?.0
    }
    guard
      !invented.isEmpty
        || configuration.organizations.contains(where: { $0.lowercased() == name.lowercased() })
    else { return notFound }
    let repositories = (owned + invented).filter(isVisible).sorted {
      $0.fullName.lowercased() < $1.fullName.lowercased()
    }
    return list(repositories, at: "/orgs/\(PercentCoding.encode(name))/repos")
  }

  /// What the token's owner owns, or has starred.
  func ownRepositories(isStarred: Bool) -> LoopbackResponse {
    guard !isAnonymous else { return GitHubError.requiresAuthentication.response(now: now) }
    let repositories = github.configuration.repositories.filter {
      isStarred
        ? github.configuration.starred.contains($0.id)
        : $0.owner.lowercased() == login.lowercased()
    }
    return list(repositories, at: isStarred ? "/user/starred" : "/user/repos")
  }

  private func list(_ repositories: [LoopbackRepository], at path: String) -> LoopbackResponse {
    numberedPages(of: repositories.count, at: path) { range in
      repositories[range].map { json.repository($0, openIssues: $0.issues.count) }
    }
  }
}
