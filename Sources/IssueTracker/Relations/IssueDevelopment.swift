package import GitHubAPI
package import HTTPTargets

/// The branches linked to an issue, the pull requests that close it, and its projects.
package struct IssueDevelopment: Sendable, Hashable {
  package struct Branch: Sendable, Hashable {
    package let name: String
    package let repository: RepositoryName
  }

  package struct PullRequest: Sendable, Hashable {
    package let number: Int
    package let title: String
    package let url: String
    /// The state in lowercase: `open` or `merged`.
    package let state: String
    package let isDraft: Bool
    package let repository: RepositoryName
  }

  package struct ProjectItem: Sendable, Hashable {
    package let project: ProjectReference
    package let title: String
    package let url: String
    /// The option of the project's field “Status”; nil if none is chosen.
    package let status: String?
  }

  /// The ID for GraphQL.
  package let id: String
  /// The repository under its current name.
  package let repository: RepositoryName
  package let number: Int
  package let title: String
  package let branches: [Branch]
  package let pullRequests: [PullRequest]
  /// The projects; nil if they weren't requested, or the token may not see them.
  package let projects: [ProjectItem]?

  /// Loads the data of an issue. A token without the scope `read:project` gets everything except the projects.
  ///
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code `absent` for a missing issue and for a pull request.
  package static func load(
    of place: IssuePlace, includesProjects: Bool, provider: Provider<GitHub>
  ) async throws(NetworkError) -> IssueDevelopment {
    do throws(NetworkError) {
      let answer: Answer = try await provider.entity(
        .development(
          repositoryFullName: "\(place.repository)", number: place.number,
          includesProjects: includesProjects))
      let issue = answer.data.repository.issue
      guard let reference = try? IssueReference(parsing: issue.url),
        let repository = reference.repository?.name
      else { throw IssueWriter.otherAnswer }
      return IssueDevelopment(issue, in: repository)
    } catch {
      // Without the scope, and on an older server, one field makes the whole query invalid.
      guard includesProjects, [.forbidden, .refused].contains(error.code) else { throw error }
      return try await load(of: place, includesProjects: false, provider: provider)
    }
  }

  /// Creates the values that can be shown. An item that the token may not see is null.
  private init(_ issue: Answer.Issue, in repository: RepositoryName) {
    (id, number, title) = (issue.id, issue.number, issue.title)
    self.repository = repository
    branches = issue.linkedBranches?.nodes.compactMap { $0?.branch } ?? []
    pullRequests =
      issue.closedByPullRequestsReferences?.nodes.compactMap { node in
        guard let node, let repository = RepositoryName(node.repository.nameWithOwner) else {
          return nil
        }
        return PullRequest(
          number: node.number, title: node.title, url: node.url, state: node.state.lowercased(),
          isDraft: node.isDraft, repository: repository)
      } ?? []
    projects = issue.projectItems?.nodes.compactMap { node in
      guard let node, let project = node.project,
        let reference = ProjectReference("\(project.owner?.login ?? "")/\(project.number)")
      else { return nil }
      return ProjectItem(
        project: reference, title: project.title, url: project.url,
        status: node.fieldValueByName?.name)
    }
  }

  private struct Answer: Decodable {
    struct Data: Decodable { var repository: Repository }
    struct Repository: Decodable { var issue: Issue }
    struct Issue: Decodable {
      var id: String
      var number: Int
      var title: String
      var url: String
      var linkedBranches: NodeList<LinkedBranch>?
      var closedByPullRequestsReferences: NodeList<ClosingPullRequest>?
      var projectItems: NodeList<Item>?
    }
    struct ClosingPullRequest: Decodable {
      var number: Int
      var title: String
      var url: String
      var state: String
      var isDraft: Bool
      var repository: LinkedBranch.Repository
    }
    struct Item: Decodable {
      struct Project: Decodable {
        var number: Int
        var title: String
        var url: String
        var owner: Owner?
      }
      struct Owner: Decodable { var login: String? }
      struct Status: Decodable { var name: String? }
      var project: Project?
      var fieldValueByName: Status?
    }

    var data: Data
  }
}

/// A list of GraphQL. An element that the token may not see is null.
struct NodeList<Node: Decodable>: Decodable { var nodes: [Node?] }

/// A linked branch in a response. The reference is null if the branch was deleted.
struct LinkedBranch: Decodable {
  struct Repository: Decodable { var nameWithOwner: String }
  struct Reference: Decodable {
    var name: String
    var repository: Repository
  }

  var ref: Reference?

  var branch: IssueDevelopment.Branch? {
    guard let ref, let repository = RepositoryName(ref.repository.nameWithOwner) else { return nil }
    return IssueDevelopment.Branch(name: ref.name, repository: repository)
  }
}
