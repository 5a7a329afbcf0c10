#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// GitHub's REST API as of today, and the GraphQL that `gh issue list` speaks, for a loopback
/// server.
///
/// ```swift
/// let github = LoopbackGitHub(repositories: [.swift(issues: SyntheticIssues(count: 1000))])
/// try await withLoopbackServer(answering: github.handler) { server in
///   // server.url stands for https://api.github.com
/// }
/// ```
///
/// Links lead to where the client asked: to the authority of an absolute-form target, else to the
/// `Host`, with `/api/v3` in front where the client used that.
public final class LoopbackGitHub: Sendable {
  /// What is configured before the start.
  public struct Configuration: Sendable {
    /// The repositories there are.
    public var repositories: [LoopbackRepository] = [.swift()]
    /// When there is one, every other `OWNER/NAME` exists too, with issues by this recipe.
    public var anyRepository: SyntheticIssues?
    /// The tokens that are accepted; nil accepts every token.
    ///
    /// A request without one is anonymous.
    public var acceptedTokens: Set<String>?
    /// Whom every token belongs to, as `/user` says.
    public var tokenOwner = "octocat"
    /// The tokens that belong to somebody else, with whom.
    public var tokenOwners: [String: String] = [:]
    /// What the owners of tokens may do.
    public var permission = LoopbackPermission.admin
    /// The tokens whose owners may do something else.
    public var permissions: [String: LoopbackPermission] = [:]
    /// Whether a repository says what the token's owner may do there, as GitHub says to each token.
    public var tellsPermissions = false
    /// Who can be assigned; nil for everybody but ``missingUsers``.
    public var assignable: Set<String>?
    /// The types that issues can have; a user's repository has none on GitHub.
    public var issueTypes = ["Bug", "Feature", "Task"]
    /// What becomes of line ends that are sent.
    public var lineEnds = LoopbackLineEnds.kept
    /// The status of the redirect that answers a write to what has moved: 307 as recorded, 301 as GitHub's
    /// description of its API has it.
    public var movedWriteStatus = 307
    /// Logins that `/users/NAME` answers with 404.
    public var missingUsers: Set<String> = []
    /// How many repositories each user has.
    public var repositoriesPerUser = 42
    /// How many requests of a token, or of all that have none, are answered in a window before the
    /// primary limit sets in; nil: no end. A 304 to a token costs nothing.
    public var rateLimit: Int?
    /// How long a window of ``rateLimit`` lasts, in seconds from its first request.
    public var rateLimitWindow = 3600
    /// How many repositories each search finds, those of ``repositories`` that match among them.
    public var repositoriesPerSearch = 250
    /// How many searches of a token, or of all that have none, are answered in a minute before their own
    /// limit sets in; nil: no end.
    public var searchRateLimit: Int?
    /// How many points (reading one, writing five) are taken in any minute before the secondary limit
    /// sets in; nil: no end.
    public var pointsPerMinute: Int?
    /// Whether lists of issues have page numbers, however deep, as Forgejo and older GitHub Enterprise
    /// have them; cursors otherwise.
    public var pagesByNumber = false
    /// What changes while lists are asked for; nil: nothing by itself.
    public var activity: LoopbackActivity?
    /// What goes wrong with a share of the answers; nil: nothing by itself.
    public var faults: LoopbackFaults?
    /// What goes wrong with a share of the writes; nil: nothing by itself.
    public var writeFaults: LoopbackWriteFaults?
    /// How many issues and comments a token may write in a minute before the limit of content sets in; nil: no
    /// end.
    public var contentPerMinute: Int?
    /// How many requests after a change the search for issues shows it.
    public var searchLag = 0
    /// Whether ``LoopbackGitHub/receipts`` has reads too.
    public var keepsReads = false
    /// Whether answers to writes say that the version of the API is deprecated, as those of 2026 do.
    public var announcesDeprecation = false
    /// Hosts that are asked by way of TLS that ends before this server: links lead back by `https`.
    public var secureHosts: Set<String> = []
    /// The longest list of issues or comments that can be made, in bytes: a longer page is answered with 502, as
    /// GitHub answers where it takes too long; nil: no end.
    public var heaviestPage: Int?
    /// The numbers that no list of issues shows, though each is there when it is asked for.
    public var unlisted: Set<Int> = []
    /// How long each answer is held.
    public var latency: Duration = .zero
    /// The time; rate limits, `Date` and `Retry-After` go by it.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates a configuration: `swiftlang/swift` with 250 items, open to everybody.
    public init() {}
  }

