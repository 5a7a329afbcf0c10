public import HTTPTargets
public import PlatformModules

/// The endpoints of GitHub's REST API (<https://docs.github.com/en/rest>) in this package. Writes take a token.
///
/// ``RepositoryName`` and ``Username`` read the names in paths. An invalid name, or an issue number below 1,
/// fails before anything is sent. Lists have `pageSize` (1–100) entries at a time; numbered pages start at 1.
public enum GitHub: TargetType, Hashable {
  /// A user or an organization: `GET /users/{username}`.
  case userProfile(username: String)
  /// The token's user: `GET /user`. It takes a token.
  case ownProfile
  /// The public repositories of a user, sorted by full name: `GET /users/{username}/repos`.
  case repos(username: String, pageSize: Int = 30)
  /// The repositories that the token's user owns or takes part in, the last pushed to first: `GET /user/repos`.
  case ownRepositories(pageSize: Int = 30)
  /// The repositories of an organization that the token can see, sorted by full name: `GET /orgs/{org}/repos`
  /// (<https://docs.github.com/en/rest/repos/repos#list-organization-repositories>). 404 for a user.
  case organizationRepositories(organization: String, pageSize: Int = 30)
  /// The repositories that the token's user has starred, the last starred first: `GET /user/starred`
  /// (<https://docs.github.com/en/rest/activity/starring#list-repositories-starred-by-the-authenticated-user>).
  case starredRepositories(pageSize: Int = 30)
  /// The notifications of the token's user, the last changed first: `GET /notifications`, or
  /// `GET /repos/{owner}/{repo}/notifications`; up to 50 at a time. Only classic tokens may
  /// (<https://docs.github.com/en/rest/activity/notifications>).
  case notifications(
    repositoryFullName: String? = nil, includesRead: Bool = false, isParticipating: Bool = false,
    since: Date? = nil, pageSize: Int = 50)
  /// A repository by its `owner/name`: `GET /repos/{owner}/{repo}`.
  case repo(fullName: String)
  /// The issues of a repository, pull requests included: `GET /repos/{owner}/{repo}/issues`.
  case issues(repositoryFullName: String, filter: IssueFilter = IssueFilter(), pageSize: Int = 30)
  /// The issues that concern the token's user, in all repositories that the user owns or belongs to, pull requests
  /// included: `GET /issues`. It takes a token, and only the ``IssueFilter/crossQueryItems`` of the filter. Decode
  /// ``LocatedIssue``. (`GET /user/issues` is the part of it without organizations.)
  case concerningIssues(
    involvement: Involvement = .assigned, filter: IssueFilter = IssueFilter(), pageSize: Int = 30)
  /// The same in one organization: `GET /orgs/{org}/issues`. It lists all issues of the organization only with
  /// ``Involvement/all``, and only issues that the token's user can see as a member.
  case organizationIssues(
    organization: String, involvement: Involvement = .assigned,
    filter: IssueFilter = IssueFilter(), pageSize: Int = 30)
  /// An issue, or the pull request with that number: `GET /repos/{owner}/{repo}/issues/{number}`.
  case issue(repositoryFullName: String, number: Int)
  /// All milestones of a repository, open and closed: `GET /repos/{owner}/{repo}/milestones`.
  case milestones(repositoryFullName: String, page: Int = 1, pageSize: Int = 30)
  /// A milestone: `GET /repos/{owner}/{repo}/milestones/{milestone_number}`.
  case milestone(repositoryFullName: String, number: Int)
  /// The labels of a repository: `GET /repos/{owner}/{repo}/labels`.
  case labels(repositoryFullName: String, page: Int = 1, pageSize: Int = 30)
  /// A label by its name, in any case: `GET /repos/{owner}/{repo}/labels/{name}`.
  case label(repositoryFullName: String, name: String)
  /// The people to whom issues can be assigned: `GET /repos/{owner}/{repo}/assignees`.
  case assignees(repositoryFullName: String, page: Int = 1, pageSize: Int = 30)
  /// The comments on an issue, the oldest first: `GET /repos/{owner}/{repo}/issues/{number}/comments`. `since`
  /// works as in ``repositoryComments(repositoryFullName:since:pageSize:)``.
  case issueComments(
    repositoryFullName: String, number: Int, since: Date? = nil, pageSize: Int = 30)
  /// The direct sub-issues of an issue, in their order: `GET /repos/{owner}/{repo}/issues/{number}/sub_issues`.
  case subIssues(repositoryFullName: String, number: Int, pageSize: Int = 30)
  /// The parent of a sub-issue; 404 without one: `GET /repos/{owner}/{repo}/issues/{number}/parent`.
  case parentIssue(repositoryFullName: String, number: Int)
  /// The issues that block an issue: `GET /repos/{owner}/{repo}/issues/{number}/dependencies/blocked_by`.
  case blockedBy(repositoryFullName: String, number: Int, pageSize: Int = 30)
  /// The issues that an issue blocks: `GET /repos/{owner}/{repo}/issues/{number}/dependencies/blocking`.
  case blocking(repositoryFullName: String, number: Int, pageSize: Int = 30)
  /// The events of an issue, including comments, the oldest first, as ``TimelineEvent``:
  /// `GET /repos/{owner}/{repo}/issues/{number}/timeline`.
  case timeline(repositoryFullName: String, number: Int, pageSize: Int = 30)
  /// The types that a repository's issues can have: `GET /repos/{owner}/{repo}/issue-types`.
  case issueTypes(repositoryFullName: String)
  /// The types of an organization's issues: `GET /orgs/{org}/issue-types`.
  case organizationIssueTypes(organization: String)
  /// The fields that an organization defines for issues, as ``IssueField``: `GET /orgs/{org}/issue-fields`.
  case issueFields(organization: String)
  /// A comment by its id: `GET /repos/{owner}/{repo}/issues/comments/{id}`.
  case comment(repositoryFullName: String, id: Int64)
  /// The comments on all issues and pull requests of a repository, the least recently changed first:
  /// `GET /repos/{owner}/{repo}/issues/comments`
  /// (<https://docs.github.com/en/rest/issues/comments#list-issue-comments-for-a-repository>). `since` leaves out older
  /// ones, as in ``IssueFilter/since``. No list contains deleted comments.
  case repositoryComments(repositoryFullName: String, since: Date? = nil, pageSize: Int = 30)
  /// The repositories that a search finds, best first: `GET /search/repositories`
  /// (<https://docs.github.com/en/rest/search/search#search-repositories>).
  ///
  /// The query consists of words and qualifiers, as in `tetris language:assembly`. GitHub refuses (422) a query
  /// without text, or with more than 256 characters beside its qualifiers; returns at most 1,000 results
  /// (``SearchResults/maximumCount``); and has a separate quota, `search`, of 30 a minute, 10 without a token.
  case searchRepositories(query: String, pageSize: Int = 30)
  /// The issues and pull requests that a search finds, best first: `GET /search/issues`
  /// (<https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests>).
  ///
  /// The query consists of words and qualifiers, as in `crash repo:swiftlang/swift is:issue is:open`, with `AND`,
  /// `OR` and parentheses: in the advanced search `repo:a/b repo:c/d` finds nothing, and `(repo:a/b OR repo:c/d)`
  /// both. Limits and quota are those of ``searchRepositories(query:pageSize:)``.
  case searchIssues(query: String, pageSize: Int = 30)
  /// Determines which numbers are issues or pull requests of a repository, with a GraphQL query for a hundred at a
  /// time. It takes a token (<https://docs.github.com/en/graphql/reference/objects#repository>).
  case presence(repositoryFullName: String, numbers: [Int])
  /// A file with its text, or the entries of a folder, on the default branch:
  /// `GET /repos/{owner}/{repo}/contents/{path}`. An empty path is the root
  /// (<https://docs.github.com/en/rest/repos/contents#get-repository-content>).
  case contents(repositoryFullName: String, path: String)
  /// The state of each quota: `GET /rate_limit`, which doesn't count against any.
  case rateLimit
  /// The next page of a list, at the URL that the server named.
  case page(PageLink)

