internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a request may do, by the budget that all processes share.
enum BudgetReservation: Sendable, Hashable {
  /// It may be sent. ``SharedBudgetFile/finish(_:_:_:at:)`` must follow.
  case granted(UInt64)
  /// As many requests of all processes are under way as are left.
  case full
  /// Nothing is left until then, by the local clock.
  case spent(until: Date)
  /// The server asks everybody to slow down until then, by the local clock.
  case paused(until: Date)
  /// Nothing is known: the file can't be read or written.
  case unknown
}

/// What the end of a request says to all processes.
struct BudgetAnswer: Sendable, Hashable {
  struct Quota: Sendable, Hashable {
    /// How many there are in a window; nil if the server doesn't say.
    var limit: Int?
    var remaining: Int
    /// By the server's clock. It identifies the window.
    var reset: Int
    /// In seconds, from the answer until then.
    var delay: Double
  }

  /// The quota that the request counted against, if the answer names it.
  var resource: String?
  var quota: Quota?
  /// For how long the server asks everybody to slow down, in seconds.
  var pause: Double?
  /// Whether the server answered, and told of no quota: it has none.
  var isUnlimited = false
  /// False if the server was never reached.
  var mayHaveArrived = true

  init(
    resource: String? = nil, quota: Quota? = nil, pause: Double? = nil, isUnlimited: Bool = false,
    mayHaveArrived: Bool = true
  ) {
    self.resource = resource
    self.quota = quota
    self.pause = pause
    self.isUnlimited = isUnlimited
    self.mayHaveArrived = mayHaveArrived
  }

  /// Reads the fields of
  /// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit>.
  /// `now` is for a response without a `Date`, so that a wrong clock doesn't matter.
  init(_ reply: TransportReply, to request: TargetRequest, now: Date) {
    let response = TargetResponse(request: request, status: reply.status, headers: reply.headers)
    let (code, headers) = (response.status.code, response.headers)
    func number(_ name: String) -> Int? {
      HTTPField.Name("x-ratelimit-\(name)").flatMap { headers[$0] }.flatMap { Int($0) }
    }
    resource = HTTPField.Name("x-ratelimit-resource").flatMap { headers[$0] }
    if code == 403 || code == 429, let wait = response.retryAfter(now: now) {
      // A secondary limit's time counts, whatever is left of a quota.
      pause = wait / .seconds(1)
    } else if let remaining = number("remaining"), remaining >= 0, let reset = number("reset") {
      let delay = Double(reset) - (response.serverDate ?? now).timeIntervalSince1970
      if delay >= 0 {
        quota = Quota(limit: number("limit"), remaining: remaining, reset: reset, delay: delay)
      }
    } else {
      isUnlimited = (200..<400).contains(code)
    }
  }
}