  /// An answer given instead of the ordinary one.
  private struct Interception: Sendable {
    var matches: @Sendable (LoopbackRequest) -> Bool
    var response: @Sendable (LoopbackRequest, Int) -> LoopbackResponse
    var remaining: Int
  }

  /// What a request is counted against.
  enum Quota: String, Sendable {
    case core
    case search
    case none

    init(_ apiPath: String) {
      self =
        apiPath == "/rate_limit" ? .none : apiPath.hasPrefix("/search/") ? .search : .core
    }
  }

  private struct State: Sendable {
    var stores: [Int: IssueStore] = [:]
    /// Repositories that exist because they were asked for.
    var named: [Int: LoopbackRepository] = [:]
    var interceptions: [Interception] = []
    var limits: LoopbackRateLimits
    /// The quota of searches, which has a window of a minute.
    var searchLimits: LoopbackRateLimits
    var requestCount = 0
    /// What happens later, with the time of each.
    var later: [(time: Int, action: @Sendable (LoopbackGitHub) -> Void)] = []
    /// How many requests could have come with changes.
    var busyRequests = 0

    /// Counts a request against the quota it belongs to, and against the points.
    mutating func charge(
      _ token: String?, method: String, to quota: Quota, now: Int
    ) -> LoopbackRateLimits.Decision {
      let decision = limits.charge(token, method: method, isFree: quota != .core, now: now)
      guard quota == .search, decision == .admitted else { return decision }
      return searchLimits.charge(token, method: method, isFree: false, now: now)
    }
  }

  let configuration: Configuration
  private let state: Watched<State>
  let writes = Watched(Writes())

