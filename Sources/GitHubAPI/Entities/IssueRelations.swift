internal import PlatformModules

extension GitHub {
  /// The numbers of an issue's sub-issues, in total and completed.
  public struct SubIssuesSummary: Hashable, Sendable {
    /// The number of direct sub-issues.
    public var total: Int
    /// The number of closed ones.
    public var completed: Int

    /// Creates a summary.
    public init(total: Int, completed: Int) {
      self.total = total
      self.completed = completed
    }
  }

  /// The numbers of issues that block an issue, and that it blocks.
  public struct DependenciesSummary: Hashable, Sendable {
    /// The number of open issues that block it.
    public var blockedBy: Int
    /// The number of open issues that it blocks.
    public var blocking: Int
    /// The number of issues that block it or did so, open and closed.
    public var totalBlockedBy: Int
    /// The number of issues that it blocks or blocked, open and closed.
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

  /// Encodes the summary as GitHub does, with the share in percent.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(total, forKey: .total)
    try container.encode(completed, forKey: .completed)
    // Numbers from a server may be of any size.
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

/// An issue's repository and its number there, as the API's URLs name it.
public struct IssuePlace: Hashable, Sendable {
  /// The repository.
  public let repository: RepositoryName
  /// The number, from 1.
  public let number: Int

  /// Creates a place.
  public init(repository: RepositoryName, number: Int) {
    self.repository = repository
    self.number = number
  }

  /// Reads a URL of the API, such as `https://api.github.com/repos/OWNER/REPO/issues/12`; nil for any other text.
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
  /// `owner/name#12`.
  public var description: String { "\(repository)#\(number)" }
}
