public import GitHubAPI
public import HTTPTargets

extension IssueWriter {
  /// Adds an issue to a project, and chooses its status there. Adding it again has no effect. This requires the token's
  /// scope `project`.
  ///
  /// - Parameters:
  ///   - number: The issue.
  ///   - project: The project.
  ///   - status: The name of an option of the project's field “Status”, in any case; nil for the project's default.
  /// - Throws: ``/HTTPTargets/NetworkError``. For an unknown project or status, it throws before anything is written, and
  ///   the message has the available names.
  public func add(
    _ number: Int, to project: ProjectReference, status: String? = nil
  ) async throws(NetworkError) {
    let found: Project
    let option: Project.Option?
    do throws(NetworkError) {
      found = try await Project.load(project, provider: provider)
      option = try found.option(status)
    } catch {
      throw error.ofNothingWritten
    }
    let added: AdditionAnswer = try await provider.entity(
      .mutate(.addToProject(projectID: found.id, issueID: try await nodeID(of: number))))
    guard let option, let field = found.statusField else { return }
    try await mutate(
      .chooseOption(
        projectID: found.id, itemID: added.data.addProjectV2ItemById.item.id, fieldID: field,
        optionID: option.id))
  }
}

/// A project to which issues can be added.
package struct Project: Sendable {
  struct Option: Sendable, Decodable {
    var id: String
    var name: String
  }

  let id: String
  private let reference: ProjectReference
  /// The ID of the field “Status”; nil if the project doesn't have it.
  let statusField: String?
  private let options: [Option]
  /// Whether the token may add issues, as far as the server says so: the user's permission, and the scopes of a classic
  /// token.
  package let isWritable: Bool

  /// Loads a project.
  ///
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code `refused` for an unknown project, and `forbidden` without the
  ///   scope.
  package static func load(
    _ reference: ProjectReference, provider: Provider<GitHub>
  ) async throws(NetworkError) -> Project {
    let response = try await provider.request(.project(reference))
    let answer: ProjectAnswer = try response.decode(using: GitHubJSON.decoder())
    guard let owner = answer.data.repositoryOwner else {
      throw NetworkError(.refused, "there is no user or organization \(reference.owner)")
    }
    guard let node = owner.projectV2 else {
      let known = (owner.projectsV2?.nodes ?? []).compactMap { project in
        project.map { "\(reference.owner)/\($0.number) (\($0.title))" }
      }
      let rest =
        known.isEmpty ? "" : ", only \(GitHubErrorBody.line(known.joined(separator: ", ")))"
      throw NetworkError(.refused, "the token sees no project \(reference)\(rest)")
    }
    // Only classic tokens have scopes
    // (<https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/scopes-for-oauth-apps>).
    let scopes = HTTPField.Name("X-OAuth-Scopes").flatMap { response.headers[$0] }?
      .split { $0 == "," || $0 == " " }
    return Project(
      id: node.id, reference: reference, statusField: node.field?.id,
      options: node.field?.options ?? [],
      isWritable: node.viewerCanUpdate && scopes?.contains("project") ?? true)
  }

  func option(_ name: String?) throws(NetworkError) -> Option? {
    guard let name else { return nil }
    if let option = options.first(where: { $0.name.lowercased() == name.lowercased() }) {
      return option
    }
    let known =
      options.isEmpty
      ? "no status" : "only \(GitHubErrorBody.line(options.map(\.name).joined(separator: ", ")))"
    throw NetworkError(.refused, "the project \(reference) has no status “\(name)”, \(known)")
  }
}

private struct AdditionAnswer: Decodable {
  struct Data: Decodable { var addProjectV2ItemById: Addition }
  struct Addition: Decodable { var item: Item }
  struct Item: Decodable { var id: String }

  var data: Data
}

private struct ProjectAnswer: Decodable {
  struct Data: Decodable { var repositoryOwner: Owner? }
  struct Owner: Decodable {
    var projectV2: Node?
    var projectsV2: NodeList<Known>?
  }
  struct Node: Decodable {
    var id: String
    var viewerCanUpdate: Bool
    var field: Field?
  }
  /// A field of another kind has no members here.
  struct Field: Decodable {
    var id: String?
    var options: [Project.Option]?
  }
  struct Known: Decodable {
    var number: Int
    var title: String
  }

  var data: Data
}
