public import PlatformModules

/// The state of all quotas of the caller: the response to ``GitHub/rateLimit``
/// (<https://docs.github.com/en/rest/rate-limit/rate-limit>).
public struct RateLimitStatus: Hashable, Sendable {
  /// The quota for one kind of request.
  public struct Quota: Hashable, Sendable {
    /// The maximum number of requests until ``resetTime``.
    public var limit: Int
    /// The number of requests used.
    public var used: Int
    /// The number of remaining requests.
    public var remaining: Int
    /// The time when the quota is renewed, in seconds since 1970 by the server's clock.
    public var resetTime: Int

    /// Creates a quota.
    public init(limit: Int, used: Int, remaining: Int, resetTime: Int) {
      self.limit = limit
      self.used = used
      self.remaining = remaining
      self.resetTime = resetTime
    }

    /// ``resetTime`` as a date.
    public var resetDate: Date { Date(timeIntervalSince1970: Double(resetTime)) }
  }

  /// The quotas by the server's names, such as `core`, `search` and `graphql`.
  public var resources: [String: Quota]

  /// Creates a status.
  public init(resources: [String: Quota]) {
    self.resources = resources
  }

  /// The names of the quotas: the common ones first, then the others in alphabetical order.
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

  /// Decodes a status. Servers with a single quota name it `rate`; it becomes `core`, GitHub's name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let resources = try container.decodeIfPresent([String: Quota].self, forKey: .resources) {
      self.resources = resources
    } else {
      resources = ["core": try container.decode(Quota.self, forKey: .rate)]
    }
  }

  /// Encodes the status under the key `resources`, as GitHub does.
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

  /// Decodes a quota. Enterprise servers before 2021 don't send the number of used requests.
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
