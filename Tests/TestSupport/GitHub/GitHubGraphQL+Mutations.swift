internal import PlatformModules

/// The mutations that REST has no endpoint for, and `addComment`, which `gh issue comment` sends.
///
/// https://docs.github.com/en/graphql/reference/mutations
extension GitHubGraphQL {
  /// An error that GraphQL sends with status 200.
  private struct Problem: Error {
    var type: String
    var message: String
  }

  /// Whether a text is that of a mutation.
  static func isMutation(_ query: String) -> Bool {
    query.split { $0.isWhitespace || $0 == "(" || $0 == "{" }.first == "mutation"
  }

  /// Carries a mutation out.
  func mutate(_ query: String, _ request: LoopbackRequest) -> LoopbackResponse {
    let token = LoopbackGitHub.token(of: request)
    guard token != nil else {
      return .json(
        #"{"message":"This endpoint requires you to be authenticated.","status":"401"}"#,
        status: 401)
    }
    let names = [
      "transferIssue", "deleteIssue", "pinIssue", "unpinIssue", "addComment", "createIssue",
      "createLinkedBranch", "addProjectV2ItemById", "updateProjectV2ItemFieldValue",
      "updateSubscription",
    ]
    let words = Set(query.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    guard let name = names.first(where: words.contains) else {
      return .json(
        #"{"errors":[{"message":"The loopback GitHub doesn't know this mutation"}]}"#)
    }
    if let refusal = scopeRefusal(of: name) { return refusal }
    let arguments = Arguments(query: query, JSONInput(request.body)?["variables"])
    do throws(Problem) {
      let payload = try carryOut(
        name, arguments, permission: github.permission(of: token), login: github.login(of: token),
        now: Int(github.configuration.now().timeIntervalSince1970))
      // gh refuses an answer with more fields than it asked for.
      let end = words.contains("clientMutationId") ? #","clientMutationId":null"# : ""
      return .json(#"{"data":{"\#(name)":{\#(payload)\#(end)}}}"#)
    } catch {
      return .json(
        """
        {"data":{"\(name)":null},"errors":[{"type":"\(error.type)","path":["\(name)"],\
        "locations":[{"line":1,"column":1}],"message":\(JSONText.string(error.message))}]}
        """)
    }
  }

  private func carryOut(
    _ name: String, _ arguments: Arguments, permission: LoopbackPermission, login: String, now: Int
  ) throws(Problem) -> String {
    if name == "createIssue" { return try createIssue(arguments, permission, login, now) }
    if name == "updateProjectV2ItemFieldValue" {
      let item = arguments["itemId"] ?? ""
      guard let answer = choose(arguments["singleSelectOptionId"] ?? "", for: item) else {
        throw Self.noNode(item)
      }
      return answer
    }
    let subjects = [
      "addComment": "subjectId", "addProjectV2ItemById": "contentId",
      "updateSubscription": "subscribableId",
    ]
    let id = arguments[subjects[name] ?? "issueId"] ?? ""
    guard let (repository, number) = github.issue(nodeID: id) else { throw Self.noNode(id) }
    let store = github.store(of: repository)
    let wanted =
      switch name {
      case "deleteIssue": LoopbackPermission.admin
      case "addComment", "addProjectV2ItemById", "updateSubscription": LoopbackPermission.read
      default: LoopbackPermission.write
      }
    guard permission >= wanted, !repository.isArchived else {
      let operation = name.prefix(1).uppercased() + name.dropFirst()
      throw Problem(
        type: "FORBIDDEN",
        message: "\(login) does not have the correct permissions to execute `\(operation)`")
    }
    let request = github.requestCount
    store.update { $0.request = request }
    switch name {
    case "deleteIssue":
      github.deleteIssue(number, of: repository)
      return #""repository":{"nameWithOwner":\#(JSONText.string(repository.fullName))}"#
    case "transferIssue":
      return try transfer(number, of: repository, arguments)
    case "createLinkedBranch":
      let target = try self.repository(nodeID: arguments["repositoryId"] ?? "")
      return linkBranch(arguments["name"] ?? "", to: id, in: target)
    case "addProjectV2ItemById":
      let project = arguments["projectId"] ?? ""
      guard let answer = addToProject(project, id) else { throw Self.noNode(project) }
      return answer
    case "updateSubscription":
      let isSubscribed = arguments["state"] == "SUBSCRIBED"
      store.update { book in book.change(number) { $0.subscriptions[login] = isSubscribed } }
      return #""subscribable":{"viewerSubscription":"\#(arguments["state"] ?? "")"}"#
    case "addComment":
      return try addComment(on: number, of: repository, arguments, login, now)
    default:
      let isPinning = name == "pinIssue"
      let pinned = store.read { book in
        book.changedNumbers.filter { book.issue($0)?.isPinned == true }
      }
      if isPinning, !pinned.contains(number), pinned.count >= 3 {
        throw Problem(
          type: "UNPROCESSABLE", message: "Maximum 3 pinned issues per repository")
      }
      store.update { book in book.change(number) { $0.isPinned = isPinning } }
      return #""issue":\#(try issue(number, of: repository))"#
    }
  }

  private func transfer(
    _ number: Int, of repository: LoopbackRepository, _ arguments: Arguments
  ) throws(Problem) -> String {
    let target = try self.repository(nodeID: arguments["repositoryId"] ?? "")
    guard target.owner == repository.owner, target.isPrivate || !repository.isPrivate else {
      throw Problem(
        type: "UNPROCESSABLE", message: "Issues can't be transferred to that repository")
    }
    guard let there = github.transferIssue(number, of: repository, to: target) else {
      throw Self.noNode("\(number)")
    }
    github.store(of: target).update { book in
      let names = book.issue(there)?.labels.map(\.name) ?? []
      // An issue's labels count as labels of its repository.
      book.change(there) { $0.labels = [] }
      let labels = book.labels(
        named: names, creating: arguments["createLabelsIfMissing"] == "true")
      book.change(there) { $0.labels = labels }
    }
    return #""issue":\#(try issue(there, of: target))"#
  }

  private func repository(nodeID id: String) throws(Problem) -> LoopbackRepository {
    guard
      let repository = github.knownRepositories.first(where: { id == GitHubJSON.nodeID(of: $0) })
    else { throw Self.noNode(id) }
    return repository
  }

  /// Creates an issue with the labels and assignees of its template, for every author.
  private func createIssue(
    _ arguments: Arguments, _ permission: LoopbackPermission, _ login: String, _ now: Int
  ) throws(Problem) -> String {
    let repository = try self.repository(nodeID: arguments["repositoryId"] ?? "")
    guard permission >= .read, repository.hasIssues, !repository.isArchived else {
      throw Problem(
        type: "FORBIDDEN",
        message: "\(login) does not have the correct permissions to execute `CreateIssue`")
    }
    let title = arguments["title"] ?? ""
    guard !title.isEmpty else {
      throw Problem(type: "UNPROCESSABLE", message: "Title can't be blank")
    }
    let template = repository.template(named: arguments["issueTemplate"] ?? "")
    let body = github.configuration.lineEnds.applied(to: arguments["body"] ?? "")
    let store = github.store(of: repository)
    let number = store.update { book in
      // A label that the repository lacks isn't created.
      let labels = book.labels(named: template.labels, creating: false)
      return book.add { issue in
        (issue.title, issue.body, issue.author) = (title, body, login)
        (issue.labels, issue.assignees) = (labels, template.assignees)
        (issue.createdAt, issue.updatedAt) = (now, now)
        issue.isWritten = true
      }
    }
    return #""issue":\#(try issue(number, of: repository))"#
  }

  private func addComment(
    on number: Int, of repository: LoopbackRepository, _ arguments: Arguments, _ login: String,
    _ now: Int
  ) throws(Problem) -> String {
    let store = github.store(of: repository)
    let body = github.configuration.lineEnds.applied(to: arguments["body"] ?? "")
    let index = store.update { book in
      book.addComment(on: number, at: now) { comment in
        (comment.author, comment.body, comment.isWritten) = (login, body, true)
      }
    }
    guard let index, let issue = store.read({ $0.issue(number) }) else {
      throw Problem(type: "NOT_FOUND", message: "Could not resolve to an issue")
    }
    let id = GitHubJSON.commentID(index, on: issue)
    let url = "https://github.com/\(repository.fullName)/issues/\(number)#issuecomment-\(id)"
    return #""commentEdge":{"node":{"url":"\#(url)"}}"#
  }

  private func issue(
    _ number: Int, of repository: LoopbackRepository
  ) throws(Problem) -> String {
    guard let issue = github.store(of: repository).read({ $0.issue(number) }) else {
      throw Self.noNode("\(number)")
    }
    return """
      {"id":"\(GitHubJSON.nodeID(number, in: repository))",\
      "databaseId":\(GitHubJSON.issueID(issue)),"number":\(number),\
      "url":"https://github.com/\(repository.fullName)/issues/\(number)",\
      "title":\(JSONText.string(issue.title)),"body":\(JSONText.string(issue.body ?? "")),\
      "createdAt":\(JSONText.time(issue.createdAt)),"updatedAt":\(JSONText.time(issue.updatedAt)),\
      "author":{"login":\(JSONText.string(issue.author))},\
      "labels":{"nodes":\(JSONText.array(issue.labels.map {
        #"{"name":\#(JSONText.string($0.name)),"color":"\#($0.color)"}"#
      }))},\
      "assignees":{"nodes":\(JSONText.array(issue.assignees.map {
        #"{"login":\#(JSONText.string($0))}"#
      }))},"isPinned":\(issue.isPinned),\
      "repository":{"nameWithOwner":\(JSONText.string(repository.fullName))}}
      """
  }

  private static func noNode(_ id: String) -> Problem {
    Problem(
      type: "NOT_FOUND", message: "Could not resolve to a node with the global id of '\(id)'")
  }

  /// The arguments of a mutation: in an input object among the variables, as variables, or in the text.
  private struct Arguments {
    let query: String
    let variables: JSONInput?

    init(query: String, _ variables: JSONInput?) {
      self.query = query
      self.variables = variables
    }

    subscript(name: String) -> String? {
      if let given = variables?["input"]?[name] ?? variables?[name] {
        if case .bool(let value) = given { return "\(value)" }
        return given.text
      }
      let parts = query.split(separator: name, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      let rest = parts[1].drop { $0.isWhitespace || $0 == ":" }
      if rest.first == "$" {
        return variables?[String(rest.dropFirst().prefix { $0.isLetter || $0.isNumber })]?.text
      }
      return rest.first == "\""
        ? String(rest.dropFirst().prefix { $0 != "\"" }) : String(rest.prefix(while: \.isLetter))
    }
  }
}

extension LoopbackGitHub {
  /// The issue that a global id names.
  fileprivate func issue(nodeID id: String) -> (LoopbackRepository, number: Int)? {
    for repository in knownRepositories {
      let prefix = GitHubJSON.nodeID(0, in: repository).dropLast()
      guard id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.count)),
        store(of: repository).read({ $0.issue(number) }) != nil
      else { continue }
      return (repository, number)
    }
    return nil
  }
}

extension LoopbackRepository {
  /// The labels and assignees of a template, by its name. It reads a line for each, as tests write them, not YAML.
  fileprivate func template(named name: String) -> (labels: [String], assignees: [String]) {
    for (path, text) in files where path.lowercased().hasPrefix(".github/issue_template/") {
      func values(_ key: String) -> [String] {
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(key):") }
        return (line?.dropFirst(key.count + 1) ?? "").split(separator: ",").map { part in
          String(part.filter { !"[]\"' ".contains($0) })
        }
        .filter { !$0.isEmpty }
      }
      let line = text.split(separator: "\n").first { $0.hasPrefix("name:") }
      let own = line.map { String($0.dropFirst(5).drop { $0 == " " }.filter { $0 != "\"" }) }
      if own == name { return (values("labels"), values("assignees")) }
    }
    return ([], [])
  }
}
