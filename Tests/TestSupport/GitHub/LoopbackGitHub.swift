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
    /// Logins that `/users/NAME` answers with 404.
    public var missingUsers: Set<String> = []
    /// How many repositories each user has.
    public var repositoriesPerUser = 42
    /// How many requests are answered before the primary limit sets in; nil: no end.
    public var rateLimit: Int?
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

  private struct State: Sendable {
    var stores: [Int: IssueStore] = [:]
    /// Repositories that exist because they were asked for.
    var named: [Int: LoopbackRepository] = [:]
    var interceptions: [Interception] = []
    var used = 0
    var reset = 0
  }

  let configuration: Configuration
  private let state = Watched(State())

  /// Creates a GitHub.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    let reset = Int(configuration.now().timeIntervalSince1970) + 3600
    state.update { $0.reset = reset }
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
      response: { _, now in error.response(now: now) })
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

  /// Forgets all errors and other answers that were set.
  public func stopIntercepting() {
    state.update { $0.interceptions = [] }
  }

  /// The issues and pull requests of a repository by ascending number.
  public func issues(of repository: LoopbackRepository) -> [SyntheticIssue] {
    store(of: repository).issues
  }

  /// Changes an issue while the server runs.
  ///
  /// `updatedAt` is the caller's to set.
  public func changeIssue(
    _ number: Int, of repository: LoopbackRepository, _ change: (inout SyntheticIssue) -> Void
  ) {
    store(of: repository).change(number, change)
  }

  /// Adds an issue while the server runs.
  ///
  /// - Returns: Its number.
  @discardableResult
  public func addIssue(
    to repository: LoopbackRepository, _ change: (inout SyntheticIssue) -> Void = { _ in }
  ) -> Int {
    store(of: repository).add(change)
  }

  // MARK: What the endpoints need

  func store(of repository: LoopbackRepository) -> IssueStore {
    state.update { state in
      if let store = state.stores[repository.id] { return store }
      let store = IssueStore(repository.issues)
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

  /// A made-up id, above those of the configured repositories.
  private static func identifier(of name: String) -> Int {
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

  private func respond(to request: LoopbackRequest) -> LoopbackResponse {
    let now = Int(configuration.now().timeIntervalSince1970)
    let token = Self.token(of: request)
    let intercepted = state.update { state -> Interception? in
      let index = state.interceptions.firstIndex { $0.remaining > 0 && $0.matches(request) }
      guard let index else { return nil }
      state.interceptions[index].remaining -= 1
      return state.interceptions[index]
    }
    var response: LoopbackResponse
    if let intercepted {
      response = intercepted.response(request, now)
      if response.steps != nil { return response }
    } else {
      response = checked(request, token: token, now: now)
    }
    let isFree = (response.status == 304 && token != nil) || Self.asksForLimits(request)
    let (used, reset) = state.update { state in
      if now >= state.reset {
        state.used = 0
        state.reset = now + 3600
      }
      if !isFree { state.used += 1 }
      return (state.used, state.reset)
    }
    complete(&response, isAnonymous: token == nil, used: used, reset: reset, now: now)
    if configuration.latency > .zero, response.beforeHead == nil {
      response.beforeHead = .duration(configuration.latency)
    }
    return response
  }

  /// Refuses what GitHub refuses before it looks at the path.
  private func checked(_ request: LoopbackRequest, token: String?, now: Int) -> LoopbackResponse {
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
    if let limit = configuration.rateLimit, !Self.asksForLimits(request) {
      let (used, reset) = state.read { ($0.used, $0.reset) }
      if used >= limit, now < reset {
        return GitHubError.primaryRateLimit(status: 403, reset: reset - now).response(now: now)
      }
    }
    return GitHubEndpoints(github: self, request: request, isAnonymous: token == nil, now: now)
      .respond()
  }

  /// Whether a request is the one that costs nothing.
  private static func asksForLimits(_ request: LoopbackRequest) -> Bool {
    apiPath(request.path).path == "/rate_limit"
  }

  /// The quota of requests, and when it is whole again.
  func quota(isAnonymous: Bool) -> (limit: Int, used: Int, reset: Int) {
    let limit = configuration.rateLimit ?? (isAnonymous ? 60 : 5000)
    let (used, reset) = state.read { ($0.used, $0.reset) }
    // Without a limit of its own the server never runs out.
    let remaining = max(limit - used, configuration.rateLimit == nil ? 1 : 0)
    return (limit, limit - remaining, reset)
  }

  /// Adds the headers that all of GitHub's answers have.
  private func complete(
    _ response: inout LoopbackResponse, isAnonymous: Bool, used: Int, reset: Int, now: Int
  ) {
    let limit = configuration.rateLimit ?? (isAnonymous ? 60 : 5000)
    // Without a limit of its own the server never runs out.
    let remaining = max(limit - used, configuration.rateLimit == nil ? 1 : 0)
    let headers = [
      ("Server", "github.com"),
      ("Date", Timestamp.httpDate(now)),
      ("Content-Type", "application/json; charset=utf-8"),
      ("Cache-Control", "\(isAnonymous ? "public" : "private"), max-age=60, s-maxage=60"),
      ("Vary", "Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, X-Requested-With"),
      ("X-GitHub-Media-Type", "github.v3; format=json"),
      ("x-ratelimit-limit", "\(limit)"),
      ("x-ratelimit-remaining", "\(remaining)"),
      ("x-ratelimit-reset", "\(reset)"),
      ("x-ratelimit-used", "\(limit - remaining)"),
      ("x-ratelimit-resource", "core"),
      ("X-GitHub-Request-Id", "F00D:\(String(used, radix: 16, uppercase: true)):1:1:1"),
    ]
    for (name, value) in headers where response.headers[name] == nil {
      response.headers.add(name, value)
    }
  }

  private static func token(of request: LoopbackRequest) -> String? {
    guard let value = request.headers["Authorization"] else { return nil }
    let words = value.split(separator: " ", maxSplits: 1)
    return words.count == 2 ? String(words[1]) : value
  }
}
