internal import GitHubAPI
internal import PlatformModules

/// The content of a ``SharedBudgetFile``: the limits of one server for one token, as far as all processes know them.
///
/// Times are seconds since 1970 by this machine's clock, which the processes share. The remaining quota is the lowest
/// number in a response, minus the requests in flight, because each of them may or may not be included in that number.
/// Therefore no request is sent that might exceed the quota. A later response corrects the number.
struct SharedBudget: Sendable, Hashable {
  struct Quota: Sendable, Hashable {
    /// The number of requests in a window; nil if it isn't known.
    var limit: Int?
    /// The remaining requests; nil if the server reported no quota, and therefore has none.
    var remaining: Int?
    /// The end of the window by the server's clock; 0 for a window that no response has described yet.
    var reset: Int
    var until: Double
  }

  struct Ticket: Sendable, Hashable {
    var id: UInt64
    var resource: String
    var since: Double
  }

  /// The points of an interval of several seconds.
  struct Spending: Sendable, Hashable {
    var since: Double
    var points: Int
  }

  /// The maximum number of requests in flight while no quota is known.
  static let mostUnknown = 4
  /// The maximum number of requests in flight in all processes. GitHub rejects more than 100.
  static let mostInFlight = 90
  /// The maximum time in flight. The server has counted an older request, or will never receive it.
  static let longestFlight = 30.0
  /// The margin for a reset, because a response specifies it in whole seconds.
  static let margin = 1.0
  /// The maximum number of quotas. It protects against a server that sends a different quota in each response.
  static let mostQuotas = 64
  /// GitHub's secondary limit for REST. Reading costs one point, and writing costs five
  /// (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits>).
  static let mostPointsInMinute = 900
  /// The length, in seconds, of the intervals whose points are added up. All points of an interval count at its end, so
  /// that a minute needs only a few lines in the file.
  static let spendingLength = 5.0
  /// The maximum delay. No limit of GitHub lasts a day.
  static let longestDelay = 86_400.0

  var quotas: [String: Quota] = [:]
  var tickets: [Ticket] = []
  /// The intervals of the last minute, oldest first.
  var spendings: [Spending] = []
  /// The time until which the server has asked all clients to slow down.
  var pause = 0.0

  /// Reserves a request under an ID, if it may be sent now. The request costs this many points of the minute's budget.
  mutating func reserve(
    _ resource: String, points: Int = 1, ofMinute most: Int = mostPointsInMinute, id: UInt64,
    at now: Double
  ) -> BudgetReservation {
    advance(to: now)
    if pause > now { return .paused(until: Date(timeIntervalSince1970: pause)) }
    let known = quotas[resource]
    let inFlight = tickets.count { $0.resource == resource }
    if let known, known.remaining == 0 {
      return .spent(until: Date(timeIntervalSince1970: known.until))
    }
    let room =
      known == nil ? Self.mostUnknown : known?.remaining ?? Self.mostInFlight
    guard inFlight < room, tickets.count < Self.mostInFlight else { return .full }
    // A server without quotas doesn't have the limit per minute either.
    let isLimited = known.map { $0.remaining != nil } ?? true
    guard !isLimited || spendings.reduce(0, { $0 + $1.points }) + points <= most else {
      return .full
    }
    tickets.append(Ticket(id: id, resource: resource, since: now))
    spend(points, at: now)
    return .granted(id)
  }

  private mutating func spend(_ points: Int, at now: Double) {
    if let last = spendings.last, last.since + Self.spendingLength > now {
      spendings[spendings.count - 1].points += points
    } else {
      spendings.append(Spending(since: now, points: points))
    }
  }

  /// Ends a reservation. If no response corrects the count, the request is assumed to be counted, unless it can't have
  /// arrived.
  mutating func finish(
    _ id: UInt64, _ resource: String, _ answer: QuotaAnswer, mayHaveArrived: Bool = true,
    at now: Double
  ) {
    advance(to: now)
    let wasKnown = tickets.contains { $0.id == id }
    tickets.removeAll { $0.id == id }
    if let seconds = answer.pause { pause = max(pause, now + Self.bounded(seconds)) }
    let resource = answer.resource.map(Self.name) ?? resource
    guard quotas[resource] != nil || quotas.count < Self.mostQuotas else { return }
    if let quota = answer.quota {
      note(quota, of: resource, at: now)
    } else if answer.isUnlimited, quotas[resource]?.remaining == nil {
      quotas[resource] = Quota(remaining: nil, reset: 0, until: now + 3600)
    } else if wasKnown, mayHaveArrived {
      countUnanswered(resource)
    }
  }

  /// Counts a request without a response, because the server may have counted it.
  private mutating func countUnanswered(_ resource: String) {
    guard let remaining = quotas[resource]?.remaining else { return }
    quotas[resource]?.remaining = max(remaining - 1, 0)
  }

