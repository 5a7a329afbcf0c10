public import HTTPTargets
public import PlatformModules

/// The endpoints of GitHub's REST API (<https://docs.github.com/en/rest>) in this package. Writes require a token.
///
/// ``RepositoryName`` and ``Username`` parse the names in paths. A call with an invalid name, or with an issue number
/// below 1, fails before the request is sent. Pages of lists have `pageSize` (1–100) entries. Page numbers start at 1.
public enum GitHub: TargetType, Hashable {
  /// A user or an organization: `GET /users/{username}`.
  case userProfile(username: String)
  /// The token's user: `GET /user`. A token is required.
  case ownProfile
  /// The public repositories of a user, sorted by full name: `GET /users/{username}/repos`.
  case repos(username: String, pageSize: Int = 30)
  /// The repositories that the token's user owns, collaborates on or can access as a member of an organization, most
  /// recently pushed first: `GET /user/repos`.
  case ownRepositories(pageSize: Int = 30)
  /// The repositories of an organization that the token can see, sorted by full name: `GET /orgs/{org}/repos`
  /// (<https://docs.github.com/en/rest/repos/repos#list-organization-repositories>). The status is 404 for a user.
  case organizationRepositories(organization: String, pageSize: Int = 30)
  /// The repositories that the token's user has starred, most recently starred first: `GET /user/starred`
  /// (<https://docs.github.com/en/rest/activity/starring#list-repositories-starred-by-the-authenticated-user>).
  case starredRepositories(pageSize: Int = 30)
  /// The notifications of the token's user, most recently changed first: `GET /notifications` or
  /// `GET /repos/{owner}/{repo}/notifications`. A page has up to 50 entries. A classic token is required
  /// (<https://docs.github.com/en/rest/activity/notifications>).
  case notifications(
    repositoryFullName: String? = nil, includesRead: Bool = false, isParticipating: Bool = false,
    since: Date? = nil, pageSize: Int = 50)
  /// A repository by its `owner/name`: `GET /repos/{owner}/{repo}`.
  case repo(fullName: String)
  /// The issues of a repository, including pull requests: `GET /repos/{owner}/{repo}/issues`.
  case issues(repositoryFullName: String, filter: IssueFilter = IssueFilter(), pageSize: Int = 30)
  /// The issues that concern the token's user in all repositories that the user owns or belongs to, including pull
  /// requests: `GET /issues`. A token is required. The server applies only the ``IssueFilter/crossQueryItems`` of the
  /// filter. Decode ``LocatedIssue``. (`GET /user/issues` returns the subset without organizations.)
  case concerningIssues(
    involvement: Involvement = .assigned, filter: IssueFilter = IssueFilter(), pageSize: Int = 30)
  /// The issues that concern the token's user in one organization: `GET /orgs/{org}/issues`. The list contains only
  /// issues that the user can see as a member. With ``Involvement/all``, it contains all of these.
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
  /// The labels of an organization, which its repositories can use on Forgejo and Gitea: `GET /orgs/{org}/labels`.
  case organizationLabels(organization: String, page: Int = 1, pageSize: Int = 50)
  /// The users to whom issues can be assigned: `GET /repos/{owner}/{repo}/assignees`.
  case assignees(repositoryFullName: String, page: Int = 1, pageSize: Int = 30)
  /// The comments on an issue, oldest first: `GET /repos/{owner}/{repo}/issues/{number}/comments`. `since` works as in
  /// ``repositoryComments(repositoryFullName:since:pageSize:)``.
  case issueComments(
    repositoryFullName: String, number: Int, since: Date? = nil, pageSize: Int = 30)
  /// The direct sub-issues of an issue, in their order: `GET /repos/{owner}/{repo}/issues/{number}/sub_issues`.
  case subIssues(repositoryFullName: String, number: Int, pageSize: Int = 30)
  /// The parent of a sub-issue, or the status 404 if there is none: `GET /repos/{owner}/{repo}/issues/{number}/parent`.
  case parentIssue(repositoryFullName: String, number: Int)
  /// The issues that block an issue: `GET /repos/{owner}/{repo}/issues/{number}/dependencies/blocked_by`.
  case blockedBy(repositoryFullName: String, number: Int, pageSize: Int = 30)
  /// The issues that an issue blocks: `GET /repos/{owner}/{repo}/issues/{number}/dependencies/blocking`.
  case blocking(repositoryFullName: String, number: Int, pageSize: Int = 30)
  /// The events of an issue as ``TimelineEvent``, including comments, oldest first:
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
  /// The comments on all issues and pull requests of a repository, least recently changed first:
  /// `GET /repos/{owner}/{repo}/issues/comments`
  /// (<https://docs.github.com/en/rest/issues/comments#list-issue-comments-for-a-repository>). `since` omits older
  /// comments, as in ``IssueFilter/since``. Lists don't contain deleted comments.
  case repositoryComments(repositoryFullName: String, since: Date? = nil, pageSize: Int = 30)
  /// The results of a repository search, starting with the best match: `GET /search/repositories`
  /// (<https://docs.github.com/en/rest/search/search#search-repositories>).
  ///
  /// The query consists of words and qualifiers, as in `tetris language:assembly`. GitHub rejects (422) a query without
  /// text, or with more than 256 characters in addition to its qualifiers. It returns at most 1,000 results
  /// (``SearchResults/maximumCount``). The separate quota `search` allows 30 requests per minute, or 10 without a
  /// token.
  case searchRepositories(query: String, pageSize: Int = 30)
  /// The results of a search for issues and pull requests, starting with the best match: `GET /search/issues`
  /// (<https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests>).
  ///
  /// The query consists of words and qualifiers, as in `crash repo:swiftlang/swift is:issue is:open`, and can contain
  /// `AND`, `OR` and parentheses. In the advanced search, `repo:a/b repo:c/d` finds nothing, but
  /// `(repo:a/b OR repo:c/d)` searches both repositories. The limits and the quota are those of
  /// ``searchRepositories(query:pageSize:)``.
  ///
  /// A semantic or hybrid search requires a token, finds only issues, and has a quota of its own, 10 requests per
  /// minute. Words in quotation marks, `OR`, or a query without words make it lexical:
  /// ``SearchResults/outcome`` has the kind that was carried out. Enterprise servers refuse it (403) or ignore `kind`.
  case searchIssues(query: String, kind: IssueSearchKind = .lexical, pageSize: Int = 30)
  /// Determines whether numbers are issues or pull requests of a repository, with a GraphQL query for up to a hundred
  /// numbers. A token is required (<https://docs.github.com/en/graphql/reference/objects#repository>).
  case presence(repositoryFullName: String, numbers: [Int])
  /// A file with its text, or the entries of a folder, on the default branch:
  /// `GET /repos/{owner}/{repo}/contents/{path}`. An empty path is the root
  /// (<https://docs.github.com/en/rest/repos/contents#get-repository-content>).
  case contents(repositoryFullName: String, path: String)
  /// The state of each quota: `GET /rate_limit`. This request doesn't count toward any quota.
  case rateLimit
  /// The next page of a list, at the URL from the server.
  case page(PageLink)

