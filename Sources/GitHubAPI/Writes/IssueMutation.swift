internal import HTTPTargets

/// A change to an issue that only GitHub's GraphQL API supports, by node IDs
/// (<https://docs.github.com/en/graphql/reference/mutations>).
public enum IssueMutation: Hashable, Sendable {
  /// Permanently deletes an issue. This requires admin access, and an organization may disallow it.
  case delete(issueID: String)
  /// Moves an issue to another repository of the same owner, where it gets another number. Moving an issue from a
  /// private to a public repository isn't possible. Missing labels are dropped or created.
  case transfer(issueID: String, repositoryID: String, createsLabels: Bool)
  /// Pins an issue to the top of its repository's list. At most three issues can be pinned.
  case pin(issueID: String)
  /// Unpins an issue.
  case unpin(issueID: String)
  /// Subscribes the token's user to an issue (<https://docs.github.com/en/graphql/reference/mutations#updatesubscription>).
  case subscribe(issueID: String)
  /// Unsubscribes the token's user from an issue: only a mention or participation notifies the user.
  case unsubscribe(issueID: String)
  /// Creates an issue. The server adds the labels and assignees of the template for any author
  /// (<https://docs.github.com/en/graphql/reference/mutations#createissue>).
  case create(repositoryID: String, title: String, body: String, template: String)
  /// Creates a branch at a commit, and links it to an issue. The result is null if the branch already exists
  /// (<https://docs.github.com/en/graphql/reference/mutations#createlinkedbranch>).
  case linkBranch(issueID: String, repositoryID: String, name: String, commit: String)
  /// Adds an issue to a project, and returns its existing item if it is already there. The scope `project` is required
  /// (<https://docs.github.com/en/graphql/reference/mutations#addprojectv2itembyid>).
  case addToProject(projectID: String, issueID: String)
  /// Chooses an option of a field, such as the status, for an item of a project
  /// (<https://docs.github.com/en/graphql/reference/mutations#updateprojectv2itemfieldvalue>).
  case chooseOption(projectID: String, itemID: String, fieldID: String, optionID: String)

  /// The member of the response that contains the result of the mutation.
  package var name: String {
    switch self {
    case .delete: "deleteIssue"
    case .transfer: "transferIssue"
    case .pin: "pinIssue"
    case .unpin: "unpinIssue"
    case .subscribe, .unsubscribe: "updateSubscription"
    case .create: "createIssue"
    case .linkBranch: "createLinkedBranch"
    case .addToProject: "addProjectV2ItemById"
    case .chooseOption: "updateProjectV2ItemFieldValue"
    }
  }
}

extension GraphQLQuery {
  /// Creates the query of a mutation. IDs are passed as variables, and are never part of the query text.
  init(_ mutation: IssueMutation) {
    switch mutation {
    case .delete(let id):
      self.init(
        query: "mutation($id:ID!){deleteIssue(input:{issueId:$id}){clientMutationId}}",
        variables: ["id": id])
    case .transfer(let id, let repository, let createsLabels):
      self.init(
        query: """
          mutation($id:ID!,$to:ID!){transferIssue(input:{issueId:$id,repositoryId:$to,\
          createLabelsIfMissing:\(createsLabels)}){issue{number url}}}
          """,
        variables: ["id": id, "to": repository])
    case .pin(let id):
      self.init(
        query: "mutation($id:ID!){pinIssue(input:{issueId:$id}){clientMutationId}}",
        variables: ["id": id])
    case .unpin(let id):
      self.init(
        query: "mutation($id:ID!){unpinIssue(input:{issueId:$id}){clientMutationId}}",
        variables: ["id": id])
    case .subscribe(let id): self = .subscription(of: id, "SUBSCRIBED")
    case .unsubscribe(let id): self = .subscription(of: id, "UNSUBSCRIBED")
    case .create(let repository, let title, let body, let template):
      self.init(
        query: """
          mutation($id:ID!,$title:String!,$body:String!,$template:String!){createIssue(input:{\
          repositoryId:$id,title:$title,body:$body,issueTemplate:$template}){issue{databaseId number \
          title body url createdAt updatedAt author{login} labels(first:100){nodes{name color}} \
          assignees(first:10){nodes{login}}}}}
          """,
        variables: ["id": repository, "title": title, "body": body, "template": template])
    case .linkBranch(let issue, let repository, let name, let commit):
      self.init(
        query: """
          mutation($id:ID!,$to:ID!,$name:String!,$oid:GitObjectID!){createLinkedBranch(input:{\
          issueId:$id,repositoryId:$to,name:$name,oid:$oid}){linkedBranch{ref{name \
          repository{nameWithOwner}}}}}
          """,
        variables: ["id": issue, "to": repository, "name": name, "oid": commit])
    case .addToProject(let project, let issue):
      self.init(
        query: """
          mutation($project:ID!,$id:ID!){addProjectV2ItemById(input:{projectId:$project,contentId:$id})\
          {item{id}}}
          """,
        variables: ["project": project, "id": issue])
    case .chooseOption(let project, let item, let field, let option):
      self.init(
        query: """
          mutation($project:ID!,$item:ID!,$field:ID!,$option:String!){updateProjectV2ItemFieldValue(\
          input:{projectId:$project,itemId:$item,fieldId:$field,value:{singleSelectOptionId:$option}})\
          {projectV2Item{id}}}
          """,
        variables: ["project": project, "item": item, "field": field, "option": option])
    }
  }

