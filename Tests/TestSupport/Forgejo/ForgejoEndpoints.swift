internal import PlatformModules

/// The endpoints of the loopback server as a Forgejo or a Gitea, for one request.
struct ForgejoEndpoints {
  let github: LoopbackGitHub
  let request: LoopbackRequest
  let now: Int
  let token: String?
  let json: ForgejoJSON
  /// The path within the API; nil outside of it.
  private let path: String?

  init(github: LoopbackGitHub, request: LoopbackRequest, now: Int) {
    self.github = github
    self.request = request
    self.now = now
    let configuration = github.configuration
    let (path, prefix) = github.forgePath(request.path)
    self.path = prefix.isEmpty ? nil : path
    token = LoopbackGitHub.token(of: request)
    var origin = request.origin
    if configuration.secureHosts.contains(request.headers["Host"] ?? ""),
      origin.hasPrefix("http://")
    {
      origin = "https" + origin.dropFirst("http".count)
    }
    json = ForgejoJSON(
      forge: configuration.forge, root: origin + configuration.subPath,
      offset: configuration.timeZoneOffset,
      permission: token.map { github.permission(of: $0) },
      milestoneOf: { number, repository in
        github.store(of: repository).read { $0.milestone(number) }
      })
  }

  var configuration: LoopbackGitHub.Configuration { github.configuration }
  var isForgejo: Bool { json.isForgejo }
  var isReading: Bool { request.method == "GET" || request.method == "HEAD" }
  var login: String { github.login(of: token) }
  var permission: LoopbackPermission { github.permission(of: token) }

  func respond() -> LoopbackResponse {
    do throws(ForgejoRefusal) {
      return try route()
    } catch {
      return refused(error)
    }
  }

  // MARK: Paths

