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

  /// The member of the response that contains the result of the mutation.
  package var name: String {
    switch self {
    case .delete: "deleteIssue"
    case .transfer: "transferIssue"
    case .pin: "pinIssue"
    case .unpin: "unpinIssue"
    case .subscribe, .unsubscribe: "updateSubscription"
    case .create: "createIssue"
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
  }

  var errors: [Detail]

  static func error(in response: TargetResponse) -> NetworkError? {
    guard let errors = try? GitHubJSON.decode(Self.self, from: response.body).errors,
      let first = errors.first
    else { return nil }
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
    case nil where first.message?.hasPrefix("Something went wrong") == true:
      // This is GitHub's message for its own timeout.
      message.add(advice: "it may have been carried out: look before you send it again")
      return NetworkError(.decoding, message, response: response)
    default: break
    }
    return NetworkError(.refused, message, response: response)
  }
}
