import PlatformModules

/// The queries for linked branches, closing pull requests and projects, and their mutations.
///
/// https://docs.github.com/en/graphql/reference/objects#issue
extension GitHubGraphQL {
  /// The answer to a query about branches or projects; nil for another query.
  func developmentAnswer(
    _ query: String, _ variables: JSONInput?, _ request: LoopbackRequest
  ) -> LoopbackResponse? {
    guard ["linkedBranches", "branch:ref(", "projectV2("].contains(where: query.contains) else {
      return nil
    }
    guard LoopbackGitHub.token(of: request) != nil else {
      return .json(
        #"{"message":"This endpoint requires you to be authenticated.","status":"401"}"#,
        status: 401)
    }
    if let field = ["projectItems", "projectV2"].first(where: { query.contains("\($0)(") }),
      !has(["project", "read:project"])
    {
      return insufficientScopes(field, "read:project")
    }
    let owner = variables?["owner"]?.text ?? ""
    if query.contains("projectV2(") { return project(query, owner) }
    let name = variables?["repo"]?.text ?? ""
    guard let (repository, _) = github.repository(owner, name) else {
      return .json(
        """
        {"data":{"repository":null},"errors":[{"type":"NOT_FOUND","path":["repository"],\
        "message":"Could not resolve to a Repository with the name '\(owner)/\(name)'."}]}
        """)
    }
    return query.contains("branch:ref(")
      ? branch(query, variables, in: repository) : links(query, in: repository)
  }

  private func has(_ scopes: [String]) -> Bool {
    github.configuration.scopes.map { !$0.isDisjoint(with: scopes) } ?? true
  }

  /// The answer without the scope: there is no `data`, whatever else the query asks for.
  private func insufficientScopes(_ field: String, _ scope: String) -> LoopbackResponse {
    let granted = (github.configuration.scopes ?? []).sorted().map { "'\($0)'" }
    return .json(
      """
      {"errors":[{"type":"INSUFFICIENT_SCOPES","locations":[{"line":1,"column":1}],"message":\
      "Your token has not been granted the required scopes to execute this query. The '\(field)' \
      field requires one of the following scopes: ['\(scope)'], but your token has only been granted \
      the: [\(granted.joined(separator: ", "))] scopes."}]}
      """)
  }

  private func number(after mark: String, in query: String) -> Int {
    guard let range = query.firstRange(of: mark) else { return 0 }
    return Int(query[range.upperBound...].prefix { $0.isNumber }) ?? 0
  }

  private func links(_ query: String, in repository: LoopbackRepository) -> LoopbackResponse {
    let number = number(after: "issue(number:", in: query)
    guard let issue = github.store(of: repository).read({ $0.issue(number) }), !issue.isPullRequest
    else {
      return .json(
        """
        {"data":{"repository":{"issue":null}},"errors":[{"type":"NOT_FOUND",\
        "path":["repository","issue"],"message":"Could not resolve to an Issue with the number of \(number)."}]}
        """)
    }
    let id = GitHubJSON.nodeID(number, in: repository)
    let development = github.development.read(\.self)
    let branches = development.links.filter { $0.issue == id }.map { link in
      #"{"ref":{"name":\#(JSONText.string(link.branch)),"repository":{"nameWithOwner":"\#(link.repository)"}}}"#
    }
    let pullRequests = (github.configuration.closingPullRequests[number] ?? []).map { other in
      """
      {"number":\(other),"title":"Fix \(number)","state":"OPEN","isDraft":false,\
      "url":"https://github.com/\(repository.fullName)/pull/\(other)",\
      "repository":{"nameWithOwner":"\(repository.fullName)"}}
      """
    }
    var (items, errors): (String, [String]) = ("", [])
    if query.contains("projectItems(") {
      let nodes = development.items.filter { $0.issue == id }.enumerated().map { index, item in
        guard let project = github.configuration.projects.first(where: { $0.id == item.project }),
          !project.isHidden
        else {
          errors.append(
            """
            {"type":"FORBIDDEN","path":["repository","issue","projectItems","nodes",\(index)],\
            "message":"Resource not accessible"}
            """)
          return "null"
        }
        return """
          {"project":{"number":\(project.number),"title":\(JSONText.string(project.title)),\
          "url":"https://github.com/orgs/\(project.owner)/projects/\(project.number)",\
          "owner":{"login":"\(project.owner)"}},"fieldValueByName":\
          \(item.status.map { #"{"name":\#(JSONText.string($0))}"# } ?? "null")}
          """
      }
      items = #","projectItems":{"nodes":\#(JSONText.array(nodes))}"#
    }
    return .json(
      """
      {"data":{"repository":{"issue":{"id":"\(id)","number":\(number),\
      "title":\(JSONText.string(issue.title)),\
      "url":"https://github.com/\(repository.fullName)/issues/\(number)",\
      "linkedBranches":{"nodes":\(JSONText.array(branches))},\
      "closedByPullRequestsReferences":{"nodes":\(JSONText.array(pullRequests))}\(items)}}}\
      \(errors.isEmpty ? "" : ",\"errors\":\(JSONText.array(errors))")}
      """)
  }

