#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The endpoints of the loopback GitHub, for one request.
struct GitHubEndpoints {
  let github: LoopbackGitHub
  let request: LoopbackRequest
  let isAnonymous: Bool
  let now: Int
  /// The path without `/api/v3`.
  private let path: String
  private let json: GitHubJSON

  init(github: LoopbackGitHub, request: LoopbackRequest, isAnonymous: Bool, now: Int) {
    self.github = github
    self.request = request
    self.isAnonymous = isAnonymous
    self.now = now
    let (path, prefix) = LoopbackGitHub.apiPath(request.path)
    self.path = path
    var origin = request.origin
    // hub reaches its test server with the addresses of github.com, and tells the scheme apart.
    if let scheme = request.headers["X-Original-Scheme"], origin.hasPrefix("http://") {
      origin = scheme + origin.dropFirst("http".count)
    }
    json = GitHubJSON(
      root: origin + prefix,
      hasSingleAssignee: request.headers["X-GitHub-Api-Version"] != "2026-03-10")
  }

  func respond() -> LoopbackResponse {
    let parts = path.split(separator: "/").map { PercentCoding.decode($0) }
    if parts == ["graphql"] {
      return GitHubGraphQL(github: github, json: json).respond(to: request)
    }
    switch parts.first {
    case "repos" where parts.count >= 3:
      guard let (repository, isRenamed) = github.repository(parts[1], parts[2]),
        isVisible(repository)
      else { return notFound }
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
    case "rate_limit" where parts.count == 1:
      return rateLimit
    default:
      return notFound
    }
  }

  private var notFound: LoopbackResponse { GitHubError.notFound.response(now: now) }

  private var isReading: Bool { request.method == "GET" || request.method == "HEAD" }

  private func isVisible(_ repository: LoopbackRepository) -> Bool {
    !repository.isPrivate || !isAnonymous
  }

  // MARK: Repositories

  /// A rename or a transfer: 301 for reading, 307 for what must not be repeated as a GET.
  private func moved(to repository: LoopbackRepository, _ rest: [String]) -> LoopbackResponse {
    var url = "\(json.root)/repositories/\(repository.id)"
    for part in rest { url += "/\(PercentCoding.encode(part))" }
    if let query = request.rawQuery { url += "?\(query)" }
    return .json(
      """
      {"message":"Moved Permanently","url":\(JSONText.string(url)),\
      "documentation_url":"https://docs.github.com/rest/guides/\
      best-practices-for-using-the-rest-api#follow-redirects"}
      """, status: isReading ? 301 : 307, headers: ["Location": url])
  }

  private func respond(_ repository: LoopbackRepository, _ rest: [String]) -> LoopbackResponse {
    guard isReading else { return notFound }
    let store = github.store(of: repository)
    switch rest.count {
    case 0:
      return tagged(
        json.repository(repository, openIssues: store.openCount), of: repository, store)
    case 1 where rest[0] == "issues":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      return issueList(repository, store)
    case 2 where rest[0] == "issues":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      guard let number = Int(rest[1]) else { return notFound }
      guard let issue = store.issue(number) else { return missing(number, in: store, rest) }
      return tagged(json.issue(issue, in: repository), of: repository, store)
    case 3 where rest[0] == "issues" && rest[2] == "comments":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      guard let number = Int(rest[1]) else { return notFound }
      guard let issue = store.issue(number) else { return missing(number, in: store, rest) }
      return numberedPages(
        (0..<issue.comments).map { json.comment($0, of: issue, in: repository) },
        at: "/repositories/\(repository.id)/issues/\(number)/comments")
    default:
      return notFound
    }
  }

  /// An issue that isn't there, or not any more: 404, 410, or the way to where it went.
  private func missing(
    _ number: Int, in store: IssueStore, _ rest: [String]
  ) -> LoopbackResponse {
    switch store.fate(of: number) {
    case .deleted: return GitHubError.deleted.response(now: now)
    case .transferred(let repository, let number):
      return moved(to: repository, [rest[0], "\(number)"] + rest.dropFirst(2))
    case nil: return notFound
    }
  }

  private func issueList(
    _ repository: LoopbackRepository, _ store: IssueStore
  ) -> LoopbackResponse {
    let query: IssueQuery
    do {
      query = try IssueQuery(request.query)
    } catch {
      return GitHubError.unprocessable(error.message).response(now: now)
    }
    if let milestone = query.milestone.flatMap(Int.init),
      !(1...SyntheticIssues.milestones.count).contains(milestone)
    {
      return GitHubError.validationFailed(field: "milestone").response(now: now)
    }
    let key = "\(json.root)|\(json.hasSingleAssignee)|\(request.rawQuery ?? "")"
    let page = store.rendered(query, key: key) { json.issue($0, in: repository) }
    var response = LoopbackResponse(
      headers: ["Content-Type": "application/json; charset=utf-8"], body: page.body)
    var links: [String] = []
    if let previous = page.previous {
      links.append("<\(link(repository, "before", previous))>; rel=\"prev\"")
    }
    if let next = page.next {
      links.append("<\(link(repository, "after", next))>; rel=\"next\"")
    }
    if !links.isEmpty { response.headers.add("Link", links.joined(separator: ", ")) }
    return conditional(response, tag: entityTag(repository, store))
  }