  /// Creates an issue: `POST /repos/{owner}/{repo}/issues`.
  indirect case createIssue(repositoryFullName: String, issue: NewIssue)
  /// Changes an issue, closes or reopens it: `PATCH /repos/{owner}/{repo}/issues/{number}`.
  indirect case editIssue(repositoryFullName: String, number: Int, edit: IssueEdit)
  /// Locks an issue's conversation: `PUT /repos/{owner}/{repo}/issues/{number}/lock`.
  case lockIssue(repositoryFullName: String, number: Int, reason: LockReason? = nil)
  /// Unlocks an issue's conversation: `DELETE /repos/{owner}/{repo}/issues/{number}/lock`.
  case unlockIssue(repositoryFullName: String, number: Int)
  /// Adds labels, which are created if missing, and returns all labels of the issue:
  /// `POST /repos/{owner}/{repo}/issues/{number}/labels`.
  case addLabels(repositoryFullName: String, number: Int, names: [String])
  /// Removes a label from an issue, and returns the other labels:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/labels/{name}`. The status is 404 if the issue doesn't have the
  /// label.
  case removeLabel(repositoryFullName: String, number: Int, name: String)
  /// Adds at most ten assignees to an issue: `POST /repos/{owner}/{repo}/issues/{number}/assignees`.
  case addAssignees(repositoryFullName: String, number: Int, logins: [String])
  /// Removes assignees: `DELETE /repos/{owner}/{repo}/issues/{number}/assignees`, with a body.
  case removeAssignees(repositoryFullName: String, number: Int, logins: [String])
  /// Makes an issue a sub-issue: `POST /repos/{owner}/{repo}/issues/{number}/sub_issues`. It is identified by its
  /// ``Issue/id``, not its number. The response is the parent, or the status 422 if the issue is already a sub-issue of
  /// any issue.
  case addSubIssue(
    repositoryFullName: String, number: Int, subIssueID: Int64, replacesParent: Bool = false)
  /// Removes a sub-issue, identified by its ``Issue/id``, from its parent:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/sub_issue`, with a body.
  case removeSubIssue(repositoryFullName: String, number: Int, subIssueID: Int64)
  /// Moves a sub-issue before or after another one:
  /// `PATCH /repos/{owner}/{repo}/issues/{number}/sub_issues/priority`. Both are identified by their ``Issue/id``.
  case moveSubIssue(
    repositoryFullName: String, number: Int, subIssueID: Int64, to: SubIssuePosition)
  /// Marks an issue as blocked by another one: `POST /repos/{owner}/{repo}/issues/{number}/dependencies/blocked_by`.
  /// The other issue is identified by its ``Issue/id``. The status is 422 if the issue is already marked.
  case addBlockedBy(repositoryFullName: String, number: Int, issueID: Int64)
  /// Unmarks an issue as blocked by another one:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/dependencies/blocked_by/{issue_id}`.
  case removeBlockedBy(repositoryFullName: String, number: Int, issueID: Int64)
  /// Marks an issue as blocked by another one, on Forgejo and Gitea:
  /// `POST /repos/{owner}/{repo}/issues/{number}/dependencies`.
  indirect case addDependency(repositoryFullName: String, number: Int, on: IssuePlace)
  /// Unmarks an issue as blocked by another one, on Forgejo and Gitea:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/dependencies`, with a body.
  indirect case removeDependency(repositoryFullName: String, number: Int, on: IssuePlace)
  /// Permanently deletes an issue, on Forgejo and Gitea: `DELETE /repos/{owner}/{repo}/issues/{number}`. Only
  /// administrators may do this. For GitHub, see ``IssueMutation/delete(issueID:)``.
  case deleteIssue(repositoryFullName: String, number: Int)
  /// Pins an issue, on Forgejo and Gitea: `POST /repos/{owner}/{repo}/issues/{number}/pin`. For GitHub, see
  /// ``IssueMutation/pin(issueID:)``.
  case pinIssue(repositoryFullName: String, number: Int)
  /// Unpins an issue, on Forgejo and Gitea: `DELETE /repos/{owner}/{repo}/issues/{number}/pin`.
  case unpinIssue(repositoryFullName: String, number: Int)
  /// Sets up to 25 fields of an issue, and keeps its other fields:
  /// `POST /repos/{owner}/{repo}/issues/{number}/issue-field-values`. Push access is required.
  case setFields(repositoryFullName: String, number: Int, values: [NewFieldValue])
  /// Clears a field of an issue: `DELETE /repos/{owner}/{repo}/issues/{number}/issue-field-values/{field_id}`. The
  /// field is identified by its ``IssueField/id``. The status is 404 if it has no value.
  case clearField(repositoryFullName: String, number: Int, fieldID: Int64)
  /// Adds a comment of at most 65,536 characters: `POST /repos/{owner}/{repo}/issues/{number}/comments`.
  case createComment(repositoryFullName: String, number: Int, body: String)
  /// Changes a comment: `PATCH /repos/{owner}/{repo}/issues/comments/{id}`.
  case editComment(repositoryFullName: String, id: Int64, body: String)
  /// Deletes a comment: `DELETE /repos/{owner}/{repo}/issues/comments/{id}`.
  case deleteComment(repositoryFullName: String, id: Int64)
  /// Reacts to an issue: `POST /repos/{owner}/{repo}/issues/{number}/reactions`. The status is 201, or 200 if the
  /// reaction already exists.
  case react(repositoryFullName: String, number: Int, kind: Reactions.Kind)
  /// Removes a reaction of the token's user from an issue:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/reactions/{reaction_id}`. The reaction is identified by its ID, and
  /// on Forgejo and Gitea by its kind.
  case removeReaction(
    repositoryFullName: String, number: Int, reactionID: Int64, kind: Reactions.Kind? = nil)
  /// Reacts to a comment: `POST /repos/{owner}/{repo}/issues/comments/{id}/reactions`.
  case reactToComment(repositoryFullName: String, id: Int64, kind: Reactions.Kind)
  /// Removes a reaction of the token's user from a comment:
  /// `DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}`.
  case removeCommentReaction(
    repositoryFullName: String, id: Int64, reactionID: Int64, kind: Reactions.Kind? = nil)
  /// Creates a label: `POST /repos/{owner}/{repo}/labels`.
  indirect case createLabel(repositoryFullName: String, label: NewLabel)
  /// Changes a label everywhere: `PATCH /repos/{owner}/{repo}/labels/{name}`.
  indirect case editLabel(repositoryFullName: String, name: String, edit: LabelEdit)
  /// Deletes a label, and removes it from every issue: `DELETE /repos/{owner}/{repo}/labels/{name}`.
  case deleteLabel(repositoryFullName: String, name: String)
  /// Creates a milestone: `POST /repos/{owner}/{repo}/milestones`.
  indirect case createMilestone(repositoryFullName: String, milestone: NewMilestone)
  /// Changes a milestone, closes or reopens it: `PATCH /repos/{owner}/{repo}/milestones/{milestone_number}`.
  indirect case editMilestone(repositoryFullName: String, number: Int, edit: MilestoneEdit)
  /// Deletes a milestone, but not its issues: `DELETE /repos/{owner}/{repo}/milestones/{milestone_number}`.
  case deleteMilestone(repositoryFullName: String, number: Int)
  /// A thread of notifications: `GET /notifications/threads/{thread_id}`.
  case notification(id: String)
  /// Marks a thread of notifications as read: `PATCH /notifications/threads/{thread_id}`. The status is 205.
  case markNotificationRead(id: String)
  /// Marks a thread of notifications as done, which removes it from the inbox:
  /// `DELETE /notifications/threads/{thread_id}`. The status is 204.
  case markNotificationDone(id: String)
  /// Mutes a thread of notifications until the user comments or is mentioned:
  /// `DELETE /notifications/threads/{thread_id}/subscription`. The status is 204. Users who watch the repository still
  /// receive its notifications.
  case unsubscribeFromNotification(id: String)
  /// Mutes a thread of notifications: `PUT /notifications/threads/{thread_id}/subscription`. The response is the
  /// subscription.
  case muteNotification(id: String)
  /// Marks all notifications up to a time as read: `PUT /notifications` or `PUT /repos/{owner}/{repo}/notifications`.
  /// The status is 205, or 202 if this takes longer.
  case markAllNotificationsRead(repositoryFullName: String? = nil, before: Date)
  /// Uploads a file that a text can refer to: `POST /user-attachments/assets` on ``GitHubServer/uploadURL``. The
  /// response is an ``UploadedAttachment`` with status 201. Each upload has a new address. The repository is identified
  /// by its ``Repository/id``, and write access to it is required; without it, the status is 404. GitHub doesn't
  /// document this endpoint; its own command `gh` uses it since version 2.99.
  case uploadAttachment(repositoryID: Int64, name: String, contentType: String, file: String)
  /// Uploads a file for the texts of an issue, on Forgejo and Gitea:
  /// `POST /repos/{owner}/{repo}/issues/{number}/assets`. The response is an ``UploadedAttachment`` with status 201.
  case uploadAsset(
    repositoryFullName: String, number: Int, name: String, contentType: String, file: String)
  /// The GraphQL IDs of a repository and of one of its issues: a GraphQL query.
  case nodeIDs(repositoryFullName: String, number: Int? = nil)
  /// The linked branches of an issue, the pull requests that close it and, if wanted, its projects: a GraphQL query
  /// (<https://docs.github.com/en/graphql/reference/objects#issue>). Projects require the scope `read:project`: without
  /// it, the server rejects the whole query.
  case development(repositoryFullName: String, number: Int, includesProjects: Bool = false)
  /// A branch of a repository, and the commits at which a new branch can begin: a GraphQL query.
  case branch(repositoryFullName: String, name: String, base: String? = nil)
  /// A project of a user or an organization, its status options, and the owner's other projects: a GraphQL query. The
  /// scope `read:project` is required.
  case project(ProjectReference)
  /// A change that only the GraphQL API supports: a mutation.
  indirect case mutate(IssueMutation)

