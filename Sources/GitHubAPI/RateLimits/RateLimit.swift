internal import HTTPTargets
internal import PlatformModules

/// A limit that a 403 or 429 reports, according to
/// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api> and recorded responses. Some
/// responses have only a message or a documentation link instead of header fields.
struct RateLimit {
  enum Kind {
    /// The hourly quota is used up.
    case primary
    /// There were too many requests in a short time.
    case secondary
  }

  let kind: Kind
  /// The time until the end, in seconds from the response; nil if the server doesn't send it.
  let delay: Double?
  /// The end by the local clock; nil if the server doesn't send it.
  let retryDate: Date?

  /// Detects a limit; nil for other failures. Times are relative to the server's own `Date`, so that a wrong local
  /// clock doesn't matter.
  init?(_ response: TargetResponse, _ body: GitHubErrorBody?, now: Date) {
    guard let (kind, delay) = Self.classify(response, body, now: now) else { return nil }
    self.kind = kind
    // GitHub's limits never last a day. The bound changes any value to a reasonable wait.
    self.delay = delay.map { min(max($0, 0), Self.longestDelay) }
    retryDate = self.delay.map(now.addingTimeInterval)
  }

  /// The maximum wait in seconds.
  static let longestDelay = 86_400.0

  private static func classify(
    _ response: TargetResponse, _ body: GitHubErrorBody?, now: Date
  ) -> (Kind, delay: Double?)? {
    guard response.status.code == 403 || response.status.code == 429 else { return nil }
    if response.headers.contains(.retryAfter) {
      return (.secondary, response.retryAfter(now: now).map { $0 / .seconds(1) })
    }
    if response.headers[.rateLimitRemaining] == "0" {
      return (.primary, response.secondsUntilReset(now: now))
    }
    let said = ((body?.message ?? "") + " " + (body?.documentationURL ?? "")).lowercased()
    let signs = [
      "secondary rate limit", "secondary-rate-limit", "abuse detection", "abuse-rate-limit",
    ]
    if signs.contains(where: said.contains) { return (.secondary, nil) }
    guard response.status.code == 429 || said.contains("rate limit exceeded") else { return nil }
    return (.primary, nil)
  }

  var message: String { Self.message(kind, until: retryDate) }

  static func message(_ kind: Kind, until date: Date?) -> String {
    let which =
      switch kind {
      case .primary: "the rate limit of the API is used up"
      case .secondary: "the API asks to slow down (secondary rate limit)"
      }
    return date.map { "\(which) until \(Timestamp.string(from: $0))" } ?? which
  }
}

extension HTTPFields {
  /// Returns a number of a rate limit. It is bounded, because budgets calculate with it.
  func limitNumber(_ name: HTTPField.Name) -> Int? {
    self[name].flatMap { Int($0) }.map { Swift.min(Swift.max($0, -1), 1 << 40) }
  }
}

extension TargetResponse {
  /// Returns the number of seconds until the reset; negative if it has passed.
  func secondsUntilReset(now: Date) -> Double? {
    headers.limitNumber(.rateLimitReset)
      .map { Double($0) - (serverDate ?? now).timeIntervalSince1970 }
  }
}

extension HTTPField.Name {
  static let rateLimitLimit = HTTPField.Name("x-ratelimit-limit").known
  static let rateLimitRemaining = HTTPField.Name("x-ratelimit-remaining").known
  static let rateLimitReset = HTTPField.Name("x-ratelimit-reset").known
  static let rateLimitResource = HTTPField.Name("x-ratelimit-resource").known
}

struct RateLimitAnswer: Sendable, Hashable {
  struct Quota: Sendable, Hashable {
    var remaining: Int
    /// The time of the reset by the server's clock. It identifies the window.
    var reset: Int
    /// The time from the response until the reset; zero or more.
    var delay: Duration
  }

  struct Limit: Sendable, Hashable {
    var kind: RateLimit.Kind
    /// The time from the response until the end; nil if the server doesn't send it.
    var delay: Duration?
  }

  /// The quota that the request counts toward.
  var resource: String?
  var quota: Quota?
  var limit: Limit?
  var redirects: Int

  init(resource: String? = nil, quota: Quota? = nil, limit: Limit? = nil, redirects: Int = 0) {
    self.resource = resource
    self.quota = quota
    self.limit = limit
    self.redirects = redirects
  }

  /// Parses a response. `now` is used only for a response without a `Date`.
  init(_ response: TargetResponse, now: Date) {
    let isRefusal = response.status.code == 403 || response.status.code == 429
    let found = isRefusal ? RateLimit(response, GitHubErrorBody(response.body), now: now) : nil
    limit = found.map { Limit(kind: $0.kind, delay: $0.delay.map { .seconds($0) }) }
    resource = response.headers[.rateLimitResource]
    redirects = response.redirects.count
    // The time of a secondary limit applies regardless of the remaining quota.
    guard limit?.kind != .secondary,
      let remaining = response.headers.limitNumber(.rateLimitRemaining), remaining >= 0,
      let reset = response.headers.limitNumber(.rateLimitReset),
      let delay = response.secondsUntilReset(now: now), delay >= 0
    else { return }
    quota = Quota(
      remaining: remaining, reset: reset, delay: .seconds(min(delay, RateLimit.longestDelay)))
  }
}
