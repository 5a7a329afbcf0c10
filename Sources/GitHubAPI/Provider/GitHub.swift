public import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The endpoints of GitHub's REST API that this package asks.
///
/// Those that write take a token. The bodies of requests leave out what is nil.
///
/// Names go into the path as ``RepositoryName`` and ``Username`` read them. Invalid names, and issue numbers
/// below 1, give a path without them, which fails before anything is sent. See
/// <https://docs.github.com/en/rest>.
public enum GitHub: TargetType, Hashable {
  /// A user or an organisation: `GET /users/{username}`.
  case userProfile(username: String)
  /// The user that the token belongs to: `GET /user`. It takes a token.
  case ownProfile
  /// The public repositories of a user, `pageSize` (1–100) at a time, sorted by full name:
  /// `GET /users/{username}/repos`.
  case repos(username: String, pageSize: Int = 30)
  /// The repositories that the token's user owns or takes part in, private ones included, `pageSize` (1–100)
  /// at a time, the last pushed to first: `GET /user/repos`. It takes a token.
  case ownRepositories(pageSize: Int = 30)
  /// A repository by its `owner/name`: `GET /repos/{owner}/{repo}`.
  case repo(fullName: String)
  /// The issues of a repository, pull requests included, `pageSize` (1–100) at a time:
  /// `GET /repos/{owner}/{repo}/issues`.
  case issues(repositoryFullName: String, filter: IssueFilter = IssueFilter(), pageSize: Int = 30)
  /// An issue, or the pull request with that number: `GET /repos/{owner}/{repo}/issues/{number}`.
  case issue(repositoryFullName: String, number: Int)
  /// The milestones of a repository, open and closed, `pageSize` (1–100) at a time, from a page that is numbered
  /// from 1: `GET /repos/{owner}/{repo}/milestones`.
  case milestones(repositoryFullName: String, page: Int = 1, pageSize: Int = 30)
  /// A milestone: `GET /repos/{owner}/{repo}/milestones/{milestone_number}`.
  case milestone(repositoryFullName: String, number: Int)
  /// The labels of a repository, `pageSize` (1–100) at a time, from a page that is numbered from 1:
  /// `GET /repos/{owner}/{repo}/labels`.
  case labels(repositoryFullName: String, page: Int = 1, pageSize: Int = 30)
  /// A label; case doesn't matter in its name: `GET /repos/{owner}/{repo}/labels/{name}`.
  case label(repositoryFullName: String, name: String)
  /// The comments on an issue, the oldest first, `pageSize` (1–100) at a time:
  /// `GET /repos/{owner}/{repo}/issues/{number}/comments`. With `since`, only those that changed at or after that time,
  /// as in ``repositoryComments(repositoryFullName:since:pageSize:)``.
  case issueComments(
    repositoryFullName: String, number: Int, since: Date? = nil, pageSize: Int = 30)
  /// A comment by its id: `GET /repos/{owner}/{repo}/issues/comments/{id}`.
  case comment(repositoryFullName: String, id: Int64)
  /// The comments on all issues and pull requests of a repository, the one that changed longest ago first,
  /// `pageSize` (1–100) at a time: `GET /repos/{owner}/{repo}/issues/comments`.
  ///
  /// With `since`, only those that changed at or after that time, in whole seconds: a fraction is dropped. A time
  /// that isn't after 1970-01-01 is left out, as in ``IssueFilter/since``.
  /// Deleted comments show nowhere. See
  /// <https://docs.github.com/en/rest/issues/comments#list-issue-comments-for-a-repository>.
  case repositoryComments(repositoryFullName: String, since: Date? = nil, pageSize: Int = 30)
  /// The repositories that a search finds, best first, `pageSize` (1–100) at a time:
  /// `GET /search/repositories` (<https://docs.github.com/en/rest/search/search#search-repositories>).
  ///
  /// The query is words and qualifiers, as in `tetris language:assembly`. GitHub answers a query without
  /// text, or with more than 256 characters beside its qualifiers, with 422; gives the first 1,000 results
  /// at most (``SearchResults/maximumCount``); and counts searches against a quota of their own, `search`,
  /// of 30 a minute, or 10 without a token.
  case searchRepositories(query: String, pageSize: Int = 30)
  /// The issues and pull requests that a search finds, best first, `pageSize` (1–100) at a time:
  /// `GET /search/issues`
  /// (<https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests>).
  ///
  /// The query is words and qualifiers, as in `crash repo:swiftlang/swift is:issue is:open`, with `AND`, `OR` and
  /// parentheses: it asks for the advanced search, which reads `repo:a/b repo:c/d` as both at once, where no issue
  /// is, and wants `(repo:a/b OR repo:c/d)`. The bounds are those of ``searchRepositories(query:pageSize:)``, and so
  /// is the quota.
  case searchIssues(query: String, pageSize: Int = 30)
  /// Finds which numbers are issues or pull requests of a repository: a GraphQL query, which takes a token
  /// (<https://docs.github.com/en/graphql/reference/objects#repository>). A hundred numbers take one request.
  case presence(repositoryFullName: String, numbers: [Int])
  /// A file with its text, or the entries of a folder, on the default branch:
  /// `GET /repos/{owner}/{repo}/contents/{path}`. An empty path is the root
  /// (<https://docs.github.com/en/rest/repos/contents#get-repository-content>).
  case contents(repositoryFullName: String, path: String)
  /// The rest of each quota: `GET /rate_limit`, which costs nothing.
  case rateLimit
  /// The next page of a list, at the URL that the server named.
  case page(PageLink)

