internal import IssueMirror

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What answers say about a token's budget.
struct QuotaAnswer: Sendable, Hashable {
  struct Quota: Sendable, Hashable {
    /// How many requests there are in a window; nil if the answer doesn't say.
    var limit: Int?
    /// How many are left.
    var remaining: Int
    /// By the server's clock. It identifies the window.
    var reset: Int
    /// In seconds, from the answer until then.
    var delay: Double

    /// Answers overtake each other: the lowest number of the latest window counts.
    func merged(with other: Quota) -> Quota {
      if reset != other.reset { return reset > other.reset ? self : other }
      return remaining <= other.remaining ? self : other
    }
  }

  var quota: Quota?
  /// For how long the server asks everybody to slow down, in seconds.
  var pause: Double?
  /// Whether the server tells of no quota: it has none.
  var isUnlimited = false

  init(quota: Quota? = nil, pause: Double? = nil, isUnlimited: Bool = false) {
    self.quota = quota
    self.pause = pause
    self.isUnlimited = isUnlimited
  }

  /// Reads the fields of
  /// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit>.
  /// `now` is for an answer without a `Date`, so that a wrong clock doesn't matter. An answer that counts against
  /// another quota than the request seemed to says nothing about this one.
  init(_ reply: TransportReply, to request: TargetRequest, on resource: String, now: Date) {
    let response = TargetResponse(request: request, status: reply.status, headers: reply.headers)
    let (code, headers) = (response.status.code, response.headers)
    func field(_ name: String) -> String? {
      HTTPField.Name("x-ratelimit-\(name)").flatMap { headers[$0] }
    }
    if code == 403 || code == 429, let wait = response.retryAfter(now: now) {
      // A secondary limit's time counts, whatever is left of a quota.
      pause = min(max(wait / .seconds(1), 0), Self.longestDelay)
    } else if let remaining = field("remaining").flatMap({ Int($0) }), remaining >= 0,
      let reset = field("reset").flatMap({ Int($0) })
    {
      let delay = Double(reset) - (response.serverDate ?? now).timeIntervalSince1970
      guard delay >= 0, field("resource") ?? resource == resource else { return }
      quota = Quota(
        limit: field("limit").flatMap { Int($0) }, remaining: min(remaining, 1 << 40), reset: reset,
        delay: min(delay, Self.longestDelay))
    } else {
      isUnlimited = (200..<400).contains(code)
    }
  }

  /// In seconds. No limit of GitHub lasts a day.
  private static let longestDelay = 86_400.0

  mutating func merge(_ other: QuotaAnswer) {
    quota = quota.flatMap { known in other.quota.map(known.merged) ?? known } ?? other.quota
    pause = pause.flatMap { known in other.pause.map { max(known, $0) } ?? known } ?? other.pause
    isUnlimited = isUnlimited || other.isUnlimited
  }
}
