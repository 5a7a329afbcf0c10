#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// As many comments as an issue says it has, which nobody wrote, the same every time.
struct GeneratedComments {
  private let issue: Issue

  init(on issue: Issue) {
    self.issue = issue
  }

  /// Those on all issues of a repository, the one that changed longest ago first.
  ///
  /// - Parameters:
  ///   - issues: The issues.
  ///   - since: Leaves out what changed before; nil for everything.
  /// - Returns: The comments.
  static func all(on issues: [Issue], since: Date?) -> [IssueComment] {
    let earliest = since?.timeIntervalSince1970.rounded(.down) ?? -.infinity
    func isWanted(_ date: Date?) -> Bool {
      date.map { $0.timeIntervalSince1970 >= earliest } ?? true
    }
    // No comment is later than the last change of its issue.
    return issues.filter { isWanted($0.updatedAt) }
      .flatMap { GeneratedComments(on: $0).all() }
      .filter { isWanted($0.updatedAt) }
      .sorted {
        ($0.updatedAt ?? .distantPast, $0.id) < ($1.updatedAt ?? .distantPast, $1.id)
      }
  }

  /// All of them, the oldest first.
  func all() -> [IssueComment] {
    (0..<issue.commentsCount).map(comment)
  }

  private func comment(_ index: Int) -> IssueComment {
    var dice = SampleDice("\(issue.id)/\(index)")
    let id = issue.id * 1_000 + Int64(index)
    let writer = dice.percent(25) ? issue.user ?? SampleUsers.ghost : dice.pick(SampleUsers.people)
    let body = SampleMarkdown.comment(to: issue.user?.login ?? SampleUsers.ghost.login, &dice)
    var reactions: [Reactions.Kind: Int] = [:]
    if dice.percent(20) { reactions[dice.pick(Reactions.Kind.allCases)] = 1 + dice.below(9) }
    let time = time(of: index)
    return IssueComment(
      id: id, body: body, user: writer,
      authorAssociation: dice.pick(["NONE", "CONTRIBUTOR", "MEMBER", "OWNER"]), createdAt: time,
      updatedAt: time, htmlURL: issue.htmlURL.map { "\($0)#issuecomment-\(id)" },
      issueURL: issue.url, reactions: Reactions(counts: reactions))
  }

  /// Evenly between the opening of the issue and its last change.
  private func time(of index: Int) -> Date? {
    guard let begin = issue.createdAt, let end = issue.updatedAt else { return issue.createdAt }
    let step = end.timeIntervalSince(begin) / Double(issue.commentsCount + 1)
    return begin + (step * Double(index + 1)).rounded(.down)
  }
}
