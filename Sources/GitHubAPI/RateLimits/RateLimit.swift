internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A limit that an answer with status 403 or 429 reports.
///
/// The rules are GitHub's
/// (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>), with what
/// recorded answers add: some carry no header at all, only a text or a documentation link. An answer that
/// reports none of both kinds is a refusal for want of permission.
struct RateLimit {
  /// Which limit it is.
  enum Kind {
    /// The quota of an hour is used up.
    case primary
    /// Too much at once.
    case secondary
  }

  let kind: Kind
  /// How many seconds after the answer it ends, by the server's own clock; nil where the server doesn't
  /// say.
  let delay: Double?
  /// When it ends, by the local clock; nil where the server doesn't say.
  let retryDate: Date?

  /// Reads an answer; nil when it is a failure of another kind.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - body: What its body says, if anything.
  ///   - now: The local time at which the answer came. The server's times are measured against its own
  ///     `Date`, so that a clock that is wrong on either side doesn't matter.
  init?(_ response: Response, _ body: GitHubErrorBody?, now: Date) {
    guard let (kind, delay) = Self.classify(response, body, now: now) else { return nil }
    self.kind = kind
    // A day is more than any limit of GitHub lasts; the bound keeps whatever is sent a time to wait.
    self.delay = delay.map { min(max($0, 0), Self.longestDelay) }
    retryDate = self.delay.map(now.addingTimeInterval)
  }

  /// The most seconds that a limit can last.
  static let longestDelay = 86_400.0

  private static func classify(
    _ response: Response, _ body: GitHubErrorBody?, now: Date
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

  /// What is told to a person.
  static func message(_ kind: Kind, until date: Date?) -> String {
    let which =
      switch kind {
      case .primary: "the rate limit of the API is used up"
      case .secondary: "the API asks to slow down (secondary rate limit)"
      }
    return date.map { "\(which) until \(Timestamp.string(from: $0))" } ?? which
  }
}

extension Response {
  /// How many seconds after the answer the quota is whole again, negative where that is over.
  func secondsUntilReset(now: Date) -> Double? {
    headers[.rateLimitReset].flatMap { Int($0) }
      .map { Double($0) - (serverDate ?? now).timeIntervalSince1970 }
  }
}

extension HTTPField.Name {
  /// How many requests of the quota are left.
  static let rateLimitRemaining = HTTPField.Name("x-ratelimit-remaining").known
  /// When the quota is whole again, in seconds since 1970.
  static let rateLimitReset = HTTPField.Name("x-ratelimit-reset").known
  /// Which quota it is, such as `core` or `search`.
  static let rateLimitResource = HTTPField.Name("x-ratelimit-resource").known
}

/// What an answer says of limits.
struct RateLimitAnswer: Sendable, Hashable {
  /// How much of a quota is left.
  struct Quota: Sendable, Hashable {
    /// How many requests.
    var remaining: Int
    /// When it is whole again, as the server counts: it tells one window from the next.
    var reset: Int
    /// How long after the answer that is; zero or more.
    var delay: Duration
  }

  /// The limit that the request ran into.
  struct Limit: Sendable, Hashable {
    var kind: RateLimit.Kind
    /// How long after the answer it ends; nil where the server doesn't say.
    var delay: Duration?
  }

  /// Which quota the request counted against; nil when the server doesn't say.
  var resource: String?
  /// What is left of it.
  var quota: Quota?
  /// The limit that the request ran into; nil when it didn't.
  var limit: Limit?
  /// How many redirects led to it.
  var redirects: Int

  /// Puts an answer together.
  init(resource: String? = nil, quota: Quota? = nil, limit: Limit? = nil, redirects: Int = 0) {
    self.resource = resource
    self.quota = quota
    self.limit = limit
    self.redirects = redirects
  }

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - now: The local time at which it came, used where it has no `Date`.
  init(_ response: Response, now: Date) {
    let isRefusal = response.status.code == 403 || response.status.code == 429
    let found = isRefusal ? RateLimit(response, GitHubErrorBody(response.body), now: now) : nil
    limit = found.map { Limit(kind: $0.kind, delay: $0.delay.map { .seconds($0) }) }
    resource = response.headers[.rateLimitResource]
    redirects = response.redirects.count
    // A time that a secondary limit names is the time to come back at, whatever is left of a quota.
    guard limit?.kind != .secondary,
      let remaining = response.headers[.rateLimitRemaining].flatMap({ Int($0) }), remaining >= 0,
      let reset = response.headers[.rateLimitReset].flatMap({ Int($0) }),
      let delay = response.secondsUntilReset(now: now), delay >= 0
    else { return }
    quota = Quota(
      remaining: remaining, reset: reset, delay: .seconds(min(delay, RateLimit.longestDelay)))
  }
}
