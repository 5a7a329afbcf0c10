/// A query of GitHub's GraphQL API, as it is sent.
struct GraphQLQuery: Encodable, Sendable {
  let query: String
  let variables: [String: String]

  /// Asks what each of some numbers of a repository is. What is none of its issues and pull requests comes as null
  /// with an error of the type `NOT_FOUND`.
  static func presence(of numbers: [Int], in fullName: String) -> GraphQLQuery {
    let name = RepositoryName(fullName)
    let fields = numbers.map { "n\($0):issueOrPullRequest(number:\($0)){__typename}" }
    return GraphQLQuery(
      query: """
        query($owner:String!,$repo:String!){repository(owner:$owner,name:$repo)\
        {databaseId \(fields.joined(separator: " "))}}
        """,
      variables: ["owner": name?.owner ?? "", "repo": name?.name ?? ""])
  }
}