  /// Creates an issue: `POST /repos/{owner}/{repo}/issues`.
  indirect case createIssue(repositoryFullName: String, issue: NewIssue)
  /// Changes an issue, closes or reopens it: `PATCH /repos/{owner}/{repo}/issues/{number}`.
  indirect case editIssue(repositoryFullName: String, number: Int, edit: IssueEdit)
  /// Locks an issue's conversation: `PUT /repos/{owner}/{repo}/issues/{number}/lock`.
  case lockIssue(repositoryFullName: String, number: Int, reason: LockReason? = nil)
  /// Unlocks an issue's conversation: `DELETE /repos/{owner}/{repo}/issues/{number}/lock`.
  case unlockIssue(repositoryFullName: String, number: Int)
  /// Adds labels, created if missing, and returns the issue's: `POST /repos/{owner}/{repo}/issues/{number}/labels`.
  case addLabels(repositoryFullName: String, number: Int, names: [String])
  /// Removes a label from an issue, and returns the others; 404 if the issue doesn't have it:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/labels/{name}`.
  case removeLabel(repositoryFullName: String, number: Int, name: String)
  /// Adds at most ten assignees to an issue: `POST /repos/{owner}/{repo}/issues/{number}/assignees`.
  case addAssignees(repositoryFullName: String, number: Int, logins: [String])
  /// Removes assignees: `DELETE /repos/{owner}/{repo}/issues/{number}/assignees`, with a body.
  case removeAssignees(repositoryFullName: String, number: Int, logins: [String])
  /// Makes an issue a sub-issue, by its ``Issue/id``, not its number. GitHub answers with the parent, and with 422 if the
  /// sub-issue is one already, here or elsewhere: `POST /repos/{owner}/{repo}/issues/{number}/sub_issues`.
  case addSubIssue(
    repositoryFullName: String, number: Int, subIssueID: Int64, replacesParent: Bool = false)
  /// Makes a sub-issue an issue of its own, by its ``Issue/id``:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/sub_issue`, with a body.
  case removeSubIssue(repositoryFullName: String, number: Int, subIssueID: Int64)
  /// Moves a sub-issue behind another one, each by its ``Issue/id``:
  /// `PATCH /repos/{owner}/{repo}/issues/{number}/sub_issues/priority`.
  case moveSubIssue(repositoryFullName: String, number: Int, subIssueID: Int64, after: Int64)
  /// Makes an issue wait for another one, by that one's ``Issue/id``; 422 if it does already:
  /// `POST /repos/{owner}/{repo}/issues/{number}/dependencies/blocked_by`.
  case addBlockedBy(repositoryFullName: String, number: Int, issueID: Int64)
  /// Makes an issue wait for another one no longer:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/dependencies/blocked_by/{issue_id}`.
  case removeBlockedBy(repositoryFullName: String, number: Int, issueID: Int64)
  /// Sets fields of an issue, at most 25, and leaves its others; needs push access:
  /// `POST /repos/{owner}/{repo}/issues/{number}/issue-field-values`.
  case setFields(repositoryFullName: String, number: Int, values: [NewFieldValue])
  /// Clears a field of an issue, by the field's ``IssueField/id``; 404 if it has no value:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/issue-field-values/{field_id}`.
  case clearField(repositoryFullName: String, number: Int, fieldID: Int64)
  /// Comments, in at most 65,536 characters: `POST /repos/{owner}/{repo}/issues/{number}/comments`.
  case createComment(repositoryFullName: String, number: Int, body: String)
  /// Changes a comment: `PATCH /repos/{owner}/{repo}/issues/comments/{id}`.
  case editComment(repositoryFullName: String, id: Int64, body: String)
  /// Deletes a comment: `DELETE /repos/{owner}/{repo}/issues/comments/{id}`.
  case deleteComment(repositoryFullName: String, id: Int64)
  /// Reacts to an issue (201, or 200 if repeated): `POST /repos/{owner}/{repo}/issues/{number}/reactions`.
  case react(repositoryFullName: String, number: Int, kind: Reactions.Kind)
  /// Takes back one's own reaction to an issue, by its id:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/reactions/{reaction_id}`.
  case removeReaction(repositoryFullName: String, number: Int, reactionID: Int64)
  /// Reacts to a comment: `POST /repos/{owner}/{repo}/issues/comments/{id}/reactions`.
  case reactToComment(repositoryFullName: String, id: Int64, kind: Reactions.Kind)
  /// Creates a label: `POST /repos/{owner}/{repo}/labels`.
  indirect case createLabel(repositoryFullName: String, label: NewLabel)
  /// Changes a label everywhere: `PATCH /repos/{owner}/{repo}/labels/{name}`.
  indirect case editLabel(repositoryFullName: String, name: String, edit: LabelEdit)
  /// Deletes a label, also from every issue: `DELETE /repos/{owner}/{repo}/labels/{name}`.
  case deleteLabel(repositoryFullName: String, name: String)
  /// Creates a milestone: `POST /repos/{owner}/{repo}/milestones`.
  indirect case createMilestone(repositoryFullName: String, milestone: NewMilestone)
  /// Changes a milestone, closes or reopens it: `PATCH /repos/{owner}/{repo}/milestones/{milestone_number}`.
  indirect case editMilestone(repositoryFullName: String, number: Int, edit: MilestoneEdit)
  /// Deletes a milestone, but not its issues: `DELETE /repos/{owner}/{repo}/milestones/{milestone_number}`.
  case deleteMilestone(repositoryFullName: String, number: Int)
  /// Marks a thread of notifications as read (205): `PATCH /notifications/threads/{thread_id}`.
  case markNotificationRead(id: String)
  /// Marks all notifications up to a time as read (205, or 202 if that takes longer): `PUT /notifications`, or
  /// `PUT /repos/{owner}/{repo}/notifications`.
  case markAllNotificationsRead(repositoryFullName: String? = nil, before: Date)
  /// GraphQL's ids of a repository and of one of its issues: a GraphQL query.
  case nodeIDs(repositoryFullName: String, number: Int? = nil)
  /// Deletes, transfers, pins or unpins an issue, or creates one from a template: a GraphQL mutation.
  indirect case mutate(IssueMutation)