  private func branch(
    _ query: String, _ variables: JSONInput?, in repository: LoopbackRepository
  ) -> LoopbackResponse {
    let branches = github.development.read(\.branches)
    func name(_ variable: String) -> String? {
      let full = variables?[variable]?.text ?? ""
      let name = full.hasPrefix("refs/heads/") ? String(full.dropFirst(11)) : nil
      return name.flatMap {
        $0 == "main" || branches.contains("\(repository.fullName):\($0)") ? $0 : nil
      }
    }
    func target(_ digit: String) -> String {
      #"{"target":{"oid":"\#(String(repeating: digit, count: 40))"}}"#
    }
    let base =
      query.contains("base:ref(") ? #","base":\#(name("base") == nil ? "null" : target("b"))"# : ""
    return .json(
      """
      {"data":{"repository":{"id":"\(GitHubJSON.nodeID(of: repository))",\
      "nameWithOwner":"\(repository.fullName)","defaultBranchRef":\(target("a")),\
      "branch":\(name("name").map { #"{"name":\#(JSONText.string($0))}"# } ?? "null")\(base)}}}
      """)
  }

  private func project(_ query: String, _ owner: String) -> LoopbackResponse {
    let own = github.configuration.projects.filter {
      $0.owner.lowercased() == owner.lowercased() && !$0.isHidden
    }
    let isKnown =
      !own.isEmpty
      || github.knownRepositories.contains { $0.owner.lowercased() == owner.lowercased() }
    guard isKnown else { return .json(#"{"data":{"repositoryOwner":null}}"#) }
    let number = number(after: "projectV2(number:", in: query)
    let known = own.map { #"{"number":\#($0.number),"title":\#(JSONText.string($0.title))}"# }
    let list = #""projectsV2":{"nodes":\#(JSONText.array(known))}"#
    guard let project = own.first(where: { $0.number == number }) else {
      return .json(
        """
        {"data":{"repositoryOwner":{"projectV2":null,\(list)}},"errors":[{"type":"NOT_FOUND",\
        "path":["repositoryOwner","projectV2"],"message":"Could not resolve to a ProjectV2 with the \
        number \(number)."}]}
        """)
    }
    let options = project.statuses.map { #"{"id":"option-\#($0)","name":\#(JSONText.string($0))}"# }
    let field =
      options.isEmpty ? "null" : #"{"id":"field","options":\#(JSONText.array(options))}"#
    var response = LoopbackResponse.json(
      """
      {"data":{"repositoryOwner":{"projectV2":{"id":"\(project.id)",\
      "title":\(JSONText.string(project.title)),"viewerCanUpdate":\(project.isWritable),\
      "field":\(field)},\(list)}}}
      """)
    if let scopes = github.configuration.scopes {
      response.headers.add("X-OAuth-Scopes", scopes.sorted().joined(separator: ", "))
    }
    return response
  }

  // MARK: Mutations

  /// The answer to a mutation of a project without its scope; nil with it.
  func scopeRefusal(of name: String) -> LoopbackResponse? {
    name.contains("ProjectV2") && !has(["project"]) ? insufficientScopes(name, "project") : nil
  }

  /// Links a branch. The result is null for a branch that exists.
  func linkBranch(
    _ name: String, to issue: String, in repository: LoopbackRepository
  ) -> String {
    let isFresh = github.development.update { development in
      guard name != "main",
        development.branches.insert("\(repository.fullName):\(name)").inserted
      else { return false }
      development.links.append(.init(issue: issue, branch: name, repository: repository.fullName))
      return true
    }
    guard isFresh else { return #""linkedBranch":null"# }
    return """
      "linkedBranch":{"ref":{"name":\(JSONText.string(name)),\
      "repository":{"nameWithOwner":"\(repository.fullName)"}}}
      """
  }

  /// Adds an issue to a project once; nil for an unknown project.
  func addToProject(_ project: String, _ issue: String) -> String? {
    guard github.configuration.projects.contains(where: { $0.id == project && $0.isWritable })
    else { return nil }
    github.development.update { development in
      guard !development.items.contains(where: { $0.project == project && $0.issue == issue })
      else {
        return
      }
      development.items.append(.init(project: project, issue: issue))
    }
    return #""item":{"id":"\#(project)|\#(issue)"}"#
  }

  /// Sets the status of an item; nil for an unknown item.
  func choose(_ option: String, for item: String) -> String? {
    github.development.update { development in
      let index = development.items.firstIndex { "\($0.project)|\($0.issue)" == item }
      guard let index else { return nil }
      development.items[index].status = String(option.dropFirst("option-".count))
      return #""projectV2Item":{"id":"\#(item)"}"#
    }
  }
}
