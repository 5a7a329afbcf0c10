/// Searches, and lists of repositories.
extension ForgejoEndpoints {
  var visibleRepositories: [LoopbackRepository] {
    configuration.repositories.filter { !$0.isPrivate || token != nil }
  }

  /// The repositories of the token's owner.
  var ownRepositories: [LoopbackRepository] {
    visibleRepositories.filter { $0.owner.lowercased() == login.lowercased() }
  }

  // MARK: Owners

  /// Answers a request below `/users`.
  func user(_ parts: [String]) throws(ForgejoRefusal) -> LoopbackResponse {
    try requireUser(parts[0])
    if parts.count == 1 { return answer(json.user(parts[0])) }
    guard parts.dropFirst() == ["repos"] else { throw .noRoute }
    let own = visibleRepositories.filter { $0.owner.lowercased() == parts[0].lowercased() }
    let invented = (0..<max(configuration.repositoriesPerUser - own.count, 0)).map { index in
      LoopbackRepository(
        id: 2_000_000 + index, owner: parts[0], name: "project-\(index + 1)",
        issues: SyntheticIssues(count: 0))
    }
    let all =
      own.map(repository)
      + invented.map { json.repository($0, openIssues: 0, openPullRequests: 0) }
    return list(all, at: "/users/\(PercentCoding.encode(parts[0]))/repos")
  }

  /// The repositories of an organization.
  func organization(_ name: String) throws(ForgejoRefusal) -> LoopbackResponse {
    let isUser = configuration.users.contains { $0.lowercased() == name.lowercased() }
    let all = configuration.repositories.filter { $0.owner.lowercased() == name.lowercased() }
    guard !all.isEmpty, !isUser else { throw .notFound }
    return list(
      all.filter { !$0.isPrivate || token != nil }.map(repository),
      at: "/orgs/\(PercentCoding.encode(name))/repos")
  }

  /// The labels of an organization.
  func organizationLabels(of name: String) throws(ForgejoRefusal) -> LoopbackResponse {
    let isUser = configuration.users.contains { $0.lowercased() == name.lowercased() }
    let owned = configuration.repositories.first { $0.owner.lowercased() == name.lowercased() }
    guard let owned, !isUser else { throw .notFound }
    let labels = github.store(of: owned).read(\.labels).filter {
      configuration.organizationLabels.contains($0.name)
    }
    return list(labels.map { json.label($0, api: "\(json.api)/orgs/\(name)") })
  }

  /// The repositories whose names contain a text.
  func repositorySearch() throws(ForgejoRefusal) -> LoopbackResponse {
    let sort = request.queryValue("sort") ?? ""
    let sorts = ["", "alpha", "created", "updated", "size", "git_size", "lfs_size", "id", "stars"]
    guard sorts.contains(sort) || sort == "forks" else {
      throw ForgejoRefusal(422, "Invalid sort mode: \"\(sort)\"")
    }
    let text = request.queryValue("q")?.lowercased() ?? ""
    let found = visibleRepositories.filter {
      text.isEmpty || $0.fullName.lowercased().contains(text)
    }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    let items = found[pages.window(of: found.count)].map(repository)
    return counted(
      answer("{\"ok\":true,\"data\":\(JSONText.array(items))}"), found.count, pages,
      at: "/repos/search")
  }

  // MARK: Issues

  /// The issues of all repositories. Several relations to the token's owner must all be true.
  func issueSearch() throws(ForgejoRefusal) -> LoopbackResponse {
    let owner = request.queryValue("owner") ?? ""
    var repositories = visibleRepositories.filter(\.hasIssues)
    if !owner.isEmpty {
      repositories.removeAll { $0.owner.lowercased() != owner.lowercased() }
      let isKnown = configuration.repositories.contains {
        $0.owner.lowercased() == owner.lowercased()
      }
      guard isKnown || !isMissing(owner) else {
        throw ForgejoRefusal(400, "user does not exist [uid: 0, name: \(owner)]")
      }
    }
    var found: [(issue: SyntheticIssue, repository: LoopbackRepository)] = []
    for repository in repositories {
      let store = indexed(repository)
      let place = WritePlace(repository: repository, store: store, path: [])
      var query = try issueQuery(of: place)
      if token != nil {
        for (name, field) in [
          ("created", \IssueQuery.creator), ("assigned", \.assignee), ("mentioned", \.mentioned),
        ] where ["true", "1"].contains(request.queryValue(name)) {
          query[keyPath: field] = login
        }
      }
      if !values("labels").isEmpty { query.anyLabels = values("labels") }
      if !values("milestones").isEmpty, query.milestones == nil { query.milestones = [] }
      query.perPage = 1_000_000
      found += store.update { $0.page(query) }.issues.map { ($0, repository) }
    }
    found.removeAll { configuration.unlisted.contains($0.issue.number) }
    found.sort { first, second in
      (first.issue.createdAt, first.repository.id, first.issue.number)
        > (second.issue.createdAt, second.repository.id, second.issue.number)
    }
    let pages = ForgejoPages(
      request.query, maximum: configuration.maximumPage,
      usual: isForgejo ? 20 : configuration.defaultPage)
    let items = found[pages.window(of: found.count)].map { json.issue($0.issue, in: $0.repository) }
    return counted(
      answer(JSONText.array(items)), found.count, pages, at: "/repos/issues/search")
  }

  private func isMissing(_ login: String) -> Bool {
    configuration.missingUsers.contains { $0.lowercased() == login.lowercased() }
  }
}