  /// Creates an issue: `POST /repos/{owner}/{repo}/issues`.
  indirect case createIssue(repositoryFullName: String, issue: NewIssue)
  /// Changes an issue, closes or reopens it: `PATCH /repos/{owner}/{repo}/issues/{number}`.
  indirect case editIssue(repositoryFullName: String, number: Int, edit: IssueEdit)
  /// Locks an issue's conversation, with a reason or none: `PUT /repos/{owner}/{repo}/issues/{number}/lock`.
  case lockIssue(repositoryFullName: String, number: Int, reason: LockReason? = nil)
  /// Unlocks an issue's conversation: `DELETE /repos/{owner}/{repo}/issues/{number}/lock`.
  case unlockIssue(repositoryFullName: String, number: Int)
  /// Adds labels to an issue, and answers with all of its labels:
  /// `POST /repos/{owner}/{repo}/issues/{number}/labels`. GitHub creates a label that the repository hasn't got.
  case addLabels(repositoryFullName: String, number: Int, names: [String])
  /// Removes a label from an issue, and answers with the rest:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/labels/{name}`. The answer for a label that the issue hasn't got
  /// is 404.
  case removeLabel(repositoryFullName: String, number: Int, name: String)
  /// Adds people to those who work on an issue, ten at most:
  /// `POST /repos/{owner}/{repo}/issues/{number}/assignees`.
  case addAssignees(repositoryFullName: String, number: Int, logins: [String])
  /// Removes people from those who work on an issue:
  /// `DELETE /repos/{owner}/{repo}/issues/{number}/assignees`, with a body.
  case removeAssignees(repositoryFullName: String, number: Int, logins: [String])
  /// Comments on an issue, with at most 65,536 characters:
  /// `POST /repos/{owner}/{repo}/issues/{number}/comments`.
  case createComment(repositoryFullName: String, number: Int, body: String)
  /// Changes a comment: `PATCH /repos/{owner}/{repo}/issues/comments/{id}`.
  case editComment(repositoryFullName: String, id: Int64, body: String)
  /// Deletes a comment: `DELETE /repos/{owner}/{repo}/issues/comments/{id}`.
  case deleteComment(repositoryFullName: String, id: Int64)
  /// Reacts to an issue: `POST /repos/{owner}/{repo}/issues/{number}/reactions`. The status is 200 rather than 201
  /// for a reaction that was there.
  case react(repositoryFullName: String, number: Int, kind: Reactions.Kind)
  /// Reacts to a comment: `POST /repos/{owner}/{repo}/issues/comments/{id}/reactions`.
  case reactToComment(repositoryFullName: String, id: Int64, kind: Reactions.Kind)
  /// Creates a label: `POST /repos/{owner}/{repo}/labels`.
  indirect case createLabel(repositoryFullName: String, label: NewLabel)
  /// Changes a label everywhere: `PATCH /repos/{owner}/{repo}/labels/{name}`.
  indirect case editLabel(repositoryFullName: String, name: String, edit: LabelEdit)
  /// Deletes a label, from every issue too: `DELETE /repos/{owner}/{repo}/labels/{name}`.
  case deleteLabel(repositoryFullName: String, name: String)
  /// Creates a milestone: `POST /repos/{owner}/{repo}/milestones`.
  indirect case createMilestone(repositoryFullName: String, milestone: NewMilestone)
  /// Changes a milestone, closes or reopens it: `PATCH /repos/{owner}/{repo}/milestones/{milestone_number}`.
  indirect case editMilestone(repositoryFullName: String, number: Int, edit: MilestoneEdit)
  /// Deletes a milestone; its issues stay: `DELETE /repos/{owner}/{repo}/milestones/{milestone_number}`.
  case deleteMilestone(repositoryFullName: String, number: Int)
  /// The ids by which GraphQL knows a repository and, with a number, one of its issues: a query of GraphQL.
  case nodeIDs(repositoryFullName: String, number: Int? = nil)
  /// Deletes, moves, pins or unpins an issue, or creates one from a template: a mutation of GraphQL.
  indirect case mutate(IssueMutation)

