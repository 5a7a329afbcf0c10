public import GitHubAPI
public import HTTPTargets
internal import PlatformModules

extension IssueWriter {
  /// The server adds the template's labels and assignees for every author, but not the template's text.
  func create(
    _ issue: NewIssue, fromTemplate template: String
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let id: String
    do throws(NetworkError) {
      id = try await repositoryID()
    } catch {
      throw error.ofNothingWritten
    }
    let answer: CreationAnswer = try await provider.entity(
      .mutate(
        .create(repositoryID: id, title: issue.title, body: issue.body ?? "", template: template)))
    let node = answer.data.createIssue.issue
    guard node.number > 0, names(node.url, node.number) else { throw Self.otherAnswer }
    let created = node.entity
    let json = try? GitHubJSON.encoder().encode(created)
    return Written(
      Sent(created, json: json ?? Data()),
      dropped: [
        .text(.title, issue.title, created.title), .text(.body, issue.body, created.body),
        .names(.labels, issue.labels, created.labels.map(\.name)),
        .names(.assignees, issue.assignees, created.assignees.map(\.login)),
        .value(.milestone, issue.milestone.map { .set($0) }, nil),
        .value(.type, issue.type.map { .set($0) }, nil),
      ].compactMap(\.self))
  }

  /// Deletes an issue permanently, with its comments.
  ///
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if the
  ///   server refuses.
  public func delete(_ number: Int) async throws(NetworkError) {
    guard !isOnGitea else {
      return try await carryOut(
        .deleteIssue(repositoryFullName: repository.description, number: number))
    }
    try await mutate(.delete(issueID: try await nodeID(of: number)))
  }

  /// Moves an issue to another repository of the same owner.
  ///
  /// - Parameters:
  ///   - number: The issue.
  ///   - destination: The repository, under its current name.
  ///   - createsLabels: Whether to create labels that the destination lacks. Otherwise, the issue loses them.
  /// - Returns: The number of the issue in the destination.
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if the
  ///   server refuses.
  public func transfer(
    _ number: Int, to destination: RepositoryName, createsLabels: Bool = false
  ) async throws(NetworkError) -> Int {
    try require("transfers of issues")
    let there = IssueWriter(provider: provider, repository: destination)
    let answer: TransferAnswer = try await provider.entity(
      .mutate(
        .transfer(
          issueID: try await nodeID(of: number), repositoryID: try await there.repositoryID(),
          createsLabels: createsLabels)))
    let issue = answer.data.transferIssue.issue
    guard issue.number > 0, there.names(issue.url, issue.number) else { throw Self.otherAnswer }
    return issue.number
  }

  /// Pins an issue to the top of the repository's list, which can contain at most three pinned issues.
  ///
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if the
  ///   server refuses.
  public func pin(_ number: Int) async throws(NetworkError) {
    guard !isOnGitea else {
      return try await carryOut(
        .pinIssue(repositoryFullName: repository.description, number: number))
    }
    try await mutate(.pin(issueID: try await nodeID(of: number)))
  }

  /// Unpins an issue.
  ///
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if the
  ///   server refuses.
  public func unpin(_ number: Int) async throws(NetworkError) {
    guard !isOnGitea else {
      return try await carryOut(
        .unpinIssue(repositoryFullName: repository.description, number: number))
    }
    try await mutate(.unpin(issueID: try await nodeID(of: number)))
  }

  /// Subscribes the token's user to an issue. An existing subscription stays.
  ///
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if the
  ///   server refuses.
  public func subscribe(to number: Int) async throws(NetworkError) {
    try require("subscriptions of issues in its API")
    try await mutate(.subscribe(issueID: try await nodeID(of: number)))
  }

  /// Unsubscribes the token's user from an issue. Only a mention or participation notifies the user from then on.
  ///
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if the
  ///   server refuses.
  public func unsubscribe(from number: Int) async throws(NetworkError) {
    try require("subscriptions of issues in its API")
    try await mutate(.unsubscribe(issueID: try await nodeID(of: number)))
  }

  func mutate(_ mutation: IssueMutation) async throws(NetworkError) {
    let answer: MutationAnswer = try await provider.entity(.mutate(mutation))
    guard answer.data[mutation.name].flatMap(\.self) != nil else { throw Self.otherAnswer }
  }

  /// Looks up the id for GraphQL, which also finds a renamed repository under its old name. Such a response is refused.
  func nodeID(of number: Int) async throws(NetworkError) -> String {
    let repository = try await nodeIDs(number)
    guard let issue = repository.issue, issue.number == number, names(issue.url, number) else {
      throw Self.otherNode
    }
    return issue.id
  }

  private func repositoryID() async throws(NetworkError) -> String {
    let found = try await nodeIDs(nil)
    guard found.url.lowercased().hasSuffix("/\(repository)".lowercased()) else {
      throw Self.otherNode
    }
    return found.id
  }

  private func nodeIDs(
    _ number: Int?
  ) async throws(NetworkError) -> NodeIDAnswer.Repository {
    do throws(NetworkError) {
      let answer: NodeIDAnswer = try await provider.entity(
        .nodeIDs(repositoryFullName: repository.description, number: number))
      return answer.data.repository
    } catch {
      throw error.ofNothingWritten
    }
  }

  private static var otherNode: NetworkError {
    NetworkError(
      .decoding,
      "the response is about something other than the request, perhaps because it was moved: nothing was written"
    ).ofNothingWritten
  }
}

/// A mutation was carried out if its member isn't null.
private struct MutationAnswer: Decodable {
  struct Payload: Decodable {}

  var data: [String: Payload?]
}

private struct NodeIDAnswer: Decodable {
  struct Data: Decodable { var repository: Repository }
  struct Repository: Decodable {
    var id: String
    var url: String
    var issue: Issue?
  }
  struct Issue: Decodable {
    var id: String
    var number: Int
    var url: String
  }

  var data: Data
}

private struct TransferAnswer: Decodable {
  struct Data: Decodable { var transferIssue: Transfer }
  struct Transfer: Decodable { var issue: Issue }
  struct Issue: Decodable {
    var number: Int
    var url: String
  }

  var data: Data
}

private struct CreationAnswer: Decodable {
  struct Data: Decodable { var createIssue: Creation }
  struct Creation: Decodable { var issue: Node }
  struct List<Node: Decodable>: Decodable { var nodes: [Node] }
  struct Node: Decodable {
    var databaseId: Int64?
    var number: Int
    var title: String
    var body: String
    var url: String
    var createdAt: Date?
    var updatedAt: Date?
    var author: GitHub.User?
    var labels: List<GitHub.Label>?
    var assignees: List<GitHub.User>?

    var entity: GitHub.Issue {
      GitHub.Issue(
        id: databaseId ?? 0, number: number, title: title, body: body, user: author,
        labels: labels?.nodes ?? [], assignees: assignees?.nodes ?? [], createdAt: createdAt,
        updatedAt: updatedAt, htmlURL: url)
    }
  }

  var data: Data
}
