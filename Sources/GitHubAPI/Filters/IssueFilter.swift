public import PlatformModules

/// Selects and orders the issues in a list: the parameters of `GET /repos/{owner}/{repo}/issues`,
/// <https://docs.github.com/en/rest/issues/issues#list-repository-issues>. They don't distinguish issues from pull
/// requests: see ``GitHub/Issue/isPullRequest``.
public struct IssueFilter: Hashable, Sendable {
  /// The states of the issues in a list.
  public enum State: String, CaseIterable, Hashable, Sendable, Codable {
    /// Open issues, the default.
    case open
    /// Closed issues.
    case closed
    /// Open and closed issues.
    case all
  }

  /// The property that determines the order of a list.
  public enum Sort: String, CaseIterable, Hashable, Sendable, Codable {
    /// The time when the issue was opened, the default.
    case created
    /// The time of the last change.
    case updated
    /// The number of comments.
    case comments
  }

  /// The direction of the order.
  public enum Direction: String, CaseIterable, Hashable, Sendable, Codable {
    /// The oldest issues, or those with the fewest comments, come first.
    case ascending = "asc"
    /// The newest issues, or those with the most comments, come first. This is the default.
    case descending = "desc"
  }

  /// The states.
  public var state: State
  /// The names of the labels. An issue must have all of them. The API separates labels with commas and has no syntax to
  /// escape a comma, so a label with a comma isn't sent. Apply ``matches(_:)`` to the response.
  public var labels: [String]
  /// The assignee.
  public var assignee: Assignee?
  /// The author.
  public var creator: Username?
  /// A user mentioned in the issue.
  public var mentioned: Username?
  /// The milestone. Servers filter by number, not by title: see ``numberingMilestone(among:)``.
  public var milestone: MilestoneChoice?
  /// The type. GitHub ignores it if the repository has no types.
  public var type: IssueTypeChoice?
  /// The values of fields. An issue must have all of them. GitHub ignores them if the repository has no fields.
  public var fields: [IssueFieldChoice]
  /// Includes only issues updated at or after this time, rounded down to a second. Times up to the beginning of 1970
  /// aren't sent, because GitHub's API would return an empty list instead of all issues.
  public var since: Date?
  /// The order.
  public var sort: Sort
  /// The direction of the order.
  public var direction: Direction

  /// Creates a filter. By default, it selects the open issues, newest first.
  public init(
    state: State = .open, labels: [String] = [], assignee: Assignee? = nil,
    creator: Username? = nil, mentioned: Username? = nil, milestone: MilestoneChoice? = nil,
    type: IssueTypeChoice? = nil, fields: [IssueFieldChoice] = [], since: Date? = nil,
    sort: Sort = .created, direction: Direction = .descending
  ) {
    self.state = state
    self.labels = labels
    self.assignee = assignee
    self.creator = creator
    self.mentioned = mentioned
    self.milestone = milestone
    self.type = type
    self.fields = fields
    self.since = since
    self.sort = sort
    self.direction = direction
  }

  /// The query items, not yet percent-encoded: the state, and every difference from GitHub's defaults. Their order is
  /// fixed, so equal filters give equal URLs.
  public var queryItems: [(name: String, value: String)] {
    var items = [(name: "state", value: state.rawValue)]
    func append(_ name: String, _ value: String?) {
      if let value { items.append((name, value)) }
    }
    let names = labels.filter { !$0.contains(",") }
    append("labels", names.isEmpty ? nil : names.joined(separator: ","))
    append("assignee", assignee?.description)
    append("creator", creator?.login)
    append("mentioned", mentioned?.login)
    append("milestone", milestone?.description)
    append("type", type?.description)
    append(
      "issue_field_values",
      fields.isEmpty ? nil : fields.map(\.description).joined(separator: ","))
    append("since", since.flatMap(Timestamp.since))
    append("sort", sort == .created ? nil : sort.rawValue)
    append("direction", direction == .descending ? nil : direction.rawValue)
    return items
  }
}

extension IssueFilter {
  /// The query items that lists across repositories support
  /// (<https://docs.github.com/en/rest/issues/issues#list-issues-assigned-to-the-authenticated-user>): the state, the
  /// labels, the time, and the order. The caller must apply the rest of the filter to the response (``matches(_:)``).
  public var crossQueryItems: [(name: String, value: String)] {
    queryItems.filter { ["state", "labels", "since", "sort", "direction"].contains($0.name) }
  }
}

extension IssueFilter: Codable {
  private enum CodingKeys: String, CodingKey {
    case state, labels, assignee, creator, mentioned, milestone, type, fields, since, sort
    case direction
  }

  /// Decodes a filter. Missing members have default values.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func member<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    self.init(
      state: try member(.state) ?? .open, labels: try member(.labels) ?? [],
      assignee: try member(.assignee), creator: try member(.creator),
      mentioned: try member(.mentioned), milestone: try member(.milestone),
      type: try member(.type), fields: try member(.fields) ?? [], since: try member(.since),
      sort: try member(.sort) ?? .created, direction: try member(.direction) ?? .descending)
  }
}