  /// The API of github.com, or the page itself.
  public var baseURL: String {
    switch self {
    case .page(let link): link.url
    default: GitHubServer.github.apiURL
    }
  }

  /// Whether the target names its server itself.
  var isPage: Bool { if case .page = self { true } else { false } }

  /// Whether this is a query or a mutation of GraphQL, which goes to a URL of its own
  /// (``GitHubServer/graphQLURL``).
  var isGraphQL: Bool {
    switch self {
    case .presence, .nodeIDs, .mutate: true
    default: false
    }
  }

  /// The method of the endpoint; `POST` for a query of GraphQL.
  public var method: HTTPRequest.Method { write?.method ?? (isGraphQL ? .post : .get) }

  /// Safe for whatever only reads, a query of GraphQL too. Creations and mutations of GraphQL are to arrive once, all
  /// other writes are idempotent.
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
    case .repo(let fullName): Self.repositoryPath(fullName, "")
    case .issues(let fullName, _, _): Self.repositoryPath(fullName, "/issues")
    case .issue(let fullName, let number): Self.issuePath(fullName, number, "")
    case .milestones(let fullName, _, _): Self.repositoryPath(fullName, "/milestones")
    case .milestone(let fullName, let number): Self.milestonePath(fullName, number)
    case .labels(let fullName, _, _): Self.repositoryPath(fullName, "/labels")
    case .label(let fullName, let name): Self.path(in: fullName, "labels", name)
    case .issueComments(let fullName, let number, _, _):
      Self.issuePath(fullName, number, "/comments")
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
      .rateLimit, .page:
      .plain
    case .repos(_, let pageSize): .query([QueryItem("per_page", pageSize)])
    case .issueComments(_, _, let since, let pageSize):
      .query(Self.changed(since: since) + [QueryItem("per_page", pageSize)])
    case .ownRepositories(let pageSize):
      .query([QueryItem("sort", "pushed"), QueryItem("per_page", pageSize)])
    case .milestones(_, let page, let pageSize):
      .query([QueryItem("state", "all")] + Self.numbered(page, pageSize))
    case .labels(_, let page, let pageSize): .query(Self.numbered(page, pageSize))
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
    case .presence(let fullName, let numbers):
      .json(GraphQLQuery.presence(of: numbers, in: fullName))
    case .nodeIDs(let fullName, let number):
      .json(GraphQLQuery.nodeIDs(of: number, in: fullName))
    case .mutate(let mutation): .json(GraphQLQuery(mutation))
    default: write?.task ?? .plain
    }
  }

  /// The fields that GitHub asks for: the media type, the API's version, and the user agent
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

  /// The path of an element of a repository's list.
  static func path(in fullName: String, _ list: String, _ element: String) -> URLPath {
    let name = RepositoryName(fullName)
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")/\(raw: list)/\(element)"
  }

  /// The path of a file or a folder; each part of it is a segment.
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

  /// The query of a numbered page.
  private static func numbered(_ page: Int, _ pageSize: Int) -> [QueryItem] {
    [QueryItem("per_page", pageSize)] + (page > 1 ? [QueryItem("page", page)] : [])
  }

  private static func changed(since date: Date?) -> [QueryItem] {
    date.flatMap(Timestamp.since).map { [QueryItem("since", $0)] } ?? []
  }

  /// The path of a milestone; milestones are numbered from 1.
  static func milestonePath(_ fullName: String, _ number: Int) -> URLPath {
    path(in: fullName, "milestones", number > 0 ? "\(number)" : "")
  }

  /// The path of an issue; issues are numbered from 1.
  static func issuePath(_ fullName: String, _ number: Int, _ tail: String) -> URLPath {
    let name = RepositoryName(fullName)
    let number = number > 0 ? "\(number)" : ""
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")/issues/\(number)\(raw: tail)"
  }

  /// The path of something that an issue has several of.
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
  /// `Link` ([RFC 8288](https://www.rfc-editor.org/rfc/rfc8288#section-3)).
  static let link = HTTPField.Name("Link").known
  /// `X-GitHub-Api-Version`.
  static let gitHubAPIVersion = HTTPField.Name("X-GitHub-Api-Version").known
}