  /// The URL of github.com's API, of its GraphQL endpoint, or of the page.
  public var baseURL: String {
    switch self {
    case .page(let link): link.url
    case .uploadAttachment: GitHubServer.github.uploadURL ?? ""
    case _ where isGraphQL: GitHubServer.github.graphQLURL
    default: GitHubServer.github.apiURL
    }
  }

  var isPage: Bool { if case .page = self { true } else { false } }

  var isUpload: Bool { if case .uploadAttachment = self { true } else { false } }

  var isGraphQL: Bool {
    switch self {
    case .presence, .nodeIDs, .development, .branch, .project, .mutate: true
    default: false
    }
  }

  /// Whether only Forgejo and Gitea have the endpoint.
  var isOnlyOfGitea: Bool {
    switch self {
    case .organizationLabels, .addDependency, .removeDependency, .deleteIssue, .pinIssue,
      .unpinIssue, .uploadAsset:
      true
    default: false
    }
  }

  /// The method of the endpoint; `POST` for a GraphQL query.
  public var method: HTTPRequest.Method { write?.method ?? (isGraphQL ? .post : .get) }

  /// The token is sent as a bearer token, if there is one. Reads (including GraphQL queries) are safe, creations and
  /// GraphQL mutations may be sent once, and most other writes are idempotent.
  public var policy: TargetPolicy {
    let isMutation = if case .mutate = self { true } else { false }
    return TargetPolicy(
      // A video may take longer than five minutes.
      timeouts: isUpload ? Timeouts(total: nil) : Timeouts(), authorization: .bearer,
      idempotency: isMutation ? .once : write?.idempotency ?? .safe)
  }

