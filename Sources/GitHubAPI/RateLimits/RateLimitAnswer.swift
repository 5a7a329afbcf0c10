internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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
