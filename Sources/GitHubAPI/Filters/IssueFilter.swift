#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Which issues of a repository a list holds, and in which order.
///
/// These are the parameters of `GET /repos/{owner}/{repo}/issues`:
/// <https://docs.github.com/en/rest/issues/issues#list-repository-issues>. None of them tells issues
/// from pull requests: see ``Issue/isPullRequest``.
public struct IssueFilter: Hashable, Sendable {
  /// Which states are listed.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// Open issues, the default.
    case open
    /// Closed issues.
    case closed
    /// Both.
    case all
  }

  /// What a list is ordered by.
  public enum Sort: String, CaseIterable, Hashable, Sendable {
    /// When issues were opened, the default.
    case created
    /// When issues last changed.
    case updated
    /// How many comments issues have.
    case comments
  }

  /// Which end of the order comes first.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// The oldest or the fewest comments first.
    case ascending = "asc"
    /// The newest or the most comments first, the default.
    case descending = "desc"
  }

  /// The states.
  public var state: State
  /// The names of the labels, every one of which an issue must have.
  ///
  /// The API separates them by commas and knows no escape: a label with a comma in its name can't be
  /// asked for.
  public var labels: [String]
  /// Who the issue is assigned to.
  public var assignee: Assignee?
  /// Who opened the issue.
  public var creator: Username?
  /// Who is mentioned in the issue.
  public var mentioned: Username?
  /// The milestone. Servers know only its number, not its title: see ``numberingMilestone(among:)``.
  public var milestone: MilestoneChoice?
  /// Only issues updated at or after this time, in whole seconds: a fraction is dropped. Times up to the beginning of
  /// 1970 aren't sent, because they include all issues, but GitHub's API answers with none.
  public var since: Date?
  /// The order.
  public var sort: Sort
  /// The direction of the order.
  public var direction: Direction

  /// Makes a filter, by default for the open issues with the newest first.
  public init(
    state: State = .open, labels: [String] = [], assignee: Assignee? = nil,
    creator: Username? = nil, mentioned: Username? = nil, milestone: MilestoneChoice? = nil,
    since: Date? = nil, sort: Sort = .created, direction: Direction = .descending
  ) {
    self.state = state
    self.labels = labels
    self.assignee = assignee
    self.creator = creator
    self.mentioned = mentioned
    self.milestone = milestone
    self.since = since
    self.sort = sort
    self.direction = direction
  }

  /// The query's items, not yet percent-encoded, always in the same order, so that the same filter
  /// gives the same URL.
  ///
  /// The state is always there; of the rest, what differs from GitHub's defaults.
  public var queryItems: [(name: String, value: String)] {
    var items = [(name: "state", value: state.rawValue)]
    func append(_ name: String, _ value: String?) {
      if let value { items.append((name, value)) }
    }
    append("labels", labels.isEmpty ? nil : labels.joined(separator: ","))
    append("assignee", assignee?.description)
    append("creator", creator?.login)
    append("mentioned", mentioned?.login)
    append("milestone", milestone?.description)
    append("since", since.flatMap(Timestamp.since))
    append("sort", sort == .created ? nil : sort.rawValue)
    append("direction", direction == .descending ? nil : direction.rawValue)
    return items
  }
}