  /// The API of github.com, its GraphQL endpoint, or the page itself.
  public var baseURL: String {
    switch self {
    case .page(let link): link.url
    case _ where isGraphQL: GitHubServer.github.graphQLURL
    default: GitHubServer.github.apiURL
    }
  }

  var isPage: Bool { if case .page = self { true } else { false } }

  var isGraphQL: Bool {
    switch self {
    case .presence, .nodeIDs, .mutate: true
    default: false
    }
  }

  /// The method of the endpoint; `POST` for a query of GraphQL.
  public var method: HTTPRequest.Method { write?.method ?? (isGraphQL ? .post : .get) }

  /// Safe for reads, with GraphQL too; once for creations and GraphQL mutations; idempotent for other writes.
  public var idempotency: Idempotency {
    if case .mutate = self { .once } else { write?.idempotency ?? .safe }
  }

  /// The path below the API's URL.
  public var path: URLPath {
    switch self {
    case .userProfile(let username): "users/\(Self.login(username))"
    case .ownProfile: "user"
    case .repos(let username, _): "users/\(Self.login(username))/repos"
    case .ownRepositories: "user/repos"
    case .organizationRepositories(let organization, _): "orgs/\(Self.login(organization))/repos"
    case .starredRepositories: "user/starred"
    case .notifications(let fullName, _, _, _, _): Self.notificationsPath(fullName)
    case .concerningIssues: "issues"
    case .organizationIssues(let organization, _, _, _): "orgs/\(Self.login(organization))/issues"
    case .repo(let fullName): Self.repositoryPath(fullName, "")
    case .issues(let fullName, _, _): Self.repositoryPath(fullName, "/issues")
    case .issue(let fullName, let number): Self.issuePath(fullName, number, "")
    case .milestones(let fullName, _, _): Self.repositoryPath(fullName, "/milestones")
    case .milestone(let fullName, let number): Self.milestonePath(fullName, number)
    case .labels(let fullName, _, _): Self.repositoryPath(fullName, "/labels")
    case .label(let fullName, let name): Self.path(in: fullName, "labels", name)
    case .assignees(let fullName, _, _): Self.repositoryPath(fullName, "/assignees")
    case .issueComments(let fullName, let number, _, _):
      Self.issuePath(fullName, number, "/comments")
    case .subIssues(let fullName, let number, _):
      Self.issuePath(fullName, number, "/sub_issues")
    case .parentIssue(let fullName, let number): Self.issuePath(fullName, number, "/parent")
    case .blockedBy(let fullName, let number, _):
      Self.issuePath(fullName, number, "/dependencies/blocked_by")
    case .blocking(let fullName, let number, _):
      Self.issuePath(fullName, number, "/dependencies/blocking")
    case .timeline(let fullName, let number, _): Self.issuePath(fullName, number, "/timeline")
    case .issueTypes(let fullName): Self.repositoryPath(fullName, "/issue-types")
    case .organizationIssueTypes(let organization):
      "orgs/\(Self.login(organization))/issue-types"
    case .issueFields(let organization): "orgs/\(Self.login(organization))/issue-fields"
    case .comment(let fullName, let id): Self.commentPath(fullName, id)
    case .repositoryComments(let fullName, _, _):
      Self.repositoryPath(fullName, "/issues/comments")
    case .searchRepositories: "search/repositories"
    case .searchIssues: "search/issues"
    case .contents(let fullName, let path): Self.contentsPath(fullName, path)
    case .rateLimit: "rate_limit"
    case .page, .presence, .nodeIDs, .mutate: ""
    default: write?.path ?? ""
    }
  }

