public import HTTPTargets

/// The endpoints of GitHub's REST API that this package asks.
///
/// Names go into the path as ``RepositoryName`` and ``Username`` read them. Text that is no name, or an
/// issue's number below 1, gives a path without it, which fails before anything is sent. See
/// <https://docs.github.com/en/rest>.
public enum GitHub: TargetType, Hashable {
  /// A user or an organisation: `GET /users/{username}`.
  case userProfile(username: String)
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
  /// The comments on an issue, the oldest first, `pageSize` (1–100) at a time:
  /// `GET /repos/{owner}/{repo}/issues/{number}/comments`.
  case issueComments(repositoryFullName: String, number: Int, pageSize: Int = 30)
  /// The repositories that a search finds, best first, `pageSize` (1–100) at a time:
  /// `GET /search/repositories` (<https://docs.github.com/en/rest/search/search#search-repositories>).
  ///
  /// The query is words and qualifiers, as in `tetris language:assembly`. GitHub answers a query without
  /// text, or with more than 256 characters beside its qualifiers, with 422; gives the first 1,000 results
  /// at most (``SearchResults/maximumCount``); and counts searches against a quota of their own, `search`,
  /// of 30 a minute, or 10 without a token.
  case searchRepositories(query: String, pageSize: Int = 30)
  /// How much of each quota is left: `GET /rate_limit`, which costs none.
  case rateLimit
  /// The next page of a list, where the server says it is.
  case page(PageLink)

  /// The API of github.com, or the page itself.
  public var baseURL: String {
    switch self {
    case .page(let link): link.url
    default: GitHubServer.github.apiURL
    }
  }

  /// The path below the API's URL.
  public var path: URLPath {
    switch self {
    case .userProfile(let username): "users/\(Self.login(username))"
    case .repos(let username, _): "users/\(Self.login(username))/repos"
    case .ownRepositories: "user/repos"
    case .repo(let fullName): Self.repositoryPath(fullName, "")
    case .issues(let fullName, _, _): Self.repositoryPath(fullName, "/issues")
    case .issue(let fullName, let number): Self.issuePath(fullName, number, "")
    case .issueComments(let fullName, let number, _):
      Self.issuePath(fullName, number, "/comments")
    case .searchRepositories: "search/repositories"
    case .rateLimit: "rate_limit"
    case .page: ""
    }
  }

  /// The filter and the page size, as a query.
  public var task: HTTPTask {
    switch self {
    case .userProfile, .repo, .issue, .rateLimit, .page:
      .plain
    case .repos(_, let pageSize), .issueComments(_, _, let pageSize):
      .query([QueryItem("per_page", pageSize)])
    case .ownRepositories(let pageSize):
      .query([QueryItem("sort", "pushed"), QueryItem("per_page", pageSize)])
    case .searchRepositories(let query, let pageSize):
      .query([QueryItem("q", query), QueryItem("per_page", pageSize)])
    case .issues(_, let filter, let pageSize):
      .query(
        filter.queryItems.map { QueryItem($0.name, $0.value) } + [QueryItem("per_page", pageSize)])
    }
  }

  /// The fields that GitHub asks for: the media type, the API's version, and who is asking
  /// (<https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api>).
  public var headers: HTTPFields {
    [
      .accept: "application/vnd.github+json",
      .gitHubAPIVersion: "2022-11-28",
      .userAgent: "issue-tracker-client/\(PackageVersion.current)",
    ]
  }

  /// A bearer token, where there is one.
  public var authorization: AuthorizationType { .bearer }

  // An empty value in a path makes it one that can't be requested.

  private static func login(_ username: String) -> String { Username(username)?.login ?? "" }

  private static func repositoryPath(_ fullName: String, _ tail: String) -> URLPath {
    let name = RepositoryName(fullName)
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")\(raw: tail)"
  }

  /// The path of an issue; issues are numbered from 1.
  private static func issuePath(_ fullName: String, _ number: Int, _ tail: String) -> URLPath {
    let name = RepositoryName(fullName)
    let number = number > 0 ? "\(number)" : ""
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")/issues/\(number)\(raw: tail)"
  }
}

extension HTTPField.Name {
  /// `Link` ([RFC 8288](https://www.rfc-editor.org/rfc/rfc8288#section-3)).
  static let link = HTTPField.Name("Link").known
  /// `X-GitHub-Api-Version`.
  static let gitHubAPIVersion = HTTPField.Name("X-GitHub-Api-Version").known
}
