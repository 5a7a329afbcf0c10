/// Lists of issues and what belongs to them.
extension ForgejoEndpoints {
  /// The issues of a repository. Parameters of GitHub's mean nothing.
  func issueList(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    var query = try issueQuery(of: place)
    for (name, field) in [
      ("created_by", \IssueQuery.creator), ("assigned_by", \.assignee),
      ("mentioned_by", \.mentioned),
    ] {
      guard let login = request.queryValue(name), !login.isEmpty else { continue }
      try requireUser(login)
      query[keyPath: field] = login
    }
    let names = values("labels").filter { name in
      place.store.read { $0.labels.contains { $0.name == name } }
    }
    query.labels = names.map { $0.lowercased() }
    if isForgejo { (query.sort, query.ascending) = sort(request.queryValue("sort")) }
    query.perPage = pages.limit
    query.start = .page(pages.page)
    let store = query.text == nil ? place.store : indexed(place.repository)
    var page = store.update { $0.page(query) }
    page.issues.removeAll { configuration.unlisted.contains($0.number) }
    let body = store.body(of: page, form: "\(configuration.forge)|\(json.root)|\(json.offset)") {
      json.issue($0, in: place.repository)
    }
    if let heaviest = configuration.heaviestPage, body.count > heaviest {
      return github.forgeAnswer(to: .badGateway, now: now)
    }
    return counted(
      answer(body), page.total, pages, at: "/repos/\(place.repository.fullName)/issues")
  }

  /// The parameters that lists of a repository and of all share.
  func issueQuery(of place: WritePlace) throws(ForgejoRefusal) -> IssueQuery {
    var query = IssueQuery()
    let state = request.queryValue("state") ?? ""
    query.state = ["closed", "all"].contains(state) ? state : "open"
    switch request.queryValue("type") {
    case "issues": query.listsPullRequests = false
    case "pulls": query.listsPullRequests = true
    default: break
    }
    let since = try time("since")
    let before = try time("before")
    // Without an end, no order depends on it: a sync sends another `since` with each request.
    query.since = since
    if let before { query.updated = min(since ?? .min, before)...before }
    if let text = request.queryValue("q"), !text.isEmpty { query.text = text }
    let all = place.store.read(\.milestones)
    let wanted = values("milestones").compactMap { name in
      all.first { $0.title == name }
        ?? all.first { "\(ForgejoJSON.milestoneID($0.number))" == name }
    }
    if !wanted.isEmpty { query.milestones = wanted.map(\.number) }
    return query
  }

  /// The values of a parameter with commas, which can't be escaped.
  func values(_ name: String) -> [String] {
    (request.queryValue(name) ?? "").split(separator: ",").map(String.init)
  }

  private func sort(_ name: String?) -> (IssueQuery.Sort, isAscending: Bool) {
    switch name {
    case "oldest": (.created, true)
    case "recentupdate": (.updated, false)
    case "leastupdate": (.updated, true)
    case "mostcomment": (.comments, false)
    case "leastcomment": (.comments, true)
    default: (.created, false)
    }
  }

  /// The issues as the index knows them, which lags behind.
  func indexed(_ repository: LoopbackRepository) -> IssueStore {
    let store = github.store(of: repository)
    let lag = configuration.searchLag
    guard lag > 0 else { return store }
    let first = github.requestCount - lag + 1
    return IssueStore(store.read { $0.before(first) })
  }

  // MARK: Comments

  /// Answers a request below `issues/comments`.
  func comments(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    if place.path.count == 2 {
      github.keepBusy(place.repository)
      return try repositoryComments(place)
    }
    let (issue, comment) = try comment(place.path[2], place)
    switch place.path.dropFirst(3) {
    case []: return answer(json.comment(comment, of: issue, in: place.repository))
    case ["reactions"]:
      return answer(
        comment.reactions.isEmpty
          ? "null" : JSONText.array(comment.reactions.map(json.reaction)))
    case ["assets"]: return answer("[]")
    default: throw .noRoute
    }
  }

