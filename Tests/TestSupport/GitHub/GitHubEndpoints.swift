internal import PlatformModules

/// The endpoints of the loopback GitHub, for one request.
struct GitHubEndpoints {
  let github: LoopbackGitHub
  let request: LoopbackRequest
  let isAnonymous: Bool
  let now: Int
  /// The path without `/api/v3`.
  let path: String
  private(set) var json: GitHubJSON

  init(github: LoopbackGitHub, request: LoopbackRequest, isAnonymous: Bool, now: Int) {
    self.github = github
    self.request = request
    self.isAnonymous = isAnonymous
    self.now = now
    let (path, prefix) = LoopbackGitHub.apiPath(request.path)
    self.path = path
    var origin = request.origin
    // hub reaches its test server under the addresses of github.com, and distinguishes the schemes.
    let scheme =
      github.configuration.secureHosts.contains(request.headers["Host"] ?? "")
      ? "https" : request.headers["X-Original-Scheme"]
    if let scheme, origin.hasPrefix("http://") {
      origin = scheme + origin.dropFirst("http".count)
    }
    let tellsPermission = github.configuration.tellsPermissions && !isAnonymous
    json = GitHubJSON(
      root: origin + prefix,
      hasSingleAssignee: request.headers["X-GitHub-Api-Version"] != "2026-03-10",
      permission: tellsPermission
        ? github.permission(of: LoopbackGitHub.token(of: request)) : nil,
      milestone: { number, repository in
        github.store(of: repository).read { $0.milestone(number) }
      })
    json.relative = { number, repository in github.store(of: repository).read { $0.issue(number) } }
    json.hasRelations = github.configuration.hasRelations
    json.fields = github.configuration.issueFields
  }

  func respond() -> LoopbackResponse {
    let parts = path.split(separator: "/").map { PercentCoding.decode($0) }
    if parts == ["graphql"] {
      return GitHubGraphQL(github: github, json: json).respond(to: request)
    }
    if let answer = appAnswer(parts) { return answer }
    switch parts.first {
    case "repos" where parts.count >= 3:
      guard let (repository, isRenamed) = github.repository(parts[1], parts[2]),
        isVisible(repository)
      else { return notFound }
      if let refusal = singleSignOnRefusal(of: repository.owner) { return refusal }
      let rest = Array(parts.dropFirst(3))
      return isRenamed ? moved(to: repository, rest) : respond(repository, rest)
    case "repositories" where parts.count >= 2:
      guard let id = Int(parts[1]), let repository = github.repository(id: id),
        isVisible(repository)
      else { return notFound }
      return respond(repository, Array(parts.dropFirst(2)))
    case "users" where parts.count == 2 || parts.count == 3:
      return user(parts[1], Array(parts.dropFirst(2)))
    case "search" where parts == ["search", "repositories"]:
      return isReading ? repositorySearch : notFound
    case "search" where parts == ["search", "issues"]:
      return isReading ? issueSearch : notFound
    case "user" where parts == ["user", "starred"] || parts == ["user", "repos"]:
      return isReading ? ownRepositories(isStarred: parts[1] == "starred") : notFound
    case "user" where parts.count == 1:
      guard isReading else { return notFound }
      return ownProfile
    case "issues" where parts.count == 1:
      return crossRepositoryList(of: nil)
    case "orgs" where parts.count == 3 && parts[2] == "issues":
      return crossRepositoryList(of: parts[1])
    case "orgs" where parts.count == 3 && parts[2] == "repos":
      return organizationRepositories(of: parts[1])
    case "orgs" where parts.count == 3 && parts[2] == "issue-types":
      guard isReading, github.configuration.hasRelations else { return notFound }
      return tagged(JSONText.array(issueTypes))
    case "orgs" where parts.count == 3 && parts[2] == "issue-fields":
      guard isReading, github.configuration.hasRelations,
        !github.configuration.users.contains(parts[1])
      else { return notFound }
      return tagged(JSONText.array(json.fields.map(json.field)))
    case "user-attachments" where parts.count > 1 && parts[1] == "assets":
      return attachments(Array(parts.dropFirst(2)))
    case "notifications":
      return notifications(Array(parts.dropFirst()))
    case "rate_limit" where parts.count == 1:
      return rateLimit
    default:
      return notFound
    }
  }

  var notFound: LoopbackResponse { GitHubError.notFound.response(now: now) }

  var isReading: Bool { request.method == "GET" || request.method == "HEAD" }

  /// The token's owner.
  var login: String { github.login(of: LoopbackGitHub.token(of: request)) }

  /// The owner's rights.
  var permission: LoopbackPermission {
    github.permission(of: LoopbackGitHub.token(of: request))
  }

  func isVisible(_ repository: LoopbackRepository) -> Bool {
    !repository.isPrivate || !isAnonymous
  }

  // MARK: Repositories

  /// Redirects after a rename or a transfer: 301 for reading, and 307, or the configured status, for requests that must
  /// not be repeated as GET.
  private func moved(to repository: LoopbackRepository, _ rest: [String]) -> LoopbackResponse {
    var url = "\(json.root)/repositories/\(repository.id)"
    for part in rest { url += "/\(PercentCoding.encode(part))" }
    if let query = request.rawQuery { url += "?\(query)" }
    return .json(
      """
      {"message":"Moved Permanently","url":\(JSONText.string(url)),\
      "documentation_url":"https://docs.github.com/rest/guides/\
      best-practices-for-using-the-rest-api#follow-redirects"}
      """, status: isReading ? 301 : github.configuration.movedWriteStatus,
      headers: ["Location": url])
  }

