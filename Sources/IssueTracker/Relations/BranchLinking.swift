package import GitHubAPI
package import HTTPTargets

/// Creates the branch of an issue on the server.
package struct BranchLinking: Sendable {
  private let provider: Provider<GitHub>
  private let issue: IssuePlace

  package init(of issue: IssuePlace, provider: Provider<GitHub>) {
    (self.issue, self.provider) = (issue, provider)
  }

  /// Creates a branch, and links it to the issue. If the response is lost, or the branch already existed, the branch is
  /// looked up, so that no second one is created.
  ///
  /// - Parameters:
  ///   - name: The name of the branch.
  ///   - development: The issue, as loaded before.
  ///   - repository: The repository of the branch.
  ///   - base: The branch at which it begins; nil for the default branch.
  /// - Returns: The branch, as the server names it.
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code `refused` for a branch that isn't linked to the issue.
  package func create(
    _ name: String, for development: IssueDevelopment, in repository: RepositoryName, base: String?
  ) async throws(NetworkError) -> IssueDevelopment.Branch {
    let place: BranchAnswer = try await provider.entity(
      .branch(repositoryFullName: "\(repository)", name: name, base: base))
    let found = place.data.repository
    guard found.branch == nil else { throw Self.taken(name, repository) }
    if let base, found.base == nil {
      throw NetworkError(.absent, "\(repository) has no branch “\(base)”")
    }
    guard let commit = found.base?.target.oid ?? found.defaultBranchRef?.target.oid else {
      throw NetworkError(.absent, "\(repository) is empty: a branch needs a commit to begin at")
    }
    var failure: NetworkError?
    do throws(NetworkError) {
      let answer: LinkAnswer = try await provider.entity(
        .mutate(
          .linkBranch(issueID: development.id, repositoryID: found.id, name: name, commit: commit)))
      if let branch = answer.data.createLinkedBranch?.linkedBranch?.branch { return branch }
    } catch {
      guard ![.refused, .forbidden, .absent].contains(error.code) else { throw error }
      failure = error
    }
    let present = try? await IssueDevelopment.load(
      of: issue, includesProjects: false, provider: provider)
    let isIn = { (branch: IssueDevelopment.Branch) in
      [found.nameWithOwner, "\(repository)"].contains {
        $0.lowercased() == "\(branch.repository)".lowercased()
      }
    }
    if let branch = present?.branches.first(where: { $0.name == name && isIn($0) }) {
      return branch
    }
    throw failure ?? Self.taken(name, repository)
  }

  private static func taken(_ name: String, _ repository: RepositoryName) -> NetworkError {
    NetworkError(
      .refused,
      "\(repository) already has a branch “\(name)”, which isn't linked to the issue: choose another name"
    )
  }
}

private struct BranchAnswer: Decodable {
  struct Data: Decodable { var repository: Repository }
  struct Repository: Decodable {
    var id: String
    var nameWithOwner: String
    var defaultBranchRef: Reference?
    var branch: Name?
    var base: Reference?
  }
  struct Name: Decodable { var name: String }
  struct Reference: Decodable { var target: Commit }
  struct Commit: Decodable { var oid: String }

  var data: Data
}

/// The result of the mutation. It is null if the branch already existed.
private struct LinkAnswer: Decodable {
  struct Data: Decodable { var createLinkedBranch: Payload? }
  struct Payload: Decodable { var linkedBranch: LinkedBranch? }

  var data: Data
}
