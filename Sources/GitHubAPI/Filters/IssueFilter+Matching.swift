internal import HTTPTargets
internal import PlatformModules

/// Applies the filter locally, to stubs and stored issues.
extension IssueFilter {
  /// Whether GitHub would include an issue in the list.
  ///
  /// Logins, labels and milestone titles match in any letter case. Mentions are found only in the text of the issue,
  /// because its comments aren't available. A milestone also matches if its number equals the required title, unless
  /// ``numberingMilestone(among:)`` has resolved the title.
  public func matches(_ issue: GitHub.Issue) -> Bool {
    matchesState(issue) && matchesPeople(issue) && matchesMilestone(issue)
      && type?.matches(issue.type) ?? true
      && fields.allSatisfy { $0.matches(issue.fieldValues) }
      && labels.allSatisfy { Self.has($0, issue) }
      && (since.map { since in
        // Rounded, because requests to GitHub have whole seconds.
        issue.updatedAt.map {
          $0.timeIntervalSince1970 >= since.timeIntervalSince1970.rounded(.down)
        }
          ?? false
      } ?? true)
  }

  /// The part of the filter that the list of a repository can't apply on the server. Send ``sent(to:)`` instead of the
  /// whole filter, and apply this part to the issues of each page.
  package func unsent(to forge: Forge) -> IssueFilter {
    var rest = IssueFilter(state: .all, labels: labels.filter { $0.contains(",") })
    guard forge != .gitHub else { return rest }
    if assignee == .anybody || assignee == .nobody { rest.assignee = assignee }
    if milestone == .any || milestone == .absent { rest.milestone = milestone }
    return rest
  }

  /// The part of the filter that the list of a repository applies on the server.
  package func sent(to forge: Forge) -> IssueFilter {
    let rest = unsent(to: forge)
    var sent = self
    sent.labels.removeAll { rest.labels.contains($0) }
    if rest.assignee != nil { sent.assignee = nil }
    if rest.milestone != nil { sent.milestone = nil }
    return sent
  }

  private static func has(_ label: String, _ issue: GitHub.Issue) -> Bool {
    issue.labels.contains { $0.name.lowercased() == label.lowercased() }
  }

  /// Returns the filter with the number of its milestone (``MilestoneChoice/match(in:)``); nil if the repository
  /// doesn't have such a milestone.
  public func numberingMilestone(among milestones: [GitHub.Milestone]) -> IssueFilter? {
    guard let milestone, case .title = milestone else { return self }
    guard let number = milestone.match(in: milestones)?.number else { return nil }
    var numbered = self
    numbered.milestone = .number(number)
    return numbered
  }

  /// Sorts issues in the order of the filter. Equal issues are sorted by number in the same direction.
  public func sorted(_ issues: [GitHub.Issue]) -> [GitHub.Issue] {
    issues.sorted(by: precedes)
  }

  /// Whether an issue comes before another one in the filter's order.
  public func precedes(_ first: GitHub.Issue, _ second: GitHub.Issue) -> Bool {
    direction == .ascending ? isLess(first, second) : isLess(second, first)
  }

  private func isLess(_ first: GitHub.Issue, _ second: GitHub.Issue) -> Bool {
    switch sort {
    case .created:
      (first.createdAt ?? .distantPast, first.number)
        < (second.createdAt ?? .distantPast, second.number)
    case .updated:
      (first.updatedAt ?? .distantPast, first.number)
        < (second.updatedAt ?? .distantPast, second.number)
    case .comments:
      (first.commentsCount, first.number) < (second.commentsCount, second.number)
    }
  }

  private func matchesState(_ issue: GitHub.Issue) -> Bool {
    switch state {
    case .open: issue.state == .open
    case .closed: issue.state == .closed
    case .all: true
    }
  }

  private func matchesPeople(_ issue: GitHub.Issue) -> Bool {
    func isSame(_ user: GitHub.User?, _ username: Username) -> Bool {
      user?.login.lowercased() == username.login.lowercased()
    }
    let isAssigned =
      switch assignee {
      case .user(let username): issue.assignees.contains { isSame($0, username) }
      case .anybody: !issue.assignees.isEmpty
      case .nobody: issue.assignees.isEmpty
      case nil: true
      }
    return isAssigned
      && (creator.map { isSame(issue.user, $0) } ?? true)
      && (mentioned.map { Self.text(issue.body ?? "", mentions: $0) } ?? true)
  }

  private func matchesMilestone(_ issue: GitHub.Issue) -> Bool {
    switch milestone {
    case .number(let number): issue.milestone?.number == number
    case .title(let title):
      issue.milestone.map { milestone in
        MilestoneChoice.isTitle(milestone.title, title)
          || milestone.number != nil && milestone.number == MilestoneChoice.number(of: title)
      } ?? false
    case .any: issue.milestone != nil
    case .absent: issue.milestone == nil
    case nil: true
    }
  }

  /// Whether text contains `@login` without an adjacent letter or digit. An email address (`me@octocat`) isn't a
  /// mention.
  package static func text(_ text: String, mentions username: Username) -> Bool {
    let bytes = Array(text.lowercased().utf8)
    let mention = Array("@\(username.login.lowercased())".utf8)
    func isPartOfName(_ index: Int) -> Bool {
      bytes.indices.contains(index)
        && (bytes[index].isASCIILetterOrDigit || bytes[index] == UInt8(ascii: "-")
          || bytes[index] == UInt8(ascii: "_"))
    }
    guard bytes.count >= mention.count else { return false }
    return (0...(bytes.count - mention.count)).contains { start in
      bytes[start...].starts(with: mention) && !isPartOfName(start - 1)
        && !isPartOfName(start + mention.count)
    }
  }
}