  private func respond(_ repository: LoopbackRepository, _ rest: [String]) -> LoopbackResponse {
    if rest == ["notifications"] { return notifications(of: repository.fullName) }
    guard isReading else { return write(repository, rest) }
    let store = github.store(of: repository)
    switch rest.count {
    case 0:
      return tagged(
        json.repository(repository, openIssues: store.update { $0.page(IssueQuery()).total }))
    case 1 where rest[0] == "issues":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      github.keepBusy(repository)
      return issueList(repository, store)
    case 1 where rest[0] == "milestones":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      return milestoneList(repository, store)
    case 2 where rest[0] == "milestones":
      guard let number = Int(rest[1]), let milestone = store.read({ $0.milestone(number) })
      else { return notFound }
      return tagged(json.milestone(milestone, api: api(repository)))
    case _ where rest[0] == "contents":
      return contents(repository, rest.dropFirst().joined(separator: "/"))
    case 1 where rest[0] == "labels":
      return labelList(repository, store)
    case 2 where rest[0] == "labels":
      let name = rest[1].lowercased()
      guard let label = store.read({ $0.labels.first { $0.name.lowercased() == name } })
      else { return notFound }
      return tagged(json.label(label, api: api(repository)))
    case 2 where rest == ["issues", "comments"]:
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      github.keepBusy(repository)
      return commentList(repository, store)
    case 2 where rest[0] == "issues":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      guard let number = Int(rest[1]) else { return notFound }
      guard let issue = store.read({ $0.issue(number) }) else {
        return missing(number, in: store, rest)
      }
      return tagged(json.issue(issue, in: repository))
    case 3 where rest[0] == "issues" && rest[2] == "comments":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      guard let number = Int(rest[1]) else { return notFound }
      guard let issue = store.read({ $0.issue(number) }) else {
        return missing(number, in: store, rest)
      }
      let since = request.queryValue("since").flatMap(Timestamp.seconds) ?? 0
      let comments = store.read { $0.comments(on: number) }.filter { $0.updatedAt >= since }
      return numberedPages(
        of: comments.count, at: "/repositories/\(repository.id)/issues/\(number)/comments"
      ) { range in comments[range].map { json.comment($0, of: issue, in: repository) } }
    default:
      return properties(repository, rest)
    }
  }

  /// The answer for an absent issue: 404, 410, or a redirect to its new place.
  func missing(
    _ number: Int, in store: IssueStore, _ rest: [String]
  ) -> LoopbackResponse {
    switch store.read({ $0.fates[number] }) {
    case .deleted: return GitHubError.deleted.response(now: now)
    case .transferred(let repository, let number):
      return moved(to: repository, [rest[0], "\(number)"] + rest.dropFirst(2))
    case nil: return notFound
    }
  }

  // MARK: Users

  /// The token's owner. Without a token, GitHub returns 401.
  private var ownProfile: LoopbackResponse {
    guard !isAnonymous else { return GitHubError.requiresAuthentication.response(now: now) }
    return tagged(
      json.fullUser(
        login, repositories: github.configuration.repositoriesPerUser))
  }

  private func user(_ login: String, _ rest: [String]) -> LoopbackResponse {
    let configuration = github.configuration
    guard isReading, !configuration.missingUsers.contains(login) else { return notFound }
    if rest.isEmpty {
      return .json(json.fullUser(login, repositories: configuration.repositoriesPerUser))
    }
    guard rest == ["repos"] else { return notFound }
    let own = configuration.repositories.filter {
      $0.owner.lowercased() == login.lowercased() && isVisible($0)
    }
    let invented = (0..<max(configuration.repositoriesPerUser - own.count, 0)).map { index in
      LoopbackRepository(
        id: 2_000_000 + index, owner: login, name: "project-\(index + 1)",
        issues: SyntheticIssues(count: index))
    }
    let all = own + invented
    return numberedPages(
      of: all.count, at: "/users/\(PercentCoding.encode(login))/repos"
    ) { range in all[range].map { json.repository($0, openIssues: $0.issues.count) } }
  }

  private var rateLimit: LoopbackResponse {
    let standing = github.standing(of: LoopbackGitHub.token(of: request), now: now)
    func quota(_ limit: Int, _ used: Int, _ remaining: Int, _ reset: Int) -> String {
      #"{"limit":\#(limit),"used":\#(used),"remaining":\#(remaining),"reset":\#(reset)}"#
    }
    let core = quota(standing.limit, standing.used, standing.remaining, standing.reset)
    let searches = github.standing(of: LoopbackGitHub.token(of: request), .search, now: now)
    let search = quota(searches.limit, searches.used, searches.remaining, searches.reset)
    let graph = isAnonymous ? 0 : 5000
    let graphql = quota(graph, 0, graph, now + 3600)
    return .json(
      #"{"resources":{"core":\#(core),"search":\#(search),"graphql":\#(graphql)},"rate":\#(core)}"#)
  }
}