  /// The comments of a repository, oldest first. `since` and `before` limit their own changes.
  private func repositoryComments(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    let (since, before) = (try time("since"), try time("before"))
    let pages = pages
    let (comments, total) = place.store.update { book in
      // The list can't be limited at its end, so that all of it is needed.
      let some = NumberedPages(
        perPage: before == nil ? pages.limit : 1_000_000, page: before == nil ? pages.page : 1)
      let found = book.comments(some, by: .created, isAscending: true, since: since)
      guard let before else { return (found.comments, found.total) }
      let all = found.comments.filter { $0.comment.updatedAt <= before }
      return (Array(all[pages.window(of: all.count)]), all.count)
    }
    let body = answer(
      JSONText.array(
        comments.map { json.comment($0.comment, of: $0.issue, in: place.repository) }))
    if let heaviest = configuration.heaviestPage, body.body.count > heaviest {
      return github.forgeAnswer(to: .badGateway, now: now)
    }
    return counted(body, total, pages)
  }

  // MARK: One issue

  /// Answers a request for an issue or what belongs to it.
  func read(
    _ issue: SyntheticIssue, _ place: WritePlace
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    let repository = place.repository
    func related(_ numbers: [Int], _ name: String) -> LoopbackResponse {
      let issues = place.store.read { book in numbers.compactMap(book.issue) }
      let path = "/repos/\(repository.fullName)/issues/\(issue.number)/\(name)"
      return list(issues.map { json.issue($0, in: repository) }, at: isForgejo ? nil : path)
    }
    switch place.path.dropFirst(2) {
    case []: return answer(json.issue(issue, in: repository))
    case ["comments"]:
      // All at once, whatever the limit.
      let comments = try limited(place.store.read { $0.comments(on: issue.number) })
      let body = JSONText.array(comments.map { json.comment($0, of: issue, in: repository) })
      return counted(answer(body), comments.count, pages)
    case ["labels"]:
      return answer(
        JSONText.array(issue.labels.map { json.label($0, api: json.api(repository)) }))
    case ["timeline"]: return try timeline(issue, place)
    case ["dependencies"]: return related(issue.blockedBy, "dependencies")
    case ["blocks"]: return related(issue.blocking, "blocks")
    case ["reactions"]:
      let reactions = issue.reactions.map(json.reaction)
      return reactions.isEmpty
        ? counted(answer("null"), 0, pages) : list(reactions)
    case ["assets"]: return answer("[]")
    default: throw .noRoute
    }
  }

  private func limited(
    _ comments: [SyntheticComment]
  ) throws(ForgejoRefusal) -> [SyntheticComment] {
    let (since, before) = (try time("since") ?? .min, try time("before") ?? .max)
    return comments.filter { $0.updatedAt >= since && $0.updatedAt <= before }
  }

  /// Events and comments, oldest first. The total is that of the page.
  private func timeline(
    _ issue: SyntheticIssue, _ place: WritePlace
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    let (since, before) = (try time("since") ?? .min, try time("before") ?? .max)
    var entries = issue.events.enumerated().map { index, event in
      (event.createdAt, json.event(event, index, of: issue, in: place.repository))
    }
    entries += place.store.read { $0.comments(on: issue.number) }.map { comment in
      (comment.createdAt, json.event(comment, of: issue, in: place.repository))
    }
    // Stable, because events of one second follow each other.
    let sorted = entries.enumerated().filter { (since...max(since, before)).contains($0.element.0) }
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
    // Events of no known type are left out after the page was cut.
    let shown = sorted[pages.window(of: sorted.count)].compactMap(\.self)
    return answer(shown.isEmpty ? "null" : JSONText.array(shown)).with {
      $0.headers.add("X-Total-Count", "\(shown.count)")
    }
  }

  // MARK: Milestones

  /// The milestones of a repository: without `state` the open ones on Gitea, and all on Forgejo.
  func milestoneList(_ place: WritePlace) -> LoopbackResponse {
    let state = request.queryValue("state") ?? (isForgejo ? "all" : "open")
    let name = request.queryValue("name")
    let milestones = place.store.read(\.milestones).filter { milestone in
      (state == "all" || milestone.isOpen == (state != "closed"))
        && (name == nil || milestone.title == name)
    }
    let sorted = milestones.sorted { first, second in
      (first.dueOn ?? 0, first.title, first.number)
        < (second.dueOn ?? 0, second.title, second.number)
    }
    return list(sorted.map(json.milestone))
  }
}