extension Provider where Target == GitHub {
  /// Creates a provider for a server that speaks GitHub's API.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token; nil to ask without one. It is sent to the server's origin only.
  ///   - stubClosure: Tells which targets are answered from sample data; none by default.
  ///   - plugins: Observers and adjusters of your own, after this package's.
  ///   - interceptors: The interceptors around the transport, outermost first.
  ///   - retry: Retries failed requests, inside `interceptors`; nil for no retries.
  ///   - rateLimits: Keeps requests within the server's limits, inside the other interceptors. It doesn't wait
  ///     for limits unless configured to; nil to send every request at once.
  ///   - timeouts: The time limits for the steps of a request; nil for those of each target.
  ///   - redirects: Follows redirects of reads, inside the other interceptors. GitHub redirects from renamed and
  ///     moved repositories; nil to return redirects as answers. Redirects of writes are always returned.
  ///   - transport: Sends the requests.
  ///   - clock: The clock for delays and timings.
  ///   - now: The local time, to tell when a limit ends.
  public init(
    server: GitHubServer = .github, token: AccessToken? = nil,
    stubClosure: @escaping StubClosure = { _ in .never }, plugins: [any Plugin] = [],
    interceptors: [any Interceptor] = [], retry: RetryInterceptor? = RetryInterceptor(),
    rateLimits: RateLimitInterceptor? = RateLimitInterceptor(), timeouts: Timeouts? = nil,
    redirects: RedirectInterceptor? = RedirectInterceptor(followsWrites: false),
    transport: any Transport,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let credentials = AccessTokenPlugin(origin: server.origin) { _ throws(NetworkError) in token }
    self.init(
      endpointClosure: { target throws(NetworkError) in
        // A page has a URL of its own.
        let url = target.isGraphQL ? server.graphQLURL : server.apiURL
        var endpoint = try Endpoint(target, baseURL: target.isPage ? nil : url)
        endpoint.maximumBodySize = Self.maximumPageSize
        if let timeouts { endpoint.timeouts = timeouts }
        return endpoint
      },
      stubClosure: stubClosure, plugins: [credentials, GitHubErrors(now: now)] + plugins,
      interceptors: interceptors + (retry.map { [$0] } ?? []) + [
        EarlyCallInterceptor(keepsLimits: rateLimits != nil)
      ]
        + (rateLimits.map { [$0] } ?? []),
      redirects: redirects,
      transport: transport, clock: clock)
  }

  /// 32 MiB: a hundred issues with bodies of 65,536 characters, the most that GitHub takes, are some
  /// 20 MB. Decoding takes many times the memory of its input.
  private static var maximumPageSize: Int { 32 << 20 }
}

/// The body of a GraphQL request.
struct GraphQLQuery: Encodable, Sendable {
  let query: String
  let variables: [String: String]

  /// Asks for the type of each number of a repository. A number that is neither an issue nor a pull request
  /// comes back as null, with an error of the type `NOT_FOUND`.
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
  /// The name from a literal in this package, which is known to be a valid token.
  var known: HTTPField.Name {
    guard let self else { preconditionFailure("not a field name") }
    return self
  }
}
