internal import PlatformModules

/// The types, sub-issues and dependencies of generated issues. They are derived from the numbers and labels: every
/// twentieth issue is the parent of the previous three, and every hundredth issue is the parent of the previous
/// twentieth issues.
enum SampleRelations {
  static let types = [
    GitHub.IssueType(
      serverID: 11, name: "Bug", description: "Something is broken", color: "red", isEnabled: true),
    GitHub.IssueType(
      serverID: 12, name: "Feature", description: "A wish", color: "blue", isEnabled: true),
    GitHub.IssueType(
      serverID: 13, name: "Task", description: "A piece of work", color: "yellow", isEnabled: true),
  ]

  static let fields = [
    GitHub.IssueField(
      id: 21, name: "Priority", kind: .singleSelect, options: ["Urgent", "High", "Medium", "Low"]),
    GitHub.IssueField(id: 22, name: "Effort", kind: .number),
    GitHub.IssueField(id: 23, name: "Target date", kind: .date),
  ]

  static func type(named name: String) -> GitHub.IssueType {
    types.first { $0.name.lowercased() == name.lowercased() } ?? GitHub.IssueType(name: name)
  }

  private static func parent(of number: Int) -> Int? {
    switch number % 20 {
    case 17...19: (number / 20 + 1) * 20
    case 0 where !number.isMultiple(of: 100): (number / 100 + 1) * 100
    default: nil
    }
  }

  private static func blocker(of number: Int) -> Int? {
    number % 20 == 18 ? number + 1 : nil
  }

  /// Adds the relations, except to pull requests.
  static func related(_ issues: [GitHub.Issue]) -> [GitHub.Issue] {
    let places = Dictionary(
      uniqueKeysWithValues: issues.enumerated().filter { !$0.element.isPullRequest }
        .map { ($0.element.number, $0.offset) })
    var issues = issues
    for place in places.values {
      issues[place].type = type(of: issues[place])
      issues[place].subIssues = GitHub.SubIssuesSummary(total: 0, completed: 0)
      issues[place].dependencies = GitHub.DependenciesSummary()
    }
    for (number, place) in places {
      let isOpen = issues[place].state == .open
      if let parent = parent(of: number).flatMap({ places[$0] }) {
        issues[place].parentURL = issues[parent].url
        issues[parent].subIssues?.total += 1
        issues[parent].subIssues?.completed += isOpen ? 0 : 1
      }
      if let blocker = blocker(of: number).flatMap({ places[$0] }) {
        let isBlocking = issues[blocker].state == .open
        issues[place].dependencies?.totalBlockedBy += 1
        issues[place].dependencies?.blockedBy += isBlocking ? 1 : 0
        issues[blocker].dependencies?.totalBlocking += 1
        issues[blocker].dependencies?.blocking += isOpen ? 1 : 0
      }
    }
    return issues
  }

  private static func type(of issue: GitHub.Issue) -> GitHub.IssueType? {
    let labels = issue.labels.map(\.name)
    if labels.contains("bug") { return types[0] }
    return labels.contains("enhancement") ? types[1] : labels.isEmpty ? nil : types[2]
  }

  static func answer(_ target: GitHub, _ page: SamplePage) throws -> SampleAnswer {
    switch target {
    case .subIssues(let name, let number, _):
      try page.of(name) { issues in
        try list(issues.reversed().filter { $0.parent?.number == number })
      }
    case .parentIssue(let name, let number):
      try page.of(name) { issues in
        let child = issues.first { $0.number == number }
        guard let parent = issues.first(where: { $0.number == child?.parent?.number }) else {
          return .notFound
        }
        return try SampleAnswer(encoding: SamplePage.object(parent))
      }
    case .blockedBy(let name, let number, _):
      try page.of(name) { issues in
        let isBlocked = issues.contains {
          $0.number == number && $0.dependencies?.totalBlockedBy ?? 0 > 0
        }
        return try list(issues.filter { isBlocked && $0.number == blocker(of: number) })
      }
    case .blocking(let name, let number, _):
      try page.of(name) { issues in
        try list(
          issues.filter {
            blocker(of: $0.number) == number && $0.dependencies?.totalBlockedBy ?? 0 > 0
          })
      }
    case .timeline(let name, let number, _):
      try page.of(name) { issues in
        guard let issue = issues.first(where: { $0.number == number }) else { return .notFound }
        return try SampleAnswer(encoding: timeline(of: issue))
      }
    case .issueTypes(let name):
      try page.of(name) { _ in try SampleAnswer(encoding: types) }
    case .issueFields: try SampleAnswer(encoding: fields)
    default: try SampleAnswer(encoding: types)
    }
  }

  private static func list(_ issues: [GitHub.Issue]) throws -> SampleAnswer {
    try SampleAnswer(encoding: issues.map(SamplePage.object))
  }

  /// Returns the timeline of an issue. The labels are added when it is opened, and its last change is the closing.
  private static func timeline(of issue: GitHub.Issue) -> [TimelineEvent] {
    var events = issue.labels.enumerated().map { index, label in
      var event = TimelineEvent(
        kind: .labeled, serverID: issue.id * 100 + Int64(index), actor: issue.user,
        createdAt: issue.createdAt)
      event.label = label
      return event
    }
    events += GeneratedComments(on: issue).all().map { comment in
      var event = TimelineEvent(
        kind: .commented, serverID: comment.id, actor: comment.user, createdAt: comment.createdAt)
      (event.body, event.htmlURL) = (comment.body, comment.htmlURL)
      (event.updatedAt, event.authorAssociation) = (comment.updatedAt, comment.authorAssociation)
      return event
    }
    if issue.state == .closed {
      var event = TimelineEvent(
        kind: .closed, serverID: issue.id * 100 + 99, actor: issue.user, createdAt: issue.closedAt)
      event.stateReason = issue.stateReason
      events.append(event)
    }
    return events
  }
}
