internal import PlatformModules

extension GitHub {
  /// The number of an issue's sub-issues, in total and completed.
  public struct SubIssuesSummary: Hashable, Sendable {
    /// The number of direct sub-issues.
    public var total: Int
    /// The number of closed direct sub-issues.
    public var completed: Int

    /// Creates a summary.
    public init(total: Int, completed: Int) {
      self.total = total
      self.completed = completed
    }
  }

  /// The numbers of issues that block an issue or that it blocks.
  public struct DependenciesSummary: Hashable, Sendable {
    /// The number of open issues that block the issue.
    public var blockedBy: Int
    /// The number of open issues that the issue blocks.
    public var blocking: Int
    /// The number of open and closed issues that block or blocked the issue.
    public var totalBlockedBy: Int
    /// The number of open and closed issues that the issue blocks or blocked.
    public var totalBlocking: Int

    /// Creates a summary.
    public init(
      blockedBy: Int = 0, blocking: Int = 0, totalBlockedBy: Int = 0, totalBlocking: Int = 0
    ) {
      self.blockedBy = blockedBy
      self.blocking = blocking
      self.totalBlockedBy = totalBlockedBy
      self.totalBlocking = totalBlocking
    }
  }
}

extension GitHub.SubIssuesSummary: Codable {
  private enum CodingKeys: String, CodingKey {
    case total
    case completed
    case percent = "percent_completed"
  }

  /// Decodes a summary. A missing number is 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      total: try container.decodeCountIfPresent(forKey: .total) ?? 0,
      completed: try container.decodeCountIfPresent(forKey: .completed) ?? 0)
  }

  /// Encodes the summary in GitHub's format, including the percentage.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(total, forKey: .total)
    try container.encode(completed, forKey: .completed)
    // Calculated as `Double`, because numbers from a server may be of any size.
    let share = total > 0 ? Double(completed) / Double(total) * 100 : 0
    try container.encode(Int(min(max(share, 0), 100)), forKey: .percent)
  }
}

extension GitHub.DependenciesSummary: Codable {
  private enum CodingKeys: String, CodingKey {
    case blockedBy = "blocked_by"
    case blocking
    case totalBlockedBy = "total_blocked_by"
    case totalBlocking = "total_blocking"
  }

  /// Decodes a summary. A missing number is 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Int {
      try container.decodeCountIfPresent(forKey: key) ?? 0
    }
    self.init(
      blockedBy: try number(.blockedBy), blocking: try number(.blocking),
      totalBlockedBy: try number(.totalBlockedBy), totalBlocking: try number(.totalBlocking))
  }
}

/// The repository and the number of an issue, as in URLs of the API.
public struct IssuePlace: Hashable, Sendable {
  /// The repository.
  public let repository: RepositoryName
  /// The number, starting at 1.
  public let number: Int

  /// Creates a place.
  public init(repository: RepositoryName, number: Int) {
    self.repository = repository
    self.number = number
  }

  /// Parses a URL of the API, such as `https://api.github.com/repos/OWNER/REPO/issues/12`; nil for any other text.
  public init?(_ apiURL: String) {
    let parts = apiURL.split(separator: "/", omittingEmptySubsequences: false).suffix(5)
      .map(String.init)
    guard parts.count == 5, parts[0] == "repos", parts[3] == "issues",
      let repository = RepositoryName("\(parts[1])/\(parts[2])"),
      let number = IssueReference.number(parts[4][...])
    else { return nil }
    self.init(repository: repository, number: number)
  }
}

extension IssuePlace: CustomStringConvertible {
  /// The place as `owner/name#12`.
  public var description: String { "\(repository)#\(number)" }
}
