package import HTTPTargets
package import PlatformModules

/// The information about a token's budget in a response, for clients that share the budget, such as the processes on a
/// machine or the workers of a team.
package struct QuotaAnswer: Sendable, Hashable {
  package struct Quota: Sendable, Hashable {
    /// The number of requests in a window; nil if the response doesn't contain it.
    package var limit: Int?
    /// The number of remaining requests.
    package var remaining: Int
    /// The time of the reset by the server's clock. It identifies the window.
    package var reset: Int
    /// The seconds from the response to the reset.
    package var delay: Double

    package init(limit: Int? = nil, remaining: Int, reset: Int, delay: Double) {
      self.limit = limit
      self.remaining = remaining
      self.reset = reset
      self.delay = delay
    }

    /// Merges two quotas. Responses may arrive out of order, so the lowest number of the latest window counts.
    package func merged(with other: Quota) -> Quota {
      if reset != other.reset { return reset > other.reset ? self : other }
      return remaining <= other.remaining ? self : other
    }
  }

  /// The quota that the request counted toward, if the response contains it.
  package var resource: String?
  package var quota: Quota?
  /// The number of seconds for which the server requires all clients to pause.
  package var pause: Double?
  /// Whether the server doesn't send a quota, because it has no limits.
  package var isUnlimited = false

  package init(
    resource: String? = nil, quota: Quota? = nil, pause: Double? = nil, isUnlimited: Bool = false
  ) {
    self.resource = resource
    self.quota = quota
    self.pause = pause
    self.isUnlimited = isUnlimited
  }

  /// Parses the fields of
  /// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit>.
  /// `now` is used only for a response without a `Date`, so that a wrong clock doesn't matter.
  package init(_ reply: TransportReply, to request: TargetRequest, now: Date) {
    let response = TargetResponse(request: request, status: reply.status, headers: reply.headers)
    let (code, headers) = (response.status.code, response.headers)
    resource = headers[.rateLimitResource]
    if code == 403 || code == 429, let wait = response.retryAfter(now: now) {
      // The time of a secondary limit applies regardless of the remaining quota.
      pause = min(max(wait / .seconds(1), 0), RateLimit.longestDelay)
    } else if let remaining = headers.limitNumber(.rateLimitRemaining), remaining >= 0,
      let reset = headers.limitNumber(.rateLimitReset)
    {
      guard let delay = response.secondsUntilReset(now: now), delay >= 0 else { return }
      quota = Quota(
        limit: headers.limitNumber(.rateLimitLimit), remaining: remaining, reset: reset,
        delay: min(delay, RateLimit.longestDelay))
    } else {
      isUnlimited = (200..<400).contains(code)
    }
  }

  package mutating func merge(_ other: QuotaAnswer) {
    quota = quota.flatMap { known in other.quota.map(known.merged) ?? known } ?? other.quota
    pause = pause.flatMap { known in other.pause.map { max(known, $0) } ?? known } ?? other.pause
    isUnlimited = isUnlimited || other.isUnlimited
  }
}

extension TransportReply {
  /// Creates the response that the server would send because of a known limit, so the request needn't be sent. The
  /// response has no `Date`, so the end of the limit is by the local clock.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - resource: The exhausted quota; nil if the server requires all clients to pause.
  ///   - end: The end of the limit.
  ///   - now: The local time.
  package init(
    refusing request: TargetRequest, forLackOf resource: String?, until end: Date, now: Date
  ) {
    var headers = HTTPFields()
    if let resource {
      headers[.rateLimitRemaining] = "0"
      headers[.rateLimitResource] = resource
      headers[.rateLimitReset] = "\(Int(end.timeIntervalSince1970.rounded(.up)))"
    } else {
      headers[.retryAfter] = "\(max(Int(end.timeIntervalSince(now).rounded(.up)), 1))"
    }
    self.init(
      status: .forbidden, headers: headers,
      body: ResponseBody(Data(), maximumSize: request.maximumBodySize))
  }
}