  private mutating func note(_ quota: QuotaAnswer.Quota, of resource: String, at now: Double) {
    let noted = Quota(
      limit: quota.limit, remaining: max(quota.remaining, 0), reset: quota.reset,
      until: now + Self.bounded(quota.delay))
    guard let known = quotas[resource], let remaining = known.remaining else {
      quotas[resource] = noted
      return
    }
    // Responses may arrive out of order. Within a window, the lowest number is used; of two windows, the later one.
    if known.reset > quota.reset, quota.reset > 0 { return }
    if known.reset < quota.reset {
      quotas[resource] = noted
    } else {
      quotas[resource]?.remaining = min(remaining, noted.remaining ?? remaining)
      if quota.remaining == 0 { quotas[resource]?.until = max(known.until, noted.until) }
    }
  }

  private mutating func advance(to now: Double) {
    // If the clock was set back, some times are in the future, and would delay requests for too long. Responses are
    // recorded in any order, so a difference of a second is ignored.
    let lost = tickets.filter { $0.since + Self.longestFlight <= now || $0.since > now + 1 }
    tickets.removeAll(where: lost.contains)
    for ticket in lost { countUnanswered(ticket.resource) }
    spendings.removeAll { $0.since + 60 + Self.spendingLength <= now || $0.since > now + 1 }
    if pause > now + Self.longestDelay + 1 { pause = 0 }
    for (resource, quota) in quotas {
      let isOver = quota.until + Self.margin <= now
      guard isOver || quota.until > now + Self.longestDelay + 1 else { continue }
      if isOver, let limit = quota.limit, quota.remaining != nil {
        // A window is assumed to be as large as the last one until a response corrects it.
        quotas[resource] = Quota(
          limit: limit, remaining: limit, reset: quota.reset, until: now + 3600)
      } else {
        quotas[resource] = nil
      }
    }
  }

  private static func bounded(_ seconds: Double) -> Double {
    min(max(seconds, 0), Self.longestDelay)
  }

  /// The name in a form that is valid in a line.
  static func name(_ resource: String) -> String {
    String(resource.prefix(64).map { $0.isASCII && ($0.isLetter || $0 == "_") ? $0 : "-" })
  }
}

/// The text of the file: a line for each value, and a checksum.
extension SharedBudget {
  private static let mark = "rate limits 1"

  /// Reads the text of a file; nil if it is invalid.
  init?(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.popLast() == "", let sum = lines.popLast(), lines.first == Self.mark[...],
      sum == "end \(Self.checksum(lines))"
    else { return nil }
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      switch (words.first, words.count) {
      case ("pause", 2):
        guard let until = Self.time(words[1]) else { return nil }
        pause = until
      case ("quota", 6):
        guard let reset = Int(words[4]), let until = Self.time(words[5]) else { return nil }
        quotas[String(words[1])] = Quota(
          limit: Int(words[2]), remaining: Int(words[3]).map { max($0, 0) }, reset: reset,
          until: until)
      case ("points", 3):
        guard let since = Self.time(words[1]), let points = Int32(words[2]), points > 0 else {
          return nil
        }
        spendings.append(Spending(since: since, points: Int(points)))
      case ("sent", 4):
        guard let id = UInt64(words[1]), let since = Self.time(words[3]) else { return nil }
        tickets.append(Ticket(id: id, resource: String(words[2]), since: since))
      default: return nil
      }
    }
  }

  var text: String {
    var lines = [Self.mark, "pause \(Self.text(pause))"]
    for (resource, quota) in quotas.sorted(by: { $0.key < $1.key }) {
      let limit = quota.limit.map { "\($0)" } ?? "-"
      let remaining = quota.remaining.map { "\($0)" } ?? "-"
      lines.append(
        "quota \(resource) \(limit) \(remaining) \(quota.reset) \(Self.text(quota.until))")
    }
    for ticket in tickets {
      lines.append("sent \(ticket.id) \(ticket.resource) \(Self.text(ticket.since))")
    }
    for spending in spendings {
      lines.append("points \(Self.text(spending.since)) \(spending.points)")
    }
    let sum = Self.checksum(lines.map { $0[...] })
    return (lines + ["end \(sum)", ""]).joined(separator: "\n")
  }

  /// The time in milliseconds.
  private static func text(_ time: Double) -> String { "\(Int(time * 1000))" }

  private static func time(_ text: Substring) -> Double? {
    guard let value = Int(text), (0...Int(Int32.max) * 4000).contains(value) else { return nil }
    return Double(value) / 1000
  }

  /// The FNV-1a hash. It detects a half-written file, not an attack.
  private static func checksum(_ lines: [Substring]) -> String {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for line in lines {
      for byte in line.utf8 + [0x0A] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(sum, radix: 16)
  }
}
