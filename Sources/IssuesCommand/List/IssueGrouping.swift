internal import ArgumentParser
internal import IssueTracker

/// The property by which the issues of a list are grouped.
public enum IssueGrouping: String, CaseIterable, Sendable, NamedChoice {
  /// Groups by repository.
  case repo
  /// Groups by label.
  case label
  /// Groups by milestone.
  case milestone
  /// Groups by assignee.
  case assignee

  /// The title of the issues that don't belong to any group.
  var none: String {
    switch self {
    case .repo: "No repository"
    case .label: "No label"
    case .milestone: "No milestone"
    case .assignee: "Nobody"
    }
  }

  /// The groups of an issue. An issue with several labels or assignees is in several groups; an issue without any is in
  /// none.
  func groups(of issue: GitHub.Issue, in repository: String) -> [String] {
    switch self {
    case .repo: repository.isEmpty ? [] : [repository]
    case .label: issue.labels.map(\.name)
    case .milestone: issue.milestone.map { [$0.title] } ?? []
    case .assignee: issue.assignees.map(\.login)
    }
  }
}

struct GroupOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Group the rows.", valueName: "property"))
  var groupBy: IssueGrouping?
}

/// Rows in groups, sorted by name. Rows without a group are at the end.
struct GroupedRows {
  struct Group: Hashable {
    /// The name; nil for the rows without a group.
    let name: String?
    /// The indices of the rows in the list, in its order.
    var rows: [Int]
  }

  private(set) var groups: [Group] = []

  init(_ names: [[String]]) {
    var rows: [String: [Int]] = [:]
    var without: [Int] = []
    for (index, names) in names.enumerated() {
      if names.isEmpty { without.append(index) }
      for name in names where rows[name]?.last != index { rows[name, default: []].append(index) }
    }
    groups = rows.map { Group(name: $0.key, rows: $0.value) }
      .sorted { first, second in
        let (one, other) = (first.name ?? "", second.name ?? "")
        return (one.lowercased(), one) < (other.lowercased(), other)
      }
    if !without.isEmpty { groups.append(Group(name: nil, rows: without)) }
  }

  /// The order in which each row appears only once, in its first group.
  var order: [Int] {
    var known: Set<Int> = []
    return groups.flatMap(\.rows).filter { known.insert($0).inserted }
  }
}
