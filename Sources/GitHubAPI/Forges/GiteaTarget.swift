internal import HTTPTargets
internal import PlatformModules

/// A request to the API of Forgejo and Gitea.
///
/// The paths are GitHub's in most cases. The parameters aren't, and the server ignores unknown ones without an error, so
/// each is translated or refused.
struct GiteaTarget: TargetType {
  let path: URLPath
  private(set) var method = HTTPRequest.Method.get
  private(set) var task = HTTPTask.plain
  let policy: TargetPolicy

  /// The provider's server has its own.
  var baseURL: String { "" }

  /// With GitHub's media type, Forgejo imitates GitHub in a few responses.
  var headers: HTTPFields {
    [.accept: "application/json", .userAgent: PackageVersion.userAgent]
  }

  init(_ target: GitHub, on forge: Forge) throws(NetworkError) {
    if let write = try target.giteaWrite(on: forge) {
      (path, method, task) = (write.path, write.method, write.task)
      let isUpload = if case .uploadAsset = target { true } else { false }
      policy = TargetPolicy(
        timeouts: isUpload ? Timeouts(total: nil) : Timeouts(), authorization: .bearer,
        idempotency: write.idempotency)
    } else {
      (path, task) = try target.giteaRead(on: forge)
      policy = TargetPolicy(authorization: .bearer, idempotency: .safe)
    }
  }
}

extension GitHub {
  fileprivate func giteaRead(
    on forge: Forge
  ) throws(NetworkError) -> (path: URLPath, task: HTTPTask) {
    switch self {
    case .userProfile, .ownProfile, .repo, .issue, .comment, .contents, .notification, .page:
      return (path, .plain)
    case .repos(_, let pageSize), .ownRepositories(let pageSize),
      .organizationRepositories(_, let pageSize), .starredRepositories(let pageSize):
      return (path, .query([QueryItem("limit", pageSize)]))
    case .notifications(_, let includesRead, let isParticipating, let since, let pageSize):
      guard !isParticipating else { throw .lacking(forge, "a filter for participation") }
      return (
        path,
        .query(
          (includesRead ? [QueryItem("all", "true")] : []) + Self.changed(since: since)
            + [QueryItem("limit", pageSize)])
      )
    case .issues(_, let filter, let pageSize):
      return (path, .query(try filter.giteaQuery(on: forge) + [QueryItem("limit", pageSize)]))
    case .concerningIssues(let involvement, let filter, let pageSize):
      return (
        "repos/issues/search",
        .query(
          try involvement.giteaQuery(on: forge) + (try filter.giteaCrossQuery(on: forge))
            + [QueryItem("limit", pageSize)])
      )
    case .organizationIssues(let organization, let involvement, let filter, let pageSize):
      return (
        "repos/issues/search",
        .query(
          [QueryItem("owner", Username(organization)?.login ?? "")]
            + (involvement == .all ? [] : try involvement.giteaQuery(on: forge))
            + (try filter.giteaCrossQuery(on: forge)) + [QueryItem("limit", pageSize)])
      )
    case .milestones(_, let page, let pageSize):
      return (path, .query([QueryItem("state", "all")] + Self.giteaPage(page, pageSize)))
    case .milestone: return (path, .plain)
    case .labels(_, let page, let pageSize), .organizationLabels(_, let page, let pageSize):
      return (path, .query(Self.giteaPage(page, pageSize)))
    case .assignees: return (path, .plain)
    case .label(_, let id):
      guard Int64(id) != nil else {
        throw .lacking(forge, "an endpoint for a label by its name: use its ID")
      }
      return (path, .plain)
    case .issueComments(_, _, let since, _):
      return (path, .query(Self.changed(since: since)))
    case .repositoryComments(_, let since, let pageSize):
      return (path, .query(Self.changed(since: since) + [QueryItem("limit", pageSize)]))
    case .timeline(_, _, let pageSize):
      return (path, .query(Self.giteaPage(1, pageSize)))
    case .blockedBy(let name, let number, let pageSize):
      return (
        Self.issuePath(name, number, "/dependencies"), .query(Self.giteaPage(1, pageSize))
      )
    case .blocking(let name, let number, let pageSize):
      return (Self.issuePath(name, number, "/blocks"), .query(Self.giteaPage(1, pageSize)))
    case .subIssues, .parentIssue: throw .lacking(forge, "sub-issues")
    case .issueTypes, .organizationIssueTypes: throw .lacking(forge, "types of issues")
    case .issueFields: throw .lacking(forge, "fields of issues")
    case .searchRepositories(let query, let pageSize):
      guard !query.contains(":") else {
        throw .lacking(forge, "qualifiers in a search for repositories: use words")
      }
      return (
        "repos/search", .query([QueryItem("q", query), QueryItem("limit", pageSize)])
      )
    case .searchIssues(let query, let kind, let pageSize):
      guard kind == .lexical else { throw .lacking(forge, "a search by meaning") }
      return try Self.giteaSearch(query, pageSize, on: forge)
    case .rateLimit: throw .lacking(forge, "an endpoint for rate limits")
    case .presence: throw .lacking(forge, "GraphQL")
    case .nodeIDs, .development, .branch: throw .lacking(forge, "linked branches")
    case .project: throw .lacking(forge, "GitHub's projects")
    default: throw .lacking(forge, "this endpoint")
    }
  }

