/// Lists of issues and comments, page by page.
extension GitHubEndpoints {
  func issueList(
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
      store.read({ $0.milestone(milestone) }) == nil
    {
      return GitHubError.validationFailed(field: "milestone").response(now: now)
    }
    // api.github.com returns nothing for the beginning of 1970, and correct lists for other times
    // (https://github.com/chaoss/grimoirelab-perceval/issues/865).
    if query.since == 0 { return tagged("[]") }
    var page = store.update { $0.page(query) }
    page.issues.removeAll { github.configuration.unlisted.contains($0.number) }
    let body = store.body(of: page, form: "\(json.root)|\(json.hasSingleAssignee)") {
      json.issue($0, in: repository)
    }
    if isTooHeavy(body.count) { return GitHubError.badGateway.response(now: now) }
    var response = LoopbackResponse(
      headers: ["Content-Type": "application/json; charset=utf-8"], body: body)
    let url = "\(json.root)/repositories/\(repository.id)/issues"
    let link =
      hasCursors
      ? link(page, at: url) : NumberedPages(request.query).link(of: page.total, at: url)
    if let link { response.headers.add("Link", link) }
    return conditional(response, content: page.content)
  }

  private func isTooHeavy(_ count: Int) -> Bool {
    github.configuration.heaviestPage.map { count > $0 } ?? false
  }

  /// Links to neighbouring pages, with the other parameters as they were sent.
  private func link(_ page: IssueBook.Page, at url: String) -> String? {
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

  /// All comments of a repository, in the order of their ids unless there is `sort`. Without it, GitHub ignores
  /// `direction`.
  func commentList(
    _ repository: LoopbackRepository, _ store: IssueStore
  ) -> LoopbackResponse {
    let sort = request.queryValue("sort").flatMap(CommentBook.Sort.init(rawValue:))
    let since = request.queryValue("since")
    guard since == nil || since.flatMap(Timestamp.seconds) != nil else {
      return GitHubError.unprocessable("Validation Failed").response(now: now)
    }
    if since.flatMap(Timestamp.seconds) == 0 { return tagged("[]") }
    let pages = NumberedPages(request.query)
    let isAscending = sort == nil || request.queryValue("direction") == "asc"
    let page = store.update {
      $0.comments(
        pages, by: sort ?? .created, isAscending: isAscending,
        since: since.flatMap(Timestamp.seconds))
    }
    var response = LoopbackResponse.json(
      JSONText.array(
        page.comments.map { json.comment($0.comment, of: $0.issue, in: repository) }))
    if isTooHeavy(response.body.count) { return GitHubError.badGateway.response(now: now) }
    let url = "\(json.root)/repositories/\(repository.id)/issues/comments"
    if let link = pages.link(of: page.total, at: url) { response.headers.add("Link", link) }
    return conditional(response, content: StableHash.of(response.body))
  }

  /// The labels of a repository: <https://docs.github.com/en/rest/issues/labels#list-labels-for-a-repository>.
  func labelList(_ repository: LoopbackRepository, _ store: IssueStore) -> LoopbackResponse {
    let labels = store.read(\.labels)
    return numberedPages(
      of: labels.count, at: "/repositories/\(repository.id)/labels"
    ) { range in labels[range].map { json.label($0, api: api(repository)) } }
  }

  /// The milestones of a repository: <https://docs.github.com/en/rest/issues/milestones#list-milestones>.
  func milestoneList(_ repository: LoopbackRepository, _ store: IssueStore) -> LoopbackResponse {
    let state = request.queryValue("state") ?? "open"
    let milestones = store.read(\.milestones).filter { milestone in
      state == "all" || state == (milestone.isOpen ? "open" : "closed")
    }
    return numberedPages(
      of: milestones.count, at: "/repositories/\(repository.id)/milestones"
    ) { range in milestones[range].map { json.milestone($0, api: api(repository)) } }
  }

  func api(_ repository: LoopbackRepository) -> String {
    "\(json.root)/repos/\(repository.fullName)"
  }

  /// One page of a numbered list, with links to its neighbours and its ends.
  func numberedPages(
    of total: Int, at path: String, _ render: (Range<Int>) -> [String]
  ) -> LoopbackResponse {
    let pages = NumberedPages(request.query)
    var response = LoopbackResponse.json(JSONText.array(render(pages.window(of: total))))
    if let link = pages.link(of: total, at: json.root + path) {
      response.headers.add("Link", link)
    }
    return conditional(response, content: StableHash.of(response.body))
  }
}
