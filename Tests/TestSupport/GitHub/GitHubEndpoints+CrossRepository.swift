/// Lists across repositories, and the repositories of an organization.
///
/// https://docs.github.com/en/rest/issues/issues#list-issues-assigned-to-the-authenticated-user
extension GitHubEndpoints {
  /// An issue in a list of several repositories.
  private struct Entry {
    let place: SortedPlaces.Place
    let issue: SyntheticIssue
    let repository: LoopbackRepository
  }

  /// The issues that concern the token's owner, in all repositories or in an organization's. GitHub answers 404 without
  /// a token.
  ///
  /// - Parameter organization: The organization; nil for all repositories.
  /// - Returns: The answer.
  func crossRepositoryList(of organization: String?) -> LoopbackResponse {
    guard isReading, !isAnonymous else { return notFound }
    let all = github.configuration.repositories.filter { repository in
      organization.map { $0.lowercased() == repository.owner.lowercased() } ?? true
    }
    guard organization == nil || !all.isEmpty else { return notFound }
    if let organization, let refusal = singleSignOnRefusal(of: organization) { return refusal }
    let queries: [IssueQuery]
    do {
      queries = try crossRepositoryQueries()
    } catch {
      return GitHubError.unprocessable(error.message).response(now: now)
    }
    let (shown, withheld) = withoutWithheld(all.filter { $0.hasIssues && isVisible($0) })
    var entries = shown.flatMap { found(by: queries, in: $0) }
    let isAscending = queries[0].ascending
    entries.sort { first, second in
      let (lesser, greater) = isAscending ? (first, second) : (second, first)
      return (lesser.place.key, lesser.repository.id, lesser.issue.number)
        < (greater.place.key, greater.repository.id, greater.issue.number)
    }
    let path = organization.map { "/orgs/\(PercentCoding.encode($0))/issues" } ?? "/issues"
    return numberedPages(of: entries.count, at: path) { range in
      entries[range].map { entry in
        let issue = json.issue(entry.issue, in: entry.repository).dropLast()
        let openIssues = github.store(of: entry.repository).update { $0.page(IssueQuery()).total }
        let repository = json.repository(entry.repository, openIssues: openIssues)
        return "\(issue),\"repository\":\(repository)}"
      }
    }.with { Self.add(withheld, to: &$0) }
  }

  /// The repositories of an organization, in the order of their creation.
  func organizationRepositories(of organization: String) -> LoopbackResponse {
    let users = github.configuration.users.map { $0.lowercased() }
    let own = github.configuration.repositories.filter {
      $0.owner.lowercased() == organization.lowercased() && !users.contains($0.owner.lowercased())
    }
    guard isReading, !own.isEmpty else { return notFound }
    if let refusal = singleSignOnRefusal(of: organization) { return refusal }
    let all = own.filter(isVisible).sorted { $0.id < $1.id }
    return numberedPages(
      of: all.count, at: "/orgs/\(PercentCoding.encode(organization))/repos"
    ) { range in
      all[range].map { repository in
        json.repository(
          repository,
          openIssues: github.store(of: repository).update { $0.page(IssueQuery()).total })
      }
    }
  }

  /// The queries whose results together are the list: the issues that the owner wrote, is assigned to or is
  /// mentioned in.
  private func crossRepositoryQueries() throws(IssueQuery.Invalid) -> [IssueQuery] {
    var query = try IssueQuery(
      request.query.filter {
        ["state", "labels", "since", "sort", "direction"].contains($0.name)
      }, hasCursors: false)
    query.perPage = 1_000_000
    let roles: [WritableKeyPath<IssueQuery, String?>]
    switch request.queryValue("filter") ?? "assigned" {
    case "assigned": roles = [\.assignee]
    case "created": roles = [\.creator]
    case "mentioned": roles = [\.mentioned]
    case "subscribed": roles = [\.assignee, \.creator, \.mentioned]
    case "repos", "all": return [query]
    default: throw IssueQuery.Invalid(message: "Validation Failed")
    }
    return roles.map { role in
      var query = query
      query[keyPath: role] = login
      return query
    }
  }

  private func found(by queries: [IssueQuery], in repository: LoopbackRepository) -> [Entry] {
    var known: Set<Int> = []
    return queries.flatMap { query in
      github.store(of: repository).update { $0.page(query) }.issues.compactMap { issue in
        guard let place = query.place(of: issue), known.insert(issue.number).inserted else {
          return nil
        }
        return Entry(place: place, issue: issue, repository: repository)
      }
    }
  }

  // MARK: Single sign-on

  /// An organization's refusal of a classic token that isn't authorised for it.
  func singleSignOnRefusal(of owner: String) -> LoopbackResponse? {
    guard !isAnonymous, github.configuration.singleSignOn[owner.lowercased()] != nil else {
      return nil
    }
    return .json(
      """
      {"message":"Resource protected by organization SAML enforcement. You must grant your \
      Personal Access token access to this organization.","documentation_url":"https://docs.github.com\
      /articles/authenticating-to-a-github-organization-with-saml-single-sign-on/","status":"403"}
      """, status: 403,
      headers: [
        "X-GitHub-SSO":
          "required; url=https://github.com/orgs/\(owner)/sso?authorization_request=AB"
      ])
  }

  /// The repositories that single sign-on leaves, and the ids of the organizations that it withholds.
  func withoutWithheld(
    _ repositories: [LoopbackRepository]
  ) -> (shown: [LoopbackRepository], withheld: [Int]) {
    let protected = isAnonymous ? [:] : github.configuration.singleSignOn
    let shown = repositories.filter { protected[$0.owner.lowercased()] == nil }
    let withheld = Set(repositories.compactMap { protected[$0.owner.lowercased()] })
    return (shown, withheld.sorted())
  }

  static func add(_ withheld: [Int], to response: inout LoopbackResponse) {
    guard !withheld.isEmpty else { return }
    let ids = withheld.map(String.init).joined(separator: ",")
    response.headers["X-GitHub-SSO"] = "partial-results; organizations=\(ids)"
  }
}

extension LoopbackRepository {
  /// The repositories of an organization, `NAME/repo-1` and so on. Their newest issues are ten minutes apart, the first
  /// repository's last.
  public static func organization(
    _ name: String, repositories count: Int,
    issues: SyntheticIssues = SyntheticIssues(count: 20)
  ) -> [LoopbackRepository] {
    (0..<max(count, 0)).map { index in
      var recipe = issues
      recipe.newest -= index * 600
      return LoopbackRepository(
        id: 5_000_001 + index, owner: name, name: "repo-\(index + 1)", issues: recipe)
    }
  }
}

extension SyntheticIssue {
  /// The logins asked to review it: one for each open pull request.
  var reviewers: [String] {
    guard isPullRequest, isOpen else { return [] }
    return [SyntheticIssues.logins[number % 4]]
  }
}