  private static func giteaPage(_ page: Int, _ pageSize: Int) -> [QueryItem] {
    [QueryItem("page", page), QueryItem("limit", pageSize)]
  }
}

extension IssueFilter {
  /// The filter as parameters. The server drops unknown names of labels and milestones, and then lists everything, so
  /// ``GiteaAnswers`` compares each page with them.
  func giteaQuery(on forge: Forge) throws(NetworkError) -> [QueryItem] {
    var items = [QueryItem("state", state.rawValue)]
    guard !labels.contains(where: { $0.contains(",") }) else {
      throw .lacking(forge, "filters by labels with a comma")
    }
    if !labels.isEmpty { items.append(QueryItem("labels", labels.joined(separator: ","))) }
    switch assignee {
    case .user(let username): items.append(QueryItem("assigned_by", username.login))
    case .anybody, .nobody: throw .lacking(forge, "a filter for issues with any or no assignee")
    case nil: break
    }
    if let creator { items.append(QueryItem("created_by", creator.login)) }
    if let mentioned { items.append(QueryItem("mentioned_by", mentioned.login)) }
    switch milestone {
    case .title(let title) where title.contains(","):
      throw .lacking(forge, "filters by milestones with a comma")
    case .title(let title): items.append(QueryItem("milestones", title))
    case .number:
      // A milestone whose title is this number would come first.
      throw .lacking(forge, "filters by the ID of a milestone: use its title")
    case .any, .absent: throw .lacking(forge, "a filter for issues with any or no milestone")
    case nil: break
    }
    guard type == nil else { throw .lacking(forge, "types of issues") }
    guard fields.isEmpty else { throw .lacking(forge, "fields of issues") }
    return items + GitHub.changed(since: since) + (try giteaOrder(on: forge))
  }

  /// The order. Gitea has only one, and Forgejo's have names of their own.
  private func giteaOrder(on forge: Forge) throws(NetworkError) -> [QueryItem] {
    if sort == .created, direction == .descending { return [] }
    guard forge == .forgejo else {
      throw .lacking(forge, "another order of issues than the newest first")
    }
    let isAscending = direction == .ascending
    let order =
      switch sort {
      case .created: "oldest"
      case .updated: isAscending ? "leastupdate" : "recentupdate"
      case .comments: isAscending ? "leastcomment" : "mostcomment"
      }
    return [QueryItem("sort", order)]
  }

  /// The parameters of the list over all repositories. It shows issues with any of several labels, so the labels aren't
  /// sent; the caller applies the filter to the response.
  fileprivate func giteaCrossQuery(on forge: Forge) throws(NetworkError) -> [QueryItem] {
    guard sort == .created, direction == .descending else {
      throw .lacking(
        forge, "another order of issues of several repositories than the newest first")
    }
    return [QueryItem("state", state.rawValue)] + GitHub.changed(since: since)
  }
}

extension Involvement {
  fileprivate func giteaQuery(on forge: Forge) throws(NetworkError) -> [QueryItem] {
    switch self {
    case .assigned, .created, .mentioned: return [QueryItem(rawValue, "true")]
    case .subscribed: throw .lacking(forge, "a list of the issues that you are subscribed to")
    case .all: throw .lacking(forge, "a list of all your issues: ask for one relation")
    }
  }
}