  /// The path below the URL of the API.
  public var path: URLPath {
    switch self {
    case .userProfile(let username): "users/\(Self.login(username))"
    case .ownProfile: "user"
    case .repos(let username, _): "users/\(Self.login(username))/repos"
    case .ownRepositories: "user/repos"
    case .organizationRepositories(let organization, _): "orgs/\(Self.login(organization))/repos"
    case .starredRepositories: "user/starred"
    case .notifications(let fullName, _, _, _, _): Self.notificationsPath(fullName)
    case .notification(let id): Self.threadPath(id)
    case .concerningIssues: "issues"
    case .organizationIssues(let organization, _, _, _): "orgs/\(Self.login(organization))/issues"
    case .repo(let fullName): Self.repositoryPath(fullName, "")
    case .issues(let fullName, _, _): Self.repositoryPath(fullName, "/issues")
    case .issue(let fullName, let number): Self.issuePath(fullName, number, "")
    case .milestones(let fullName, _, _): Self.repositoryPath(fullName, "/milestones")
    case .milestone(let fullName, let number): Self.milestonePath(fullName, number)
    case .labels(let fullName, _, _): Self.repositoryPath(fullName, "/labels")
    case .organizationLabels(let organization, _, _): "orgs/\(Self.login(organization))/labels"
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
    case _ where isGraphQL: ""
    case .page: ""
    default: write?.path ?? ""
    }
  }

