public import PlatformModules

/// GitHub's current REST API, and the GraphQL that `gh issue list` uses, for a loopback server.
///
/// ```swift
/// let github = LoopbackGitHub(repositories: [.swift(issues: SyntheticIssues(count: 1000))])
/// try await withLoopbackServer(answering: github.handler) { server in
///   // server.url replaces https://api.github.com
/// }
/// ```
///
/// With another ``Configuration/forge``, it is a Forgejo or a Gitea with the same issues, and answers only below
/// `/api/v1`.
///
/// Links lead to the client's own address: the authority of an absolute-form target, or else `Host`, with `/api/v3` if
/// the client used it.
public final class LoopbackGitHub: Sendable {
  /// The configuration, set before the start.
  public struct Configuration: Sendable {
    /// The software that the server imitates.
    public var forge = LoopbackForge.gitHub
    /// The path of a Forgejo's or Gitea's installation on its host, such as `/git`.
    public var subPath = ""
    /// The longest page of a Forgejo or Gitea. Longer ones are cut without a word.
    public var maximumPage = 50
    /// The length of a page of a Forgejo or Gitea if the request names none.
    public var defaultPage = 30
    /// The origin of the links to other pages on a Forgejo or Gitea, as set by its administrator; nil for the client's.
    public var linkOrigin: String?
    /// The distance of a Forgejo's or Gitea's time zone from UTC, in seconds.
    public var timeZoneOffset = 0
    /// Whether a Forgejo or Gitea answers nothing but its version without a token.
    public var requiresSignIn = false
    /// The present logins of renamed users of a Forgejo or Gitea, by the former ones.
    public var renamedUsers: [String: String] = [:]
    /// The issue forms of every repository of a Forgejo or Gitea, as JSON objects, besides the Markdown templates among
    /// the repository's files.
    public var issueForms: [String] = []
    /// The answer of a Forgejo or Gitea to `issue_config`.
    public var issueConfiguration = #"{"blank_issues_enabled":true,"contact_links":[]}"#
    /// The existing repositories.
    public var repositories: [LoopbackRepository] = [.swift()]
    /// If set, every other `OWNER/NAME` exists too, with issues by this recipe.
    public var anyRepository: SyntheticIssues?
    /// The accepted tokens; nil accepts every token. A request without a token is anonymous.
    public var acceptedTokens: Set<String>?
    /// The app that may sign in; nil for none.
    public var app: LoopbackApp?
    /// The owner of every token, for `/user`.
    public var tokenOwner = "octocat"
    /// The tokens of other owners.
    public var tokenOwners: [String: String] = [:]
    /// The rights of tokens' owners.
    public var permission = LoopbackPermission.admin
    /// The tokens whose owners have other rights.
    public var permissions: [String: LoopbackPermission] = [:]
    /// Whether a repository reports the rights of the token's owner, as GitHub's do.
    public var tellsPermissions = false
    /// Organizations whose single sign-on no token is authorised for: their ids by their logins in lower case.
    public var singleSignOn: [String: Int] = [:]
    /// The users who can be assigned; nil for all users but ``missingUsers``.
    public var assignable: Set<String>?
    /// The types that issues can have. On GitHub, a user's repository has none.
    public var issueTypes = ["Bug", "Feature", "Task"]
    /// The fields of issues. On GitHub, a user's repository has none.
    public var issueFields = SyntheticIssueField.all
    /// The projects.
    public var projects: [LoopbackProject] = []
    /// The scopes of every token; nil for all.
    public var scopes: Set<String>?
    /// The numbers of the pull requests that close an issue, by its number.
    public var closingPullRequests: [Int: [Int]] = [:]
    /// Whether there are types, fields, sub-issues, dependencies and timelines, which older Enterprise servers lack.
    public var hasRelations = true
    /// The treatment of sent line ends.
    public var lineEnds = LoopbackLineEnds.kept
    /// The status that redirects a write to a moved repository: 307 as recorded, 301 in GitHub's description of its
    /// API.
    public var movedWriteStatus = 307
    /// The names of labels that belong to the organization instead of the repository, on Forgejo and Gitea.
    public var organizationLabels: Set<String> = []
    /// Logins that `/users/NAME` answers with 404.
    public var missingUsers: Set<String> = []
    /// The owners of ``repositories`` that are users; the others are organizations.
    public var users: Set<String> = []
    /// The ids of the ``repositories`` that every token's owner has starred.
    public var starred: Set<Int> = []
    /// The notifications of every token's owner.
    public var notifications: [SyntheticNotification] = []
    /// The size in bytes above which an attachment is refused.
    public var attachmentSize = 10 << 20
    /// The number of requests after which a list of notifications shows that one was read or done.
    public var notificationLag = 0
    /// The number of each user's repositories.
    public var repositoriesPerUser = 42
    /// The requests in a window, for each token and for all without one together, before the primary limit sets in; nil
    /// for no limit. A 304 to a token costs nothing.
    public var rateLimit: Int?
    /// The length of a window of ``rateLimit``, in seconds from its first request.
    public var rateLimitWindow = 3600
    /// The number of repositories that each search finds, including the matching ``repositories``.
    public var repositoriesPerSearch = 250
    /// The searches in a minute, for each token and for all without one together, before their own limit sets in; nil
    /// for no limit.
    public var searchRateLimit: Int?
    /// Whether issues can be searched by meaning.
    public var searchByMeaning = SearchByMeaning.offered
    /// The searches by meaning in a minute for each token; nil for no limit.
    public var meaningRateLimit: Int?
    /// The points in any minute (reading one, writing five) before the secondary limit sets in; nil for no limit.
    public var pointsPerMinute: Int?
    /// Whether lists of issues have page numbers at any depth, as on Forgejo and older GitHub Enterprise, and not
    /// cursors.
    public var pagesByNumber = false
    /// Changes while lists are requested; nil for none.
    public var activity: LoopbackActivity?
    /// Faults in a share of the answers; nil for none.
    public var faults: LoopbackFaults?
    /// Faults in a share of the writes; nil for none.
    public var writeFaults: LoopbackWriteFaults?
    /// The issues and comments that a token may write in a minute before the limit of content sets in; nil for no
    /// limit.
    public var contentPerMinute: Int?
    /// The number of requests after which the search for issues shows a change.
    public var searchLag = 0
    /// Whether searches say that they have run out of time.
    public var cutsSearchesShort = false
    /// Whether ``LoopbackGitHub/receipts`` includes reads.
    public var keepsReads = false
    /// Whether answers to writes call the version of the API deprecated, as those of 2026 do.
    public var announcesDeprecation = false
    /// Hosts reached over TLS that ends before this server, so that links lead back over `https`.
    public var secureHosts: Set<String> = []
    /// The longest list of issues or comments in bytes. A longer page gets a 502, as on GitHub if it takes too long;
    /// nil for no limit.
    public var heaviestPage: Int?
    /// The numbers that no list shows, although each of these issues exists.
    public var unlisted: Set<Int> = []
    /// The delay of each answer.
    public var latency: Duration = .zero
    /// The time, for rate limits, `Date` and `Retry-After`.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates a configuration: `swiftlang/swift` with 250 items, open to all users.
    public init() {}
  }