  /// The filter and the page size, as a query; the body of a write.
  public var task: HTTPTask {
    switch self {
    case .userProfile, .ownProfile, .repo, .issue, .milestone, .label, .comment, .contents,
      .parentIssue, .issueTypes, .organizationIssueTypes, .issueFields, .rateLimit, .page:
      .plain
    case .repos(_, let pageSize), .starredRepositories(let pageSize):
      .query([QueryItem("per_page", pageSize)])
    case .notifications(_, let includesRead, let isParticipating, let since, let pageSize):
      .query(
        (includesRead ? [QueryItem("all", "true")] : [])
          + (isParticipating ? [QueryItem("participating", "true")] : [])
          + Self.changed(since: since) + [QueryItem("per_page", pageSize)])
    case .organizationRepositories(_, let pageSize):
      .query([QueryItem("sort", "full_name"), QueryItem("per_page", pageSize)])
    case .subIssues(_, _, let pageSize), .blockedBy(_, _, let pageSize),
      .blocking(_, _, let pageSize), .timeline(_, _, let pageSize):
      .query([QueryItem("per_page", pageSize)])
    case .issueComments(_, _, let since, let pageSize):
      .query(Self.changed(since: since) + [QueryItem("per_page", pageSize)])
    case .ownRepositories(let pageSize):
      .query([QueryItem("sort", "pushed"), QueryItem("per_page", pageSize)])
    case .milestones(_, let page, let pageSize):
      .query([QueryItem("state", "all")] + Self.numbered(page, pageSize))
    case .labels(_, let page, let pageSize), .assignees(_, let page, let pageSize):
      .query(Self.numbered(page, pageSize))
    case .repositoryComments(_, let since, let pageSize):
      .query(
        [QueryItem("sort", "updated"), QueryItem("direction", "asc")]
          + Self.changed(since: since) + [QueryItem("per_page", pageSize)])
    case .searchRepositories(let query, let pageSize):
      .query([QueryItem("q", query), QueryItem("per_page", pageSize)])
    case .searchIssues(let query, let pageSize):
      .query([
        QueryItem("q", query), QueryItem("advanced_search", "true"),
        QueryItem("per_page", pageSize),
      ])
    case .issues(_, let filter, let pageSize):
      .query(
        filter.queryItems.map { QueryItem($0.name, $0.value) } + [QueryItem("per_page", pageSize)])
    case .concerningIssues(let involvement, let filter, let pageSize),
      .organizationIssues(_, let involvement, let filter, let pageSize):
      .query(
        [QueryItem("filter", involvement.rawValue)]
          + filter.crossQueryItems.map { QueryItem($0.name, $0.value) }
          + [QueryItem("per_page", pageSize)])
    case .presence(let fullName, let numbers):
      .json(GraphQLQuery.presence(of: numbers, in: fullName))
    case .nodeIDs(let fullName, let number):
      .json(GraphQLQuery.nodeIDs(of: number, in: fullName))
    case .mutate(let mutation): .json(GraphQLQuery(mutation))
    default: write?.task ?? .plain
    }
  }