  private func route() throws(ForgejoRefusal) -> LoopbackResponse {
    guard let path else { return try attachment(at: request.path) }
    let parts = path.split(separator: "/").map { PercentCoding.decode($0) }
    if parts == ["version"], isReading {
      return answer(#"{"version":"\#(configuration.forge.version)"}"#)
    }
    guard token != nil || !configuration.requiresSignIn else {
      throw ForgejoRefusal(403, "Only signed in user is allowed to call APIs.")
    }
    let rest = Array(parts.dropFirst())
    switch parts.first {
    case "settings" where rest == ["api"] && isReading: return settings
    case "repos" where rest == ["search"] && isReading:
      try require("repository")
      return try repositorySearch()
    case "repos" where rest == ["issues", "search"] && isReading:
      try require("issue")
      return try issueSearch()
    case "repos" where rest.count >= 2: return try respond(rest)
    case "user" where isReading:
      try requireToken()
      try require("user")
      if rest.isEmpty { return answer(json.user(login)) }
      guard rest == ["repos"] else { throw .noRoute }
      return list(ownRepositories.map(repository), at: "/user/repos")
    case "users" where isReading && !rest.isEmpty:
      try require("user")
      return try user(rest)
    case "orgs" where isReading && rest.count == 2 && rest[1] == "repos":
      try require("organization")
      return try organization(rest[0])
    case "orgs" where isReading && rest.count == 2 && rest[1] == "labels":
      try require("organization")
      return try organizationLabels(of: rest[0])
    case "notifications":
      try requireToken()
      try require("notification")
      return try notifications(rest)
    default: throw .noRoute
    }
  }

  private var settings: LoopbackResponse {
    let size = isForgejo ? "" : ",\"default_max_response_size\":104857600"
    return answer(
      """
      {"max_response_items":\(configuration.maximumPage),\
      "default_paging_num":\(min(configuration.defaultPage, configuration.maximumPage)),\
      "default_git_trees_per_page":1000,"default_max_blob_size":10485760\(size)}
      """)
  }

  /// Answers a request below `/repos`.
  private func respond(_ parts: [String]) throws(ForgejoRefusal) -> LoopbackResponse {
    if let owner = configuration.renamedUsers[parts[0]] {
      return redirect(to: [owner] + parts.dropFirst(), status: 307)
    }
    guard let (repository, isRenamed) = github.repository(parts[0], parts[1]),
      !repository.isPrivate || token != nil
    else { throw .notFound }
    if repository.isPrivate, configuration.scopes?.contains("public-only") == true {
      throw ForgejoRefusal(403, "token scope is limited to public repos")
    }
    let rest = Array(parts.dropFirst(2))
    if isRenamed {
      return redirect(to: [repository.owner, repository.name] + rest, status: 301)
    }
    let place = WritePlace(
      repository: repository, store: github.store(of: repository), path: rest)
    let issueParts = ["issues", "labels", "milestones"]
    try require(
      rest.first == "notifications"
        ? "notification"
        : rest.first.map(issueParts.contains) == true ? "issue" : "repository")
    if issueParts.contains(rest.first ?? ""), !repository.hasIssues { throw .notFound }
    if rest == ["notifications"] {
      try requireToken()
      return try notifications([], of: repository.fullName)
    }
    return try isReading ? read(place) : write(place)
  }

  private func read(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    let path = place.path
    switch path.first {
    case nil: return answer(repository(place.repository))
    case "issues" where path.count == 1:
      github.keepBusy(place.repository)
      return try issueList(place)
    case "issues" where path[1] == "comments": return try comments(place)
    case "issues":
      guard let number = Int(path[1]) else { throw .notFound }
      return try read(issue(number, place), place)
    case "labels" where path.count == 1:
      return list(
        place.store.read(\.labels).filter { !configuration.organizationLabels.contains($0.name) }
          .map { json.label($0, api: json.api(place.repository)) })
    case "labels" where path.count == 2:
      return answer(json.label(try label(path[1], place), api: json.api(place.repository)))
    case "milestones" where path.count == 1: return milestoneList(place)
    case "milestones" where path.count == 2:
      return answer(json.milestone(try milestone(path[1], place)))
    case "assignees" where path.count == 1:
      try requireToken()
      let logins = SyntheticIssues.logins + [login]
      return answer(JSONText.array(logins.filter(github.isAssignable).map(json.user)))
    case "contents": return try contents(place)
    case "issue_templates" where path.count == 1: return templates(of: place.repository)
    case "issue_config" where path.count == 1: return answer(configuration.issueConfiguration)
    default: throw .noRoute
    }
  }

  // MARK: Checks

  func requireToken() throws(ForgejoRefusal) {
    if token == nil { throw .tokenRequired }
  }

  /// Refuses a token whose scopes don't include a category. The right to write includes reading.
  private func require(_ category: String) throws(ForgejoRefusal) {
    guard token != nil, let scopes = configuration.scopes else { return }
    let needed = "\(isReading ? "read" : "write"):\(category)"
    guard scopes.isDisjoint(with: ["all", needed, "write:\(category)"]) else { return }
    let text = "token does not have at least one of required scope(s)"
    throw ForgejoRefusal(
      403,
      isForgejo
        ? "\(text): [\(needed)]"
        : "\(text), required=[\(needed)], token scope=\(scopes.sorted().joined(separator: ","))")
  }

  func issue(
    _ number: Int, _ place: WritePlace
  ) throws(ForgejoRefusal) -> SyntheticIssue {
    guard let issue = place.store.read({ $0.issue(number) }) else { throw .notFound }
    return issue
  }

  func comment(
    _ id: String, _ place: WritePlace
  ) throws(ForgejoRefusal) -> (SyntheticIssue, SyntheticComment) {
    guard let id = Int(id), let found = place.store.read({ $0.comment(id) }) else {
      throw .notFound
    }
    return found
  }

  /// The label of the repository with an id.
  func label(_ id: String, _ place: WritePlace) throws(ForgejoRefusal) -> SyntheticIssue.Label {
    guard let label = place.store.read({ $0.labels.first { "\($0.id)" == id } }),
      !configuration.organizationLabels.contains(label.name)
    else {
      throw .notFound
    }
    return label
  }

  /// The milestone with an id. A number of GitHub's finds none.
  func milestone(_ id: String, _ place: WritePlace) throws(ForgejoRefusal) -> SyntheticMilestone {
    guard
      let number = Int(id).map(ForgejoJSON.milestoneNumber),
      let milestone = place.store.read({ $0.milestone(number) })
    else { throw .notFound }
    return milestone
  }

  /// Refuses an unknown login.
  func requireUser(_ login: String) throws(ForgejoRefusal) {
    if configuration.missingUsers.contains(login) { throw .notFound }
  }

  // MARK: Answers

  /// JSON. Forgejo's ends with a line end.
  func answer(_ body: String, status: Int = 200) -> LoopbackResponse {
    answer(Data(body.utf8), status: status)
  }

  func answer(_ body: Data, status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(
      status: status, headers: ["Content-Type": "application/json;charset=utf-8"],
      body: isForgejo ? body + Data("\n".utf8) : body)
  }

  func refused(_ refusal: ForgejoRefusal) -> LoopbackResponse {
    let url = JSONText.string("\(json.api.dropLast("/v1".count))/swagger")
    switch refusal.kind {
    case .message(let text):
      return answer(
        "{\"message\":\(JSONText.string(text)),\"url\":\(url)}", status: refusal.status)
    case .notFound:
      return answer(
        isForgejo
          ? "{\"message\":\"The target couldn't be found.\",\"url\":\(url),\"errors\":[]}"
          : "{\"errors\":null,\"message\":\"not found\",\"url\":\(url)}", status: 404)
    case .noRoute: return .text("404 page not found\n", status: 404)
    case .empty: return LoopbackResponse(status: refusal.status)
    }
  }

  /// Redirects any method, to a path without an origin.
  private func redirect(to parts: [String], status: Int) -> LoopbackResponse {
    let path = (["repos"] + parts.map(PercentCoding.encode)).joined(separator: "/")
    let query = request.rawQuery.map { "?\($0)" } ?? ""
    let location = "\(configuration.subPath)\(configuration.forge.apiPath)/\(path)\(query)"
    return .text(
      "", status: status, headers: ["Location": location], contentType: "text/html; charset=utf-8")
  }

  var pages: ForgejoPages {
    ForgejoPages(
      request.query, maximum: configuration.maximumPage, usual: configuration.defaultPage)
  }

  /// A page of a list.
  ///
  /// - Parameters:
  ///   - items: The whole list, as JSON.
  ///   - path: The path within the API for links to other pages; nil for none.
  /// - Returns: The answer.
  func list(_ items: [String], at path: String? = nil) -> LoopbackResponse {
    let body = JSONText.array(Array(items[pages.window(of: items.count)]))
    return counted(answer(body), items.count, pages, at: path)
  }

  /// Adds a list's total and links.
  func counted(
    _ response: LoopbackResponse, _ total: Int, _ pages: ForgejoPages, at path: String? = nil
  ) -> LoopbackResponse {
    let root = configuration.linkOrigin.map { $0 + configuration.subPath } ?? json.root
    let link = path.flatMap {
      pages.link(of: total, at: root + configuration.forge.apiPath + $0)
    }
    return response.with { response in
      response.headers.add("X-Total-Count", "\(total)")
      if let link { response.headers.add("Link", link) }
      response.headers.add(
        "Access-Control-Expose-Headers", link == nil ? "X-Total-Count" : "Link, X-Total-Count")
    }
  }

  /// A repository with its counts.
  func repository(_ repository: LoopbackRepository) -> String {
    func count(_ isPullRequest: Bool) -> Int {
      var query = IssueQuery()
      (query.listsPullRequests, query.perPage) = (isPullRequest, 1)
      return github.store(of: repository).update { $0.page(query).total }
    }
    return json.repository(repository, openIssues: count(false), openPullRequests: count(true))
  }

  /// The time in a parameter; nil without it.
  func time(_ name: String) throws(ForgejoRefusal) -> Int? {
    guard let text = request.queryValue(name), !text.isEmpty else { return nil }
    guard let seconds = ForgejoTime.seconds(text) else {
      throw ForgejoRefusal(
        422,
        "parsing time \"\(text)\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"\(text)\"")
    }
    return seconds
  }
}