  /// Whether a server searches issues by meaning.
  public enum SearchByMeaning: Sendable {
    /// As github.com.
    case offered
    /// With a 403, as an Enterprise server.
    case refused
    /// As an older server, which doesn't know the parameter.
    case unknown
  }

  /// An answer in place of the ordinary one.
  private struct Interception: Sendable {
    var matches: @Sendable (LoopbackRequest) -> Bool
    var response: @Sendable (LoopbackRequest, Int) -> LoopbackResponse
    var remaining: Int
  }

  /// The quota that a request counts against.
  enum Quota: String, Sendable {
    case core
    case search
    case meaning = "semantic_search"
    case none

    init(_ apiPath: String, isByMeaning: Bool = false) {
      self =
        apiPath == "/rate_limit"
        ? .none : !apiPath.hasPrefix("/search/") ? .core : isByMeaning ? .meaning : .search
    }
  }

  private struct State: Sendable {
    var stores: [Int: IssueStore] = [:]
    /// Repositories that exist because they were requested.
    var named: [Int: LoopbackRepository] = [:]
    var interceptions: [Interception] = []
    var limits: LoopbackRateLimits
    /// The quota of searches, in a window of a minute.
    var searchLimits: LoopbackRateLimits
    /// The quota of searches by meaning, in a window of a minute.
    var meaningLimits: LoopbackRateLimits
    var requestCount = 0
    /// The ends of an installation's tokens, in seconds since 1970.
    var installationTokens: [String: Int] = [:]
    /// Later actions, with their times.
    var later: [(time: Int, action: @Sendable (LoopbackGitHub) -> Void)] = []
    /// How many requests could have brought changes.
    var busyRequests = 0