  /// Creates a GitHub.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    let limits = LoopbackRateLimits(
      limit: configuration.rateLimit, window: configuration.rateLimitWindow,
      pointsPerMinute: configuration.pointsPerMinute)
    let searchLimits = LoopbackRateLimits(
      limit: configuration.searchRateLimit, window: 60, pointsPerMinute: nil, usual: (10, 30))
    state = Watched(State(limits: limits, searchLimits: searchLimits))
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

  // MARK: Changing what it answers

  /// Answers a path with an error.
  ///
  /// - Parameters:
  ///   - path: The path without query, as in `/repos/swiftlang/swift/issues`; `/api/v3` in front
  ///     is ignored.
  ///   - error: The error.
  ///   - times: How often, before the ordinary answer comes again.
  public func fail(_ path: String, with error: GitHubError, times: Int = .max) {
    intercept(
      times: times, where: { Self.apiPath($0.path).path == path },
      response: { _, now in
        error.response(now: now).with { response in
          if response.headers["x-ratelimit-resource"] != nil {
            response.headers["x-ratelimit-resource"] = Quota(path).rawValue
          }
        }
      })
  }

  /// Gives another answer to the requests a predicate accepts: any bytes, any delay.
  ///
  /// Such answers get the headers of GitHub's answers only where they lack them, and none when
  /// they are scripts.
  ///
  /// - Parameters:
  ///   - times: How often.
  ///   - predicate: Which requests. What was set first goes first.
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

  /// Does something with the first request at a time or after it: a change that shows late, for one.
  ///
  /// - Parameters:
  ///   - time: When, in seconds since 1970.
  ///   - action: What.
  public func schedule(at time: Int, _ action: @escaping @Sendable (LoopbackGitHub) -> Void) {
    state.update { $0.later.append((time, action)) }
  }

  /// Forgets all errors and other answers that were set.
  public func stopIntercepting() {
    state.update { $0.interceptions = [] }
  }

  // MARK: What the endpoints need

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

  /// The repository of a name, or of a name it had before.
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

  /// The repositories that are configured, and those that somebody asked for.
  var knownRepositories: [LoopbackRepository] {
    configuration.repositories
      + state.read { $0.named.values.sorted { ($0.fullName, $0.id) < ($1.fullName, $1.id) } }
  }

  /// How many requests there were.
  var requestCount: Int { state.read { $0.requestCount } }

  /// A made-up id, above those of the configured repositories.
  static func identifier(of name: String) -> Int {
    100_000_000 + Int(StableHash.of(name) % 900_000_000)
  }

  /// The path within the API, and whether `/api/v3` or `/api` was in front of it.
  static func apiPath(_ path: String) -> (path: String, prefix: String) {
    for prefix in ["/api/v3", "/api"] where path.hasPrefix("\(prefix)/") {
      return (String(path.dropFirst(prefix.count)), prefix)
    }
    return (path, "")
  }

  // MARK: Answering

  /// The answer to a request, as ``handler`` gives it: for a server that answers for several.
  public func respond(to request: LoopbackRequest) -> LoopbackResponse {
    if let answer = privateAnswer(to: request) { return answer }
    let now = Int(configuration.now().timeIntervalSince1970)
    let due = state.update { state in
      defer { state.later.removeAll { $0.time <= now } }
      return state.later.filter { $0.time <= now }
    }
    for (_, action) in due { action(self) }
    let token = Self.token(of: request)
    let quota = Quota(Self.apiPath(request.path).path)
    let (intercepted, decision, number) = state.update { state in
      state.requestCount += 1
      let decision = state.charge(token, method: request.method, to: quota, now: now)
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
      if let fault = configuration.faults?.fault(number) {
        response = fault.applied(to: response)
      }
    }
    if response.status == 304, token != nil, quota == .core, decision == .admitted {
      state.update { $0.limits.refund(token, now: now) }
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
    complete(&response, isAnonymous: token == nil, number, now: now)
    completeLimits(&response, quota, standing(of: token, quota, now: now))
    if configuration.latency > .zero, response.beforeHead == nil {
      response.beforeHead = .duration(configuration.latency)
    }
    return response
  }

  /// Refuses what GitHub refuses before it looks at the path.
  private func checked(
    _ request: LoopbackRequest, token: String?, _ decision: LoopbackRateLimits.Decision,
    _ number: Int, now: Int
  ) -> LoopbackResponse {
    guard let agent = request.headers["User-Agent"], !agent.isEmpty else {
      return .text(
        """
        \r\nRequest forbidden by administrative rules. Please make sure your request has a \
        User-Agent header (https://docs.github.com/en/rest/overview/\
        resources-in-the-rest-api#user-agent-required). Check https://developer.github.com \
        for other possible causes.\r\n
        """, status: 403, contentType: "text/html; charset=utf-8")
    }
    if let token, let accepted = configuration.acceptedTokens, !accepted.contains(token) {
      return GitHubError.badCredentials.response(now: now)
    }
    switch decision {
    case .admitted: break
    case .primaryLimit(let reset):
      var response = GitHubError.primaryRateLimit(status: 403, reset: reset).response(now: now)
      // Those of the standing come in their place.
      for name in ["x-ratelimit-limit", "x-ratelimit-used", "x-ratelimit-resource"] {
        response.headers[name] = nil
      }
      return response
    case .secondaryLimit(let retryAfter):
      return GitHubError.secondaryRateLimit(status: 403, retryAfter: retryAfter).response(now: now)
    }
    return carryOut(request, number, now: now)
  }

  /// Adds the headers that all of GitHub's answers have.
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

  /// Adds how the quota stands that the request counted against.
  private func completeLimits(
    _ response: inout LoopbackResponse, _ quota: Quota, _ standing: LoopbackRateLimits.Standing
  ) {
    let headers = [
      ("x-ratelimit-limit", "\(standing.limit)"),
      ("x-ratelimit-remaining", "\(standing.remaining)"),
      ("x-ratelimit-reset", "\(standing.reset)"),
      ("x-ratelimit-used", "\(standing.used)"),
      ("x-ratelimit-resource", quota == .search ? "search" : "core"),
    ]
    for (name, value) in headers where response.headers[name] == nil {
      response.headers.add(name, value)
    }
  }

  /// How a quota of a token stands.
  func standing(
    of token: String?, _ quota: Quota = .core, now: Int
  ) -> LoopbackRateLimits.Standing {
    state.read { state in
      (quota == .search ? state.searchLimits : state.limits).standing(of: token, now: now)
    }
  }

  /// Whose a token is.
  func login(of token: String?) -> String {
    token.flatMap { configuration.tokenOwners[$0] } ?? configuration.tokenOwner
  }

  /// What a token's owner may do.
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
