/// Lists of the token's owner.
extension GitHubEndpoints {
  /// The repositories that the token's owner owns or has starred.
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
