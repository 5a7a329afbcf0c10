#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Some hundred issues and pull requests that nobody wrote, the same for a repository every time.
struct GeneratedIssues {
  private let repository: String
  private let count: Int
  /// Beyond 32 bits, as GitHub's ids are.
  private let firstID: Int64

  /// Noon of 12 December 2025: the newest issue is of the hours before.
  private static let end = Date(timeIntervalSince1970: 1_765_540_800)

  /// Prepares the issues of a repository.
  ///
  /// - Parameter repository: Its full name.
  init(repository: String) {
    self.repository = repository
    var dice = SampleDice(repository)
    count = 320 + dice.below(240)
    firstID = 5_000_000_000 + Int64(dice.below(1_000_000)) * 1_000
  }

  /// All of them, the newest first.
  func all() -> [Issue] {
    (1...count).reversed().map(issue)
  }

  private func issue(_ number: Int) -> Issue {
    var dice = SampleDice("\(repository)#\(number)")
    // They come faster as the project grows; the throw is shorter than the time between two.
    let index = count - number
    let age = Double(index * 18_000 + index * index * 200 + 3_600 + dice.below(14_400))
    let createdAt = Self.end - age
    let updatedAt = createdAt + Double(dice.below(Int(min(age, 5_000_000))))
    var issue = Issue(
      id: firstID + Int64(number), number: number, title: "", createdAt: createdAt,
      updatedAt: updatedAt,
      reactions: reactions(&dice))
    write(&issue, &dice)
    discuss(&issue, &dice)
    let isDone = dice.percent(20 + 50 * index / count)
    if isDone, number < count { close(&issue, &dice) }
    let kind = issue.isPullRequest ? "pull" : "issues"
    issue.htmlURL = "https://github.com/\(repository)/\(kind)/\(number)"
    issue.url = "https://api.github.com/repos/\(repository)/issues/\(number)"
    return issue
  }

  /// What it says, and who says it.
  private func write(_ issue: inout Issue, _ dice: inout SampleDice) {
    issue.user = dice.percent(4) ? SampleUsers.ghost : dice.pick(SampleUsers.people)
    let kind = dice.below(100)
    let isNewest = issue.number == count
    // The newest has a text with everything, for whoever opens the first one: it is an open issue.
    switch isNewest ? 0 : kind {
    case ..<45:
      issue.title = SampleProse.problem(&dice)
      issue.labels = [SampleLabels.bug]
      if issue.title.hasPrefix("Crash") { issue.labels.append(SampleLabels.crash) }
    case ..<70:
      issue.title = SampleProse.wish(&dice)
      issue.labels = [SampleLabels.enhancement]
    case ..<78:
      issue.title = SampleProse.gap(&dice)
      issue.labels = [SampleLabels.documentation, SampleLabels.goodFirstIssue]
    case ..<84:
      issue.title = dice.pick(SampleProse.oddTitles)
    case ..<88:
      let version = 1 + dice.below(9)
      issue.title = "Bump actions/checkout from \(version) to \(version + 1)"
      issue.user = SampleUsers.bot
      makePullRequest(&issue)
    default:
      issue.title = SampleProse.change(&dice)
      makePullRequest(&issue)
    }
    if dice.percent(50) {
      issue.labels.append(dice.pick(SampleLabels.areas))
    }
    if isNewest || dice.percent(92) {
      issue.body = SampleMarkdown.issue(issue.number, isComplete: isNewest, &dice)
    }
  }

  private func makePullRequest(_ issue: inout Issue) {
    issue.pullRequest = PullRequestLink(
      url: "https://api.github.com/repos/\(repository)/pulls/\(issue.number)",
      htmlURL: "https://github.com/\(repository)/pull/\(issue.number)")
    issue.isDraft = issue.number.isMultiple(of: 5)
  }

  /// Who works on it and for when, and how much was said.
  private func discuss(_ issue: inout Issue, _ dice: inout SampleDice) {
    if dice.percent(30) { issue.assignees.append(dice.pick(SampleUsers.people)) }
    if dice.percent(8) {
      let second = dice.pick(SampleUsers.people)
      if !issue.assignees.contains(second) { issue.assignees.append(second) }
    }
    if dice.percent(25) {
      let number = 1 + dice.below(3)
      issue.milestone = Milestone(number: number, title: "Version 2.\(number + 3)", state: .open)
    }
    switch dice.below(100) {
    case ..<25: break
    case ..<97: issue.commentsCount = 1 + dice.below(14)
    // More than a page holds.
    default: issue.commentsCount = 101 + dice.below(150)
    }
    issue.authorAssociation = dice.pick(["NONE", "NONE", "CONTRIBUTOR", "MEMBER"])
    issue.isLocked = dice.percent(2)
  }

  private func close(_ issue: inout Issue, _ dice: inout SampleDice) {
    issue.state = .closed
    issue.closedAt = issue.updatedAt
    guard !issue.isPullRequest else {
      issue.isDraft = false
      issue.pullRequest?.mergedAt = issue.number.isMultiple(of: 4) ? nil : issue.closedAt
      return
    }
    issue.stateReason = dice.pick([.completed, .completed, .completed, .notPlanned, .duplicate])
    if issue.stateReason == .duplicate { issue.labels.append(SampleLabels.duplicate) }
  }

  private func reactions(_ dice: inout SampleDice) -> Reactions {
    guard dice.percent(30) else { return Reactions() }
    var counts = [Reactions.Kind.thumbsUp: 1 + dice.below(40)]
    for kind in Reactions.Kind.allCases where dice.percent(15) { counts[kind] = 1 + dice.below(12) }
    return Reactions(counts: counts)
  }
}