  /// The header fields that GitHub requires: the media type, the API's version, and the user agent
  /// (<https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api>).
  public var headers: HTTPFields {
    [
      .accept: "application/vnd.github+json",
      .gitHubAPIVersion: "2022-11-28",
      .userAgent: "issue-tracker-client/\(PackageVersion.current)",
    ]
  }

  /// A bearer token, if there is one.
  public var authorization: AuthorizationType { .bearer }

  // A path with an empty value can't be requested.

  private static func login(_ username: String) -> String { Username(username)?.login ?? "" }

  static func repositoryPath(_ fullName: String, _ tail: String) -> URLPath {
    let name = RepositoryName(fullName)
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")\(raw: tail)"
  }

  static func path(in fullName: String, _ list: String, _ element: String) -> URLPath {
    let name = RepositoryName(fullName)
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")/\(raw: list)/\(element)"
  }

  /// Each part of the path is a segment.
  private static func contentsPath(_ fullName: String, _ path: String) -> URLPath {
    let name = RepositoryName(fullName)
    var segments = URLPath.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    for part in path.split(separator: "/") {
      segments.appendLiteral("/")
      segments.appendInterpolation(String(part))
    }
    let tail = URLPath(stringInterpolation: segments).encoded
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")/contents\(raw: tail)"
  }