  /// A neighbouring page: by the repository's id, with the other parameters as they were sent.
  private func link(
    _ repository: LoopbackRepository, _ name: String, _ cursor: IssueQuery.Cursor
  ) -> String {
    var pairs = (request.rawQuery ?? "").split(separator: "&").filter { pair in
      !["page", "after", "before"].contains(pair.prefix { $0 != "=" })
    }.map(String.init)
    pairs.append("\(name)=\(PercentCoding.encode(cursor.text))")
    let query = pairs.joined(separator: "&")
    return "\(json.root)/repositories/\(repository.id)/issues?\(query)"
  }

  // MARK: Conditional requests

  /// GitHub's tags are weak, and differ with the token and the form asked for.
  private func entityTag(_ repository: LoopbackRepository, _ store: IssueStore) -> String {
    let content = [
      "\(repository.id)", "\(store.version)", request.target,
      request.headers["Authorization"] ?? "", request.headers["X-GitHub-Api-Version"] ?? "",
    ]
    let first = StableHash.of(content.joined(separator: "\n"))
    return "W/\"\(String(first, radix: 16))\(String(first &* 0x9E37_79B9_7F4A_7C15, radix: 16))\""
  }

  private func tagged(
    _ body: String, of repository: LoopbackRepository, _ store: IssueStore
  ) -> LoopbackResponse {
    conditional(.json(body), tag: entityTag(repository, store))
  }

  private func conditional(_ response: LoopbackResponse, tag: String) -> LoopbackResponse {
    var response = response
    response.headers["ETag"] = tag
    let known = request.headers["If-None-Match"]?.split(separator: ",").map {
      $0.drop { $0 == " " }
    }
    if let known, known.contains(where: { $0 == tag || $0 == tag.dropFirst(2) || $0 == "*" }) {
      response.status = 304
      response.body = Data()
    }
    return response
  }

  // MARK: Users

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
    return numberedPages(
      (own + invented).map { json.repository($0, openIssues: $0.issues.count) },
      at: "/users/\(PercentCoding.encode(login))/repos")
  }

  /// One page of a list that has page numbers, with links to its neighbours and its ends.
  private func numberedPages(_ all: [String], at path: String) -> LoopbackResponse {
    let perPage = min(max(request.queryValue("per_page").flatMap(Int.init) ?? 30, 1), 100)
    let page = max(request.queryValue("page").flatMap(Int.init) ?? 1, 1)
    let begin = min((page - 1) * perPage, all.count)
    let items = all[begin..<min(begin + perPage, all.count)]
    var response = LoopbackResponse.json(JSONText.array(Array(items)))
    let last = (all.count + perPage - 1) / perPage
    var links: [(relation: String, page: Int)] = []
    if page > 1 { links.append(("prev", min(page - 1, last))) }
    if page < last { links += [("next", page + 1), ("last", last)] }
    if page > 1 { links.append(("first", 1)) }
    let text = links.map { link in
      "<\(json.root)\(path)?per_page=\(perPage)&page=\(link.page)>; rel=\"\(link.relation)\""
    }
    if !text.isEmpty { response.headers.add("Link", text.joined(separator: ", ")) }
    return response
  }

  // MARK: Searches

  private var repositorySearch: LoopbackResponse {
    let search: RepositorySearchQuery
    do {
      search = try RepositorySearchQuery(request.query)
    } catch {
      return error.response
    }
    let configuration = github.configuration
    let own = configuration.repositories.filter { isVisible($0) && search.finds($0) }
    let invented = max(configuration.repositoriesPerSearch - own.count, 0)
    let items = search.window(of: own.count + invented).map { place in
      place < own.count ? own[place] : search.inventedRepository(place - own.count)
    }
    let objects = items.map { repository in
      // The score is what GitHub adds to a repository that a search found.
      json.repository(repository, openIssues: repository.issues.count).dropLast()
        + #","score":1.0}"#
    }
    var response = LoopbackResponse.json(
      """
      {"total_count":\(own.count + invented),"incomplete_results":false,\
      "items":\(JSONText.array(objects.map { String($0) }))}
      """)
    let links = search.links(of: own.count + invented).map { link in
      "<\(json.root)/search/repositories?\(search.rawQuery(page: link.page))>; "
        + "rel=\"\(link.relation)\""
    }
    if !links.isEmpty { response.headers.add("Link", links.joined(separator: ", ")) }
    return response
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