  private static func subscription(of id: String, _ state: String) -> GraphQLQuery {
    GraphQLQuery(
      query: """
        mutation($id:ID!){updateSubscription(input:{subscribableId:$id,state:\(state)})\
        {clientMutationId}}
        """,
      variables: ["id": id])
  }

  static func nodeIDs(of number: Int?, in fullName: String) -> GraphQLQuery {
    let name = RepositoryName(fullName)
    let issue = number.map { " issue(number:\($0)){id number url}" } ?? ""
    return GraphQLQuery(
      query:
        "query($owner:String!,$repo:String!){repository(owner:$owner,name:$repo){id url\(issue)}}",
      variables: ["owner": name?.owner ?? "", "repo": name?.name ?? ""])
  }
}

/// The errors of a GraphQL response. Its status is 200 even if there are errors.
struct GraphQLErrors: Decodable {
  struct Detail: Decodable {
    var type: String?
    var message: String?
    var path: [PathElement]?
  }

  /// An element of a path: a name or an index. Only the number of elements matters.
  struct PathElement: Decodable {
    init(from decoder: any Decoder) {}
  }

  var errors: [Detail]

  /// The error of a response; nil for a response without errors. An error for a path of at least `depth` elements
  /// affects only a part of the response, and is ignored.
  static func error(in response: TargetResponse, above depth: Int = .max) -> NetworkError? {
    let all = try? GitHubJSON.decode(Self.self, from: response.body).errors
    let errors = (all ?? []).filter { ($0.path?.count ?? 0) < depth }
    guard let first = errors.first else { return nil }
    let body = GitHubErrorBody(
      message: first.message ?? "GitHub didn't give a reason",
      details: errors.dropFirst().compactMap { $0.message.map { .init(message: $0) } })
    var message =
      "\(response.request) refused the request: \(body.summary(hidingSecretsOf: response.request))"
    switch first.type {
    case "RATE_LIMITED": return NetworkError(.rateLimited, message, response: response)
    case "NOT_FOUND", "FORBIDDEN":
      message.add(advice: "it doesn't exist, or the token may not change it")
      let code: NetworkError.Code = first.type == "NOT_FOUND" ? .absent : .forbidden
      return NetworkError(code, message, response: response)
    case "INSUFFICIENT_SCOPES":
      message.add(
        advice:
          "'gh auth refresh -s project' adds the scope to gh's token, or use a token that has it")
      return NetworkError(.forbidden, message, response: response)
    case nil where first.message?.hasPrefix("Something went wrong") == true:
      // This is GitHub's message for its own timeout.
      message.add(advice: "it may have been carried out: look before you send it again")
      return NetworkError(.decoding, message, response: response)
    default: break
    }
    return NetworkError(.refused, message, response: response)
  }
}
