/// The limits of one quota of the loopback GitHub, for each token and for all anonymous clients together. Times are
/// seconds since 1970.
struct LoopbackRateLimits: Sendable {
  /// The decision on a request.
  enum Decision: Sendable, Equatable {
    /// It is admitted.
    case admitted
    /// The quota is used up for the next `reset` seconds.
    case primaryLimit(reset: Int)
    /// Too many points were spent in a minute. There are some again after `retryAfter` seconds.
    case secondaryLimit(retryAfter: Int)
  }

  /// The state of a client's quota.
  struct Standing: Sendable, Equatable {
    var limit: Int
    var used: Int
    var remaining: Int
    /// The end of the window.
    var reset: Int
  }

  private struct Client: Sendable {
    var used = 0
    var reset: Int
    var spent: [(at: Int, points: Int)] = []
  }

  /// The requests in a window; nil for no limit.
  let limit: Int?
  /// The length of a window in seconds.
  let window: Int
  /// The points in a minute; nil for no limit.
  let pointsPerMinute: Int?
  /// GitHub's own limits, shown if there is no other.
  let usual: (anonymous: Int, authorised: Int)

  private var clients: [String?: Client] = [:]

  init(
    limit: Int?, window: Int, pointsPerMinute: Int?,
    usual: (anonymous: Int, authorised: Int) = (60, 5000)
  ) {
    self.limit = limit
    self.window = max(window, 1)
    self.pointsPerMinute = pointsPerMinute
    self.usual = usual
  }

  /// Counts a request, unless it is refused.
  ///
  /// - Parameters:
  ///   - token: The token; nil for an anonymous request.
  ///   - method: Reading costs one point, anything else five.
  ///   - isFree: Whether it counts against no quota.
  ///   - now: The time.
  /// - Returns: The decision.
  mutating func charge(_ token: String?, method: String, isFree: Bool, now: Int) -> Decision {
    var client = client(token, now: now)
    defer { clients[token] = client }
    client.spent.removeAll { $0.at + 60 <= now }
    let points = ["GET", "HEAD", "OPTIONS"].contains(method) ? 1 : 5
    if let pointsPerMinute {
      var excess = client.spent.reduce(points) { $0 + $1.points } - pointsPerMinute
      for entry in client.spent where excess > 0 {
        excess -= entry.points
        if excess <= 0 { return .secondaryLimit(retryAfter: max(entry.at + 60 - now, 1)) }
      }
    }
    if let limit, !isFree, client.used >= limit {
      return .primaryLimit(reset: client.reset - now)
    }
    if pointsPerMinute != nil { client.spent.append((now, points)) }
    if !isFree { client.used += 1 }
    return .admitted
  }

  /// Uncounts a request that turned out to cost nothing.
  mutating func refund(_ token: String?, now: Int) {
    var client = client(token, now: now)
    client.used = max(client.used - 1, 0)
    clients[token] = client
  }

  /// The state of a client's quota.
  func standing(of token: String?, now: Int) -> Standing {
    let client = client(token, now: now)
    // Without its own limit, the server shows GitHub's but never gets near it: a client sends no more requests at once
    // than are left.
    let shown = limit ?? (token == nil ? usual.anonymous : usual.authorised)
    let remaining = max(shown - client.used, limit == nil ? shown / 2 : 0)
    return Standing(
      limit: shown, used: shown - remaining, remaining: remaining, reset: client.reset)
  }

  private func client(_ token: String?, now: Int) -> Client {
    guard var client = clients[token] else { return Client(reset: now + window) }
    if now >= client.reset {
      client.used = 0
      client.reset = now + window
    }
    return client
  }
}
