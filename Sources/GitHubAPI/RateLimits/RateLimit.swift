internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A limit that an answer with status 403 or 429 reports.
///
/// The rules are GitHub's (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>),
/// extended by recorded answers: some have no header at all, only a text or a documentation link. An answer
/// that reports neither limit is a refusal for lack of permission.
struct RateLimit {
  enum Kind {
    /// The hour's quota is used up.
    case primary
    /// Too many requests at once.
    case secondary
  }

  let kind: Kind
  /// The seconds from the answer to its end, by the server's clock; nil if the server doesn't say.
  let delay: Double?
  /// Its end, by the local clock; nil if the server doesn't say.
  let retryDate: Date?

  /// Reads an answer; nil if it is a failure of another kind.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - body: Its body, if it could be read.
  ///   - now: The local time when the answer arrived. The server's times are measured against its own `Date`,
  ///     so that a wrong clock on either side doesn't matter.
  init?(_ response: Response, _ body: GitHubErrorBody?, now: Date) {
    guard let (kind, delay) = Self.classify(response, body, now: now) else { return nil }
    self.kind = kind
    // No limit of GitHub lasts a day. The bound turns any value into a reasonable wait.
    self.delay = delay.map { min(max($0, 0), Self.longestDelay) }
    retryDate = self.delay.map(now.addingTimeInterval)
  }

  /// The longest limit, in seconds.
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

  /// The message for a person.
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
  /// The seconds from the answer until the quota is renewed; negative if that is over.
  func secondsUntilReset(now: Date) -> Double? {
    headers[.rateLimitReset].flatMap { Int($0) }
      .map { Double($0) - (serverDate ?? now).timeIntervalSince1970 }
  }
}

extension HTTPField.Name {
  /// The requests left in the quota.
  static let rateLimitRemaining = HTTPField.Name("x-ratelimit-remaining").known
  /// The time when the quota is renewed, in seconds since 1970.
  static let rateLimitReset = HTTPField.Name("x-ratelimit-reset").known
  /// The name of the quota, such as `core` or `search`.
  static let rateLimitResource = HTTPField.Name("x-ratelimit-resource").known
}

/// The limits in an answer.
struct RateLimitAnswer: Sendable, Hashable {
  /// The rest of a quota.
  struct Quota: Sendable, Hashable {
    var remaining: Int
    /// The time when it is renewed, by the server's clock. It identifies the window.
    var reset: Int
    /// The time from the answer until then; zero or more.
    var delay: Duration
  }

  /// The limit that the request ran into.
  struct Limit: Sendable, Hashable {
    var kind: RateLimit.Kind
    /// The time from the answer to its end; nil if the server doesn't say.
    var delay: Duration?
  }

  /// The quota that the request counted against; nil if the server doesn't say.
  var resource: String?
  /// The rest of that quota.
  var quota: Quota?
  /// The limit that the request met; nil for none.
  var limit: Limit?
  /// The redirects that led to the answer.
  var redirects: Int

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
  ///   - now: The local time when it arrived, for an answer without a `Date`.
  init(_ response: Response, now: Date) {
    let isRefusal = response.status.code == 403 || response.status.code == 429
    let found = isRefusal ? RateLimit(response, GitHubErrorBody(response.body), now: now) : nil
    limit = found.map { Limit(kind: $0.kind, delay: $0.delay.map { .seconds($0) }) }
    resource = response.headers[.rateLimitResource]
    redirects = response.redirects.count
    // The time in a secondary limit counts, whatever is left of a quota.
    guard limit?.kind != .secondary,
      let remaining = response.headers[.rateLimitRemaining].flatMap({ Int($0) }), remaining >= 0,
      let reset = response.headers[.rateLimitReset].flatMap({ Int($0) }),
      let delay = response.secondsUntilReset(now: now), delay >= 0
    else { return }
    quota = Quota(
      remaining: remaining, reset: reset, delay: .seconds(min(delay, RateLimit.longestDelay)))
  }
}