  /// The filter and the page size as a query, or the body of a write.
  public var task: HTTPTask {
    switch self {
    case .userProfile, .ownProfile, .repo, .issue, .milestone, .label, .comment, .contents,
      .parentIssue, .issueTypes, .organizationIssueTypes, .issueFields, .rateLimit, .page,
      .notification:
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
    case .searchIssues(let query, let kind, let pageSize):
      .query(
        [QueryItem("q", query), QueryItem("advanced_search", "true")]
          + (kind == .lexical ? [] : [QueryItem(RateLimitResource.searchKind, kind.rawValue)])
          + [QueryItem("per_page", pageSize)])
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
    case .development(let fullName, let number, let includesProjects):
      .json(
        GraphQLQuery.development(of: number, in: fullName, includesProjects: includesProjects))
    case .branch(let fullName, let name, let base):
      .json(GraphQLQuery.branch(name, base: base, in: fullName))
    case .project(let project): .json(GraphQLQuery.project(project))
    case .mutate(let mutation): .json(GraphQLQuery(mutation))
    default: write?.task ?? .plain
    }
  }

  /// The header fields that GitHub requires: the media type, the API's version, and the user agent
  /// (<https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api>).
  public var headers: HTTPFields {
    [
      .accept: isUpload ? "application/json" : "application/vnd.github+json",
      .gitHubAPIVersion: "2022-11-28",
      .userAgent: PackageVersion.userAgent,
    ]
  }

  // These functions return an empty value for an invalid name, because a path with an empty value can't be requested.

  private static func login(_ username: String) -> String { Username(username)?.login ?? "" }

  static func repositoryPath(_ fullName: String, _ tail: String) -> URLPath {
    let name = RepositoryName(fullName)
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")\(raw: tail)"
  }

  static func path(in fullName: String, _ list: String, _ element: String) -> URLPath {
    let name = RepositoryName(fullName)
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")/\(raw: list)/\(element)"
  }

  /// Returns the path of a file or folder. Each part becomes one segment.
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

  static func changed(since date: Date?) -> [QueryItem] {
    date.flatMap(Timestamp.since).map { [QueryItem("since", $0)] } ?? []
  }

  /// Returns the path of a milestone. Numbers of milestones start at 1.
  static func milestonePath(_ fullName: String, _ number: Int) -> URLPath {
    path(in: fullName, "milestones", number > 0 ? "\(number)" : "")
  }

  /// Returns the path of an issue. Numbers of issues start at 1.
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

  /// Returns a query for the type of each number. If a number is neither an issue nor a pull request, the result is
  /// null, with an error of the type `NOT_FOUND`.
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
  /// The name itself, for valid literals in this package.
  var known: HTTPField.Name {
    guard let self else { preconditionFailure("not a field name") }
    return self
  }
}
