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
    let scheme =
      github.configuration.secureHosts.contains(request.headers["Host"] ?? "")
      ? "https" : request.headers["X-Original-Scheme"]
    if let scheme, origin.hasPrefix("http://") {
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
    case "search" where parts == ["search", "issues"]:
      return isReading ? issueSearch : notFound
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
      return tagged(json.repository(repository, openIssues: store.openCount))
    case 1 where rest[0] == "issues":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      github.keepBusy(repository)
      return issueList(repository, store)
    case 2 where rest == ["issues", "comments"]:
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      github.keepBusy(repository)
      return commentList(repository, store)
    case 2 where rest[0] == "issues":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      guard let number = Int(rest[1]) else { return notFound }
      guard let issue = store.issue(number) else { return missing(number, in: store, rest) }
      return tagged(json.issue(issue, in: repository))
    case 3 where rest[0] == "issues" && rest[2] == "comments":
      guard repository.hasIssues else { return GitHubError.gone.response(now: now) }
      guard let number = Int(rest[1]) else { return notFound }
      guard let issue = store.issue(number) else { return missing(number, in: store, rest) }
      let comments = store.comments(on: number) ?? []
      return numberedPages(
        of: comments.count, at: "/repositories/\(repository.id)/issues/\(number)/comments"
      ) { range in comments[range].map { json.comment($0, of: issue, in: repository) } }
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
    let hasCursors = !github.configuration.pagesByNumber
    let query: IssueQuery
    do {
      query = try IssueQuery(request.query, hasCursors: hasCursors)
    } catch {
      return GitHubError.unprocessable(error.message).response(now: now)
    }
    if let milestone = query.milestone.flatMap(Int.init),
      !(1...SyntheticIssues.milestones.count).contains(milestone)
    {
      return GitHubError.validationFailed(field: "milestone").response(now: now)
    }
    let page = store.page(query)
    let body = store.body(of: page, form: "\(json.root)|\(json.hasSingleAssignee)") {
      json.issue($0, in: repository)
    }
    var response = LoopbackResponse(
      headers: ["Content-Type": "application/json; charset=utf-8"], body: body)
    let url = "\(json.root)/repositories/\(repository.id)/issues"
    let link =
      hasCursors
      ? link(page, at: url) : NumberedPages(request.query).link(of: page.total, at: url)
    if let link { response.headers.add("Link", link) }
    return conditional(response, content: page.content)
  }

  /// The links to a page's neighbours, with the other parameters as they were sent.
  private func link(_ page: IssueStore.Page, at url: String) -> String? {
    let kept = (request.rawQuery ?? "").split(separator: "&").filter { pair in
      !["page", "after", "before"].contains(pair.prefix { $0 != "=" })
    }.map(String.init)
    let links = [("before", page.previous, "prev"), ("after", page.next, "next")]
      .compactMap { name, cursor, relation in
        cursor.map { cursor in
          let query = kept + ["\(name)=\(PercentCoding.encode(cursor.text))"]
          return "<\(url)?\(query.joined(separator: "&"))>; rel=\"\(relation)\""
        }
      }
    return links.isEmpty ? nil : links.joined(separator: ", ")
  }

  /// All comments of a repository: in the order of their ids unless `sort` says otherwise, without which
  /// GitHub ignores `direction`.
  private func commentList(
    _ repository: LoopbackRepository, _ store: IssueStore
  ) -> LoopbackResponse {
    let sort = request.queryValue("sort").flatMap(CommentBook.Sort.init(rawValue:))
    let since = request.queryValue("since")
    guard since == nil || since.flatMap(Timestamp.seconds) != nil else {
      return GitHubError.unprocessable("Validation Failed").response(now: now)
    }
    let pages = NumberedPages(request.query)
    let page = store.comments(
      pages, by: sort ?? .created,
      isAscending: sort == nil || request.queryValue("direction") == "asc",
      since: since.flatMap(Timestamp.seconds))
    var response = LoopbackResponse.json(
      JSONText.array(
        page.comments.map { json.comment($0.comment, of: $0.issue, in: repository) }))
    let url = "\(json.root)/repositories/\(repository.id)/issues/comments"
    if let link = pages.link(of: page.total, at: url) { response.headers.add("Link", link) }
    return conditional(response, content: StableHash.of(response.body))
  }

  // MARK: Conditional requests

  private func tagged(_ body: String) -> LoopbackResponse {
    conditional(.json(body), content: StableHash.of(body))
  }

  /// GitHub's tags are weak, and differ with the token and the form asked for.
  private func entityTag(_ content: UInt64) -> String {
    let parts = [
      "\(content)", request.target, request.headers["Authorization"] ?? "",
      request.headers["X-GitHub-Api-Version"] ?? "",
    ]
    let first = StableHash.of(parts.joined(separator: "\n"))
    return "W/\"\(String(first, radix: 16))\(String(first &* 0x9E37_79B9_7F4A_7C15, radix: 16))\""
  }

  /// The answer, or 304 where the client has it.
  private func conditional(_ response: LoopbackResponse, content: UInt64) -> LoopbackResponse {
    var response = response
    let tag = entityTag(content)
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
    let all = own + invented
    return numberedPages(
      of: all.count, at: "/users/\(PercentCoding.encode(login))/repos"
    ) { range in all[range].map { json.repository($0, openIssues: $0.issues.count) } }
  }

  /// One page of a list that has page numbers, with links to its neighbours and its ends.
  private func numberedPages(
    of total: Int, at path: String, _ render: (Range<Int>) -> [String]
  ) -> LoopbackResponse {
    let pages = NumberedPages(request.query)
    var response = LoopbackResponse.json(JSONText.array(render(pages.window(of: total))))
    if let link = pages.link(of: total, at: json.root + path) {
      response.headers.add("Link", link)
    }
    return conditional(response, content: StableHash.of(response.body))
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
    let total = own.count + max(configuration.repositoriesPerSearch - own.count, 0)
    let items = search.pages.window(of: min(total, SearchText.maximumCount)).map { place in
      place < own.count ? own[place] : search.inventedRepository(place - own.count)
    }
    return searchResults(
      items.map { json.repository($0, openIssues: $0.issues.count) }, of: total, search.pages)
  }

  private var issueSearch: LoopbackResponse {
    let search: IssueSearchQuery
    do {
      search = try IssueSearchQuery(request.query)
    } catch {
      return error.response
    }
    let named = search.repositories.compactMap { name in
      let parts = name.split(separator: "/").map(String.init)
      return parts.count == 2 ? github.repository(parts[0], parts[1])?.0 : nil
    }
    let repositories = (search.repositories.isEmpty ? github.configuration.repositories : named)
      .filter(isVisible)
    let (items, total) = search.results(in: repositories.map(github.store))
    return searchResults(
      items.map { json.issue($0.issue, in: repositories[$0.place]) }, of: total, search.pages)
  }

  /// A page of results, each with the score that GitHub adds.
  private func searchResults(
    _ objects: [String], of total: Int, _ pages: NumberedPages
  ) -> LoopbackResponse {
    let items = objects.map { $0.dropLast() + #","score":1.0}"# }
    var response = LoopbackResponse.json(
      """
      {"total_count":\(total),"incomplete_results":false,\
      "items":\(JSONText.array(items.map { String($0) }))}
      """)
    let shown = min(total, SearchText.maximumCount)
    if let link = pages.link(of: shown, at: json.root + path) {
      response.headers.add("Link", link)
    }
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
