internal import HTTPTargets
internal import PlatformModules

/// The filter without a server: for stubs and stored issues.
extension IssueFilter {
  /// Whether GitHub would list an issue.
  ///
  /// Logins, labels and milestone titles match in any case. Mentions are found in the issue's own text only,
  /// because its comments aren't at hand. A milestone also matches if its number is the wanted title, unless
  /// ``numberingMilestone(among:)`` has found the right one.
  public func matches(_ issue: GitHub.Issue) -> Bool {
    matchesState(issue) && matchesPeople(issue) && matchesMilestone(issue)
      && type?.matches(issue.type) ?? true
      && fields.allSatisfy { $0.matches(issue.fieldValues) }
      && labels.allSatisfy { Self.has($0, issue) }
      && (since.map { since in
        // GitHub gets whole seconds.
        issue.updatedAt.map {
          $0.timeIntervalSince1970 >= since.timeIntervalSince1970.rounded(.down)
        }
          ?? false
      } ?? true)
  }

  /// Whether an issue has the labels that can't be sent to a server.
  package func matchesUnsentLabels(_ issue: GitHub.Issue) -> Bool {
    labels.allSatisfy { !$0.contains(",") || Self.has($0, issue) }
  }

  private static func has(_ label: String, _ issue: GitHub.Issue) -> Bool {
    issue.labels.contains { $0.name.lowercased() == label.lowercased() }
  }

  /// Returns the filter with its milestone's number (``MilestoneChoice/match(in:)``); nil if the repository's
  /// milestones don't include it.
  public func numberingMilestone(among milestones: [GitHub.Milestone]) -> IssueFilter? {
    guard let milestone, case .title = milestone else { return self }
    guard let number = milestone.match(in: milestones)?.number else { return nil }
    var numbered = self
    numbered.milestone = .number(number)
    return numbered
  }

  /// Sorts issues in GitHub's order, and equal ones by their numbers in the same direction.
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

  /// `@login` without a letter or digit beside it: an address (`me@octocat`) isn't a mention.
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
