internal import PlatformModules

/// The GraphQL that `gh issue list` sends: `IssueList`, `IssueSearch`, and queries for the fields of a type.
///
/// It isn't a GraphQL server: it looks for the words of those queries. It sends the fields of an issue that the query
/// names, so that answers are as long as GitHub's.
struct GitHubGraphQL {
  private struct Call: Decodable {
    var query: String
    var variables: Variables?
  }

  private struct Variables: Decodable {
    var owner: String?
    var repo: String?
    var limit: Int?
    var endCursor: String?
    var after: String?
    var states: [String]?
    var assignee: String?
    var author: String?
    var mention: String?
    var query: String?
    var number: Int?
  }

  let github: LoopbackGitHub
  let json: GitHubJSON

  func respond(to request: LoopbackRequest) -> LoopbackResponse {
    guard request.method == "POST",
      let call = try? JSONDecoder().decode(Call.self, from: request.body)
    else {
      return .json(#"{"message":"Problems parsing JSON"}"#, status: 400)
    }
    if call.query.contains("__type(") || call.query.contains("__schema") {
      return types(call.query)
    }
    if Self.isMutation(call.query) { return mutate(call.query, request) }
    let input = JSONInput(request.body)?["variables"]
    if let answer = developmentAnswer(call.query, input, request) { return answer }
    let variables = call.variables ?? Variables()
    guard let (repository, _) = github.repository(variables.owner ?? "", variables.repo ?? "")
    else {
      return .json(
        """
        {"data":{"repository":null},"errors":[{"type":"NOT_FOUND","path":["repository"],\
        "message":"Could not resolve to a Repository with the name \
        '\(variables.owner ?? "")/\(variables.repo ?? "")'."}]}
        """)
    }
    if call.query.contains("{id url") { return nodeIDs(call.query, in: repository) }
    if call.query.contains("issueOrPullRequest("), let number = variables.number {
      return single(number, call.query, in: repository)
    }
    if call.query.contains("issueOrPullRequest(") {
      return presence(call.query, in: repository, request)
    }
    let isSearch = call.query.contains("search(")
    var query = isSearch ? Self.search(variables) : Self.list(variables)
    query.listsPullRequests = false
    let words = Set(call.query.split { !$0.isLetter }.map(String.init))
    let store = github.store(of: repository)
    let page = store.update { $0.page(query) }
    let body = store.body(of: page, form: "graphql|\(words.sorted())") {
      node($0, in: repository, words)
    }
    let flag = "\"hasIssuesEnabled\":\(repository.hasIssues)"
    let start =
      isSearch
      ? #"{"data":{"repository":{\#(flag)},"search":{"issueCount":\#(page.total),"nodes":"#
      : #"{"data":{"repository":{\#(flag),"issues":{"totalCount":\#(page.total),"nodes":"#
    let end = """
      ,"pageInfo":{"hasNextPage":\(page.next != nil),\
      "endCursor":\(JSONText.string(page.next?.text))}}}}\(isSearch ? "" : "}")
      """
    return LoopbackResponse(
      headers: ["Content-Type": "application/json; charset=utf-8"],
      body: Data(start.utf8) + body + Data(end.utf8))
  }

  private static func list(_ variables: Variables) -> IssueQuery {
    var query = IssueQuery()
    let states = variables.states ?? ["OPEN"]
    query.state = states.count > 1 ? "all" : (states.first ?? "OPEN").lowercased()
    query.assignee = variables.assignee
    query.creator = variables.author
    query.mentioned = variables.mention
    query.perPage = min(max(variables.limit ?? 30, 1), 100)
    if let cursor = variables.endCursor.flatMap(IssueQuery.Cursor.init) {
      query.start = .after(cursor)
    }
    return query
  }

  /// Reads GitHub's search language, as far as gh uses it.
  private static func search(_ variables: Variables) -> IssueQuery {
    var query = IssueSearchQuery.issues(variables.query ?? "")
    query.perPage = min(max(variables.limit ?? 30, 1), 100)
    if let cursor = (variables.after ?? variables.endCursor).flatMap(IssueQuery.Cursor.init) {
      query.start = .after(cursor)
    }
    return query
  }

  /// The ids of a repository and an issue, for mutations.
  private func nodeIDs(_ query: String, in repository: LoopbackRepository) -> LoopbackResponse {
    let url = "https://github.com/\(repository.fullName)"
    let head = #""id":"\#(GitHubJSON.nodeID(of: repository))","url":"\#(url)""#
    guard let mark = query.firstRange(of: "issue(number:"),
      let number = Int(query[mark.upperBound...].prefix { $0.isNumber })
    else { return .json(#"{"data":{"repository":{\#(head)}}}"#) }
    guard github.store(of: repository).read({ $0.issue(number) }) != nil else {
      return .json(
        """
        {"data":{"repository":{\(head),"issue":null}},"errors":[{"type":"NOT_FOUND",\
        "path":["repository","issue"],"message":"Could not resolve to an Issue with the number of \(number)."}]}
        """)
    }
    let id = GitHubJSON.nodeID(number, in: repository)
    let issue = #"{"id":"\#(id)","number":\#(number),"url":"\#(url)/issues/\#(number)"}"#
    return .json(#"{"data":{"repository":{\#(head),"issue":\#(issue)}}}"#)
  }

  /// One issue, as requested by `gh issue comment`.
  private func single(
    _ number: Int, _ query: String, in repository: LoopbackRepository
  ) -> LoopbackResponse {
    guard let issue = github.store(of: repository).read({ $0.issue(number) }) else {
      return .json(
        """
        {"data":{"repository":{"hasIssuesEnabled":\(repository.hasIssues),"issue":null}},\
        "errors":[{"type":"NOT_FOUND","path":["repository","issue"],"message":"Could not resolve to an \
        issue or pull request with the number of \(number)."}]}
        """)
    }
    let words = Set(query.split { !$0.isLetter }.map(String.init))
    let type = issue.isPullRequest ? "PullRequest" : "Issue"
    let fields = node(issue, in: repository, words).dropFirst()
    return .json(
      """
      {"data":{"repository":{"hasIssuesEnabled":\(repository.hasIssues),\
      "issue":{"__typename":"\(type)",\(fields)}}}
      """)
  }

  /// The type of each number. A number that names nothing comes as null, with an error that says so.
  private func presence(
    _ query: String, in repository: LoopbackRepository, _ request: LoopbackRequest
  ) -> LoopbackResponse {
    guard LoopbackGitHub.token(of: request) != nil else {
      return .json(
        #"{"message":"This endpoint requires you to be authenticated.","status":"401"}"#,
        status: 401)
    }
    let store = github.store(of: repository)
    let numbers = query.split(separator: "number:").dropFirst().compactMap { part in
      Int(part.prefix { $0.isNumber })
    }
    var (fields, errors): ([String], [String]) = ([], [])
    for number in numbers {
      if let issue = store.read({ $0.issue(number) }) {
        let type = issue.isPullRequest ? "PullRequest" : "Issue"
        fields.append(#""n\#(number)":{"__typename":"\#(type)"}"#)
      } else {
        fields.append(#""n\#(number)":null"#)
        errors.append(
          """
          {"type":"NOT_FOUND","path":["repository","n\(number)"],"message":"Could not resolve to \
          an issue or pull request with the number of \(number)."}
          """)
      }
    }
    let list = errors.isEmpty ? "" : ",\"errors\":\(JSONText.array(errors))"
    return .json(
      """
      {"data":{"repository":{"databaseId":\(repository.id),\(fields.joined(separator: ","))}}\(list)}
      """)
  }

  private func types(_ query: String) -> LoopbackResponse {
    let fields = [
      "assignees", "author", "body", "closed", "closedAt", "comments", "createdAt", "id",
      "labels", "milestone", "number", "state", "stateReason", "title", "updatedAt", "url",
    ]
    let list = JSONText.array(fields.map { #"{"name":"\#($0)"}"# })
    // gh names the answers itself: `Issue: __type(name: "Issue")`.
    let names = ["Issue", "PullRequest", "Repository", "__type"]
    let types = names.map { #""\#($0)":{"fields":\#(list)}"# }.joined(separator: ",")
    return .json(#"{"data":{\#(types)}}"#)
  }

  private func node(
    _ issue: SyntheticIssue, in repository: LoopbackRepository, _ words: Set<String>
  ) -> String {
    var fields: [String] = []
    func add(_ name: String, _ value: @autoclosure () -> String) {
      if words.contains(name) { fields.append("\"\(name)\":\(value())") }
    }
    add("id", "\"\(GitHubJSON.nodeID(issue.number, in: repository))\"")
    add("number", "\(issue.number)")
    add("title", JSONText.string(issue.title))
    add("url", "\"https://github.com/\(repository.fullName)/issues/\(issue.number)\"")
    add("state", issue.isOpen ? "\"OPEN\"" : "\"CLOSED\"")
    add("stateReason", issue.stateReason.map { "\"\($0.uppercased())\"" } ?? "null")
    add("closed", "\(!issue.isOpen)")
    add("closedAt", JSONText.time(issue.closedAt))
    add("createdAt", JSONText.time(issue.createdAt))
    add("updatedAt", JSONText.time(issue.updatedAt))
    add("body", JSONText.string(issue.body ?? ""))
    // Without an id, gh takes the author for a bot.
    add("author", #"{"id":"U_1","login":\#(JSONText.string(issue.author)),"name":null}"#)
    add(
      "assignees",
      connection(
        issue.assignees.map { #"{"id":"U_\#($0)","login":\#(JSONText.string($0)),"name":null}"# }))
    add("labels", connection(issue.labels.map(label)))
    add("comments", #"{"nodes":[],"totalCount":\#(issue.comments)}"#)
    add("reactionGroups", "[]")
    add("projectCards", connection([]))
    add("milestone", milestone(issue.milestone, in: repository))
    return "{" + fields.joined(separator: ",") + "}"
  }

  private func connection(_ nodes: [String]) -> String {
    #"{"nodes":\#(JSONText.array(nodes)),"totalCount":\#(nodes.count)}"#
  }

  private func label(_ label: SyntheticIssue.Label) -> String {
    """
    {"id":"MDU6TGFiZWw\(label.id)",\
    "name":\(JSONText.string(label.name)),"color":"\(label.color)",\
    "description":\(JSONText.string(label.description))}
    """
  }

  private func milestone(_ number: Int?, in repository: LoopbackRepository) -> String {
    guard let milestone = number.flatMap({ json.milestone($0, repository) }) else { return "null" }
    return """
      {"number":\(milestone.number),"title":\(JSONText.string(milestone.title)),\
      "description":"","dueOn":null}
      """
  }
}
