#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The rest of each of the caller's quotas: the answer of ``GitHub/rateLimit``
/// (<https://docs.github.com/en/rest/rate-limit/rate-limit>).
public struct RateLimitStatus: Hashable, Sendable {
  /// The quota of one kind of requests.
  public struct Quota: Hashable, Sendable {
    /// The most requests until ``resetTime``.
    public var limit: Int
    /// How many of them were made.
    public var used: Int
    /// How many are left.
    public var remaining: Int
    /// The time when the quota is renewed, in seconds since 1970 by the server's clock.
    public var resetTime: Int

    /// Makes a quota.
    public init(limit: Int, used: Int, remaining: Int, resetTime: Int) {
      self.limit = limit
      self.used = used
      self.remaining = remaining
      self.resetTime = resetTime
    }

    /// ``resetTime`` as a date.
    public var resetDate: Date { Date(timeIntervalSince1970: Double(resetTime)) }
  }

  /// The quotas by their names: `core`, `search`, `graphql` and others, as the server calls them.
  public var resources: [String: Quota]

  /// Makes a status.
  public init(resources: [String: Quota]) {
    self.resources = resources
  }

  /// The names of the quotas: the best known first, then the others in alphabetical order.
  public var names: [String] {
    let known = ["core", "search", "graphql"].filter { resources[$0] != nil }
    return known + resources.keys.filter { !known.contains($0) }.sorted()
  }
}

extension RateLimitStatus: Codable {
  private enum CodingKeys: String, CodingKey {
    case resources
    case rate
  }

  /// Decodes a status. Servers that know one quota only give it as `rate`: it becomes `core`, as GitHub
  /// calls it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let resources = try container.decodeIfPresent([String: Quota].self, forKey: .resources) {
      self.resources = resources
    } else {
      resources = ["core": try container.decode(Quota.self, forKey: .rate)]
    }
  }

  /// Encodes the status under `resources`, as GitHub does.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(resources, forKey: .resources)
  }
}

extension RateLimitStatus.Quota: Codable {
  private enum CodingKeys: String, CodingKey {
    case limit
    case used
    case remaining
    case resetTime = "reset"
  }

  /// Decodes a quota. Enterprise servers of before 2021 don't say how much of it was used.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    limit = try container.decode(Int.self, forKey: .limit)
    remaining = try container.decode(Int.self, forKey: .remaining)
    resetTime = try container.decode(Int.self, forKey: .resetTime)
    let (difference, overflows) = limit.subtractingReportingOverflow(remaining)
    used =
      try container.decodeIfPresent(Int.self, forKey: .used)
      ?? (overflows ? 0 : max(0, difference))
  }
}