    /// Counts a request against its quota, and against the points.
    mutating func charge(
      _ token: String?, method: String, to quota: Quota, now: Int
    ) -> LoopbackRateLimits.Decision {
      let decision = limits.charge(token, method: method, isFree: quota != .core, now: now)
      guard decision == .admitted else { return decision }
      switch quota {
      case .search: return searchLimits.charge(token, method: method, isFree: false, now: now)
      case .meaning: return meaningLimits.charge(token, method: method, isFree: false, now: now)
      case .core, .none: return decision
      }
    }

    func limits(of quota: Quota) -> LoopbackRateLimits {
      switch quota {
      case .search: searchLimits
      case .meaning: meaningLimits
      case .core, .none: limits
      }
    }
  }

  let configuration: Configuration
  private let state: Watched<State>
  let writes = Watched(Writes())
  let development = Watched(LoopbackDevelopment())
  /// The notifications, and what their owner did with them.
  public let notifications: Watched<[SyntheticNotification]>

  /// The files that were uploaded for texts, in order.
  let attachments = Watched<[LoopbackAttachment]>([])

  /// Creates a GitHub.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    notifications = Watched(configuration.notifications)
    let limits = LoopbackRateLimits(
      limit: configuration.rateLimit, window: configuration.rateLimitWindow,
      pointsPerMinute: configuration.pointsPerMinute)
    let searchLimits = LoopbackRateLimits(
      limit: configuration.searchRateLimit, window: 60, pointsPerMinute: nil, usual: (10, 30))
    let meaningLimits = LoopbackRateLimits(
      limit: configuration.meaningRateLimit, window: 60, pointsPerMinute: nil, usual: (10, 10))
    state = Watched(
      State(limits: limits, searchLimits: searchLimits, meaningLimits: meaningLimits))
  }

  /// Creates a GitHub with these repositories and no others.
  public convenience init(repositories: [LoopbackRepository]) {
    var configuration = Configuration()
    configuration.repositories = repositories
    self.init(configuration)
  }

  /// This GitHub as a server's handler.
  public var handler: LoopbackServer.Handler {
    { request in self.respond(to: request) }
  }

  // MARK: Changing the responses

  /// Answers a path with an error.
  ///
  /// - Parameters:
  ///   - path: The path without its query, such as `/repos/swiftlang/swift/issues`. A leading `/api/v3` is ignored.
  ///   - error: The error.
  ///   - times: The number of times before the ordinary answer returns.
  public func fail(_ path: String, with error: GitHubError, times: Int = .max) {
    intercept(
      // The server keeps these closures.
      times: times, where: { [weak self] in self?.forgePath($0.path).path == path },
      response: { [weak self] _, now in
        if let self, self.configuration.forge != .gitHub {
          return self.forgeAnswer(to: error, now: now)
        }
        return error.response(now: now).with { response in
          if response.headers["x-ratelimit-resource"] != nil {
            response.headers["x-ratelimit-resource"] = Quota(path).rawValue
          }
        }
      })
  }

  /// Replaces the answer to requests that a predicate accepts, with any bytes and any delay.
  ///
  /// GitHub's usual headers are added if they are missing, except to scripts.
  ///
  /// - Parameters:
  ///   - times: The number of times.
  ///   - predicate: Selects the requests. Earlier replacements come first.
  ///   - response: Makes the answer from the request and the time in seconds since 1970.
  public func intercept(
    times: Int = .max,
    where predicate: @escaping @Sendable (LoopbackRequest) -> Bool,
    response: @escaping @Sendable (LoopbackRequest, Int) -> LoopbackResponse
  ) {
    state.update {
      $0.interceptions.append(
        Interception(matches: predicate, response: response, remaining: times))
    }
  }

  /// Acts on the first request at a time or after it, for example to show a change late.
  ///
  /// - Parameters:
  ///   - time: The time, in seconds since 1970.
  ///   - action: The action.
  public func schedule(at time: Int, _ action: @escaping @Sendable (LoopbackGitHub) -> Void) {
    state.update { $0.later.append((time, action)) }
  }

  /// Removes all errors and replaced answers.
  public func stopIntercepting() {
    state.update { $0.interceptions = [] }
  }

  // MARK: Support for the endpoints

  /// Makes the changes that come with a request for a list.
  func keepBusy(_ repository: LoopbackRepository) {
    guard let activity = configuration.activity else { return }
    let request = state.update { state in
      state.busyRequests += 1
      return state.busyRequests
    }
    let time = Int(configuration.now().timeIntervalSince1970)
    for change in activity.changes(with: request) {
      stir(repository, change, seed: activity.seed, at: time)
    }
  }

  func store(of repository: LoopbackRepository) -> IssueStore {
    state.update { state in
      if let store = state.stores[repository.id] { return store }
      let store = IssueStore(
        IssueBook(repository.issues, keepsHistory: configuration.searchLag > 0))
      state.stores[repository.id] = store
      return store
    }
  }

  /// The repository with a present or former name.
  func repository(_ owner: String, _ name: String) -> (LoopbackRepository, isRenamed: Bool)? {
    let wanted = "\(owner)/\(name)".lowercased()
    for repository in configuration.repositories {
      if repository.fullName.lowercased() == wanted { return (repository, false) }
      if repository.formerNames.contains(where: { $0.lowercased() == wanted }) {
        return (repository, true)
      }
    }
    guard let recipe = configuration.anyRepository else { return nil }
    let repository = LoopbackRepository(
      id: Self.identifier(of: wanted), owner: owner, name: name, issues: recipe)
    state.update { state in
      // Remembered, so that `/repositories/ID` in a link leads back to the name.
      if state.named[repository.id] == nil { state.named[repository.id] = repository }
    }
    return (repository, false)
  }

  /// The repository with an id.
  func repository(id: Int) -> LoopbackRepository? {
    configuration.repositories.first { $0.id == id } ?? state.read { $0.named[id] }
  }

  /// The configured repositories, and the requested ones.
  var knownRepositories: [LoopbackRepository] {
    configuration.repositories
      + state.read { $0.named.values.sorted { ($0.fullName, $0.id) < ($1.fullName, $1.id) } }
  }

  /// The number of requests.
  var requestCount: Int { state.read { $0.requestCount } }

  /// A made-up id, above those of the configured repositories.
  static func identifier(of name: String) -> Int {
    100_000_000 + Int(StableHash.of(name) % 900_000_000)
  }

  /// The path within the API, and the prefix before it, `/api/v3` or `/api`.
  static func apiPath(_ path: String) -> (path: String, prefix: String) {
    for prefix in ["/api/v3", "/api"] where path.hasPrefix("\(prefix)/") {
      return (String(path.dropFirst(prefix.count)), prefix)
    }
    return (path, "")
  }

  // MARK: Answering

  /// The answer to a request, for a server with several handlers.
  public func respond(to request: LoopbackRequest) -> LoopbackResponse {
    if let answer = privateAnswer(to: request) { return answer }
    let now = Int(configuration.now().timeIntervalSince1970)
    let due = state.update { state in
      defer { state.later.removeAll { $0.time <= now } }
      return state.later.filter { $0.time <= now }
    }
    for (_, action) in due { action(self) }
    let token = Self.token(of: request)
    let account = account(of: token)
    let quota = Quota(
      forgePath(request.path).path, isByMeaning: request.queryValue("search_type") != nil)
    let (intercepted, decision, number) = state.update { state in
      state.requestCount += 1
      let decision = state.charge(account, method: request.method, to: quota, now: now)
      let index = state.interceptions.firstIndex { $0.remaining > 0 && $0.matches(request) }
      if let index { state.interceptions[index].remaining -= 1 }
      return (index.map { state.interceptions[$0] }, decision, state.requestCount)
    }
    var response: LoopbackResponse
    if let intercepted {
      response = intercepted.response(request, now)
      if response.steps != nil { return response }
    } else {
      response = checked(request, token: token, decision, number, now: now)
      if let fault = configuration.faults?.fault(number, error: { fault($0, now: now) }) {
        response = fault.applied(to: response)
      }
    }
    if response.status == 304, token != nil, quota == .core, decision == .admitted {
      state.update { $0.limits.refund(account, now: now) }
    }
    if configuration.announcesDeprecation, Self.isWrite(request),
      request.headers["X-GitHub-Api-Version"] == "2022-11-28"
    {
      response.headers.add("Deprecation", "Tue, 10 Mar 2026 00:00:00 GMT")
      response.headers.add("Sunset", "Fri, 10 Mar 2028 00:00:00 GMT")
      response.headers.add(
        "Link",
        "<https://docs.github.com/en/rest/about-the-rest-api/api-versions>; rel=\"deprecation\"; "
          + "type=\"text/html\"")
    }
    if configuration.forge == .gitHub {
      complete(&response, isAnonymous: token == nil, number, now: now)
      completeLimits(&response, quota, standing(of: account, quota, now: now))
    } else {
      completeForge(&response, now: now)
    }
    if configuration.latency > .zero, response.beforeHead == nil {
      response.beforeHead = .duration(configuration.latency)
    }
    return response
  }

  /// Grants a token of the app's installation.
  func grantToken(until end: Int) -> (token: String, end: Int) {
    state.update { state in
      let token = "ghs_\(state.installationTokens.count + 1)installation"
      state.installationTokens[token] = end
      return (token, end)
    }
  }

  /// The number of tokens that the app's installation was granted.
  public var grantedTokens: Int { state.read { $0.installationTokens.count } }

  /// Ends all tokens of the app's installation.
  public func endTokens() {
    state.update { state in
      for token in state.installationTokens.keys { state.installationTokens[token] = 0 }
    }
  }

  private func isLive(_ token: String, now: Int) -> Bool {
    guard configuration.app != nil, token.hasPrefix("ghs_") else { return true }
    return state.read { $0.installationTokens[token] ?? 0 } > now
  }

  /// The owner of a quota: a token, or an installation with all its tokens.
  private func account(of token: String?) -> String? {
    guard let app = configuration.app, token?.hasPrefix("ghs_") == true else { return token }
    return "installation \(app.installation)"
  }

  /// Refuses requests that GitHub refuses before it looks at the path.
  private func checked(
    _ request: LoopbackRequest, token: String?, _ decision: LoopbackRateLimits.Decision,
    _ number: Int, now: Int
  ) -> LoopbackResponse {
    guard configuration.forge == .gitHub else {
      return forgeChecked(request, token: token, decision, number, now: now)
    }
    guard let agent = request.headers["User-Agent"], !agent.isEmpty else {
      return .text(
        """
        \r\nRequest forbidden by administrative rules. Please make sure your request has a \
        User-Agent header (https://docs.github.com/en/rest/overview/\
        resources-in-the-rest-api#user-agent-required). Check https://developer.github.com \
        for other possible causes.\r\n
        """, status: 403, contentType: "text/html; charset=utf-8")
    }
    if let token, !isLive(token, now: now) {
      return GitHubError.badCredentials.response(now: now)
    }
    if let token, let accepted = configuration.acceptedTokens, !accepted.contains(token) {
      return GitHubError.badCredentials.response(now: now)
    }
    switch decision {
    case .admitted: break
    case .primaryLimit(let reset):
      var response = GitHubError.primaryRateLimit(status: 403, reset: reset).response(now: now)
      // Those of the quota replace them.
      for name in ["x-ratelimit-limit", "x-ratelimit-used", "x-ratelimit-resource"] {
        response.headers[name] = nil
      }
      return response
    case .secondaryLimit(let retryAfter):
      return GitHubError.secondaryRateLimit(status: 403, retryAfter: retryAfter).response(now: now)
    }
    return carryOut(request, number, now: now)
  }

  /// Adds the headers of all GitHub's answers.
  private func complete(
    _ response: inout LoopbackResponse, isAnonymous: Bool, _ number: Int, now: Int
  ) {
    let headers = [
      ("Server", "github.com"),
      ("Date", Timestamp.httpDate(now)),
      ("Content-Type", "application/json; charset=utf-8"),
      ("Cache-Control", "\(isAnonymous ? "public" : "private"), max-age=60, s-maxage=60"),
      ("Vary", "Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, X-Requested-With"),
      ("X-GitHub-Media-Type", "github.v3; format=json"),
      ("X-GitHub-Request-Id", "F00D:\(String(number, radix: 16, uppercase: true)):1:1:1"),
    ]
    for (name, value) in headers where response.headers[name] == nil {
      response.headers.add(name, value)
    }
  }

  /// Adds the quota's headers.
  private func completeLimits(
    _ response: inout LoopbackResponse, _ quota: Quota, _ standing: LoopbackRateLimits.Standing
  ) {
    let headers = [
      ("x-ratelimit-limit", "\(standing.limit)"),
      ("x-ratelimit-remaining", "\(standing.remaining)"),
      ("x-ratelimit-reset", "\(standing.reset)"),
      ("x-ratelimit-used", "\(standing.used)"),
      ("x-ratelimit-resource", quota == .none ? "core" : quota.rawValue),
    ]
    for (name, value) in headers where response.headers[name] == nil {
      response.headers.add(name, value)
    }
  }

  /// The state of a token's quota.
  func standing(
    of token: String?, _ quota: Quota = .core, now: Int
  ) -> LoopbackRateLimits.Standing {
    state.read { state in
      state.limits(of: quota).standing(of: token, now: now)
    }
  }

  /// A token's owner.
  func login(of token: String?) -> String {
    token.flatMap { configuration.tokenOwners[$0] } ?? configuration.tokenOwner
  }

  /// The rights of a token's owner.
  func permission(of token: String?) -> LoopbackPermission {
    token.flatMap { configuration.permissions[$0] } ?? configuration.permission
  }

  func isAssignable(_ login: String) -> Bool {
    configuration.assignable?.contains(login) ?? !configuration.missingUsers.contains(login)
  }

  static func token(of request: LoopbackRequest) -> String? {
    guard let value = request.headers["Authorization"] else { return nil }
    let words = value.split(separator: " ", maxSplits: 1)
    return words.count == 2 ? String(words[1]) : value
  }
}