  private static func numbered(_ page: Int, _ pageSize: Int) -> [QueryItem] {
    [QueryItem("per_page", pageSize)] + (page > 1 ? [QueryItem("page", page)] : [])
  }

  private static func changed(since date: Date?) -> [QueryItem] {
    date.flatMap(Timestamp.since).map { [QueryItem("since", $0)] } ?? []
  }

  /// Milestones are numbered from 1.
  static func milestonePath(_ fullName: String, _ number: Int) -> URLPath {
    path(in: fullName, "milestones", number > 0 ? "\(number)" : "")
  }

  /// Issues are numbered from 1.
  static func issuePath(_ fullName: String, _ number: Int, _ tail: String) -> URLPath {
    let name = RepositoryName(fullName)
    let number = number > 0 ? "\(number)" : ""
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")/issues/\(number)\(raw: tail)"
  }

  static func issuePath(
    _ fullName: String, _ number: Int, _ list: String, _ element: String
  ) -> URLPath {
    let name = RepositoryName(fullName)
    let number = number > 0 ? "\(number)" : ""
    return
      "repos/\(name?.owner ?? "")/\(name?.name ?? "")/issues/\(number)\(raw: list)\(element)"
  }
}

extension HTTPField.Name {
  static let link = HTTPField.Name("Link").known
  static let gitHubAPIVersion = HTTPField.Name("X-GitHub-Api-Version").known
}

struct GraphQLQuery: Encodable, Sendable {
  let query: String
  let variables: [String: String]

  /// The type of each number; null, with an error of type `NOT_FOUND`, for neither an issue nor a pull request.
  static func presence(of numbers: [Int], in fullName: String) -> GraphQLQuery {
    let name = RepositoryName(fullName)
    let fields = numbers.map { "n\($0):issueOrPullRequest(number:\($0)){__typename}" }
    return GraphQLQuery(
      query: """
        query($owner:String!,$repo:String!){repository(owner:$owner,name:$repo)\
        {databaseId \(fields.joined(separator: " "))}}
        """,
      variables: ["owner": name?.owner ?? "", "repo": name?.name ?? ""])
  }
}

extension HTTPField.Name? {
  /// For literals in this package.
  var known: HTTPField.Name {
    guard let self else { preconditionFailure("not a field name") }
    return self
  }
}
