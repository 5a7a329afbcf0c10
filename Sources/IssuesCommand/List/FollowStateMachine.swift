internal import IssueTracker
internal import PlatformModules

/// Decides what is news in the answers to one question that is asked again and again: which issues have changed?
///
/// The question reaches back behind the newest change that is known, because GitHub's lists may show a change late, and
/// changes within a second have the same time. What was told before is recognized.
struct FollowStateMachine: Sendable {
  private struct Version: Sendable, Hashable {
    let digest: Int
    let state: IssueState

    /// Leaves out what may differ from answer to answer although nothing has happened.
    init(_ issue: GitHub.Issue) {
      var hasher = Hasher()
      hasher.combine(issue.updatedAt)
      hasher.combine(issue.title)
      hasher.combine(issue.body)
      hasher.combine(issue.state)
      hasher.combine(issue.stateReason)
      hasher.combine(issue.labels)
      hasher.combine(issue.assignees)
      hasher.combine(issue.milestone?.title)
      hasher.combine(issue.commentsCount)
      hasher.combine(issue.isLocked)
      hasher.combine(issue.isDraft)
      digest = hasher.finalize()
      state = issue.state
    }
  }

  /// How far a question reaches back behind the newest change, as that of a sync.
  static let overlap = 60.0

  /// Those of the list.
  private let states: IssueFilter.State
  /// When the list was shown, by the server's clock.
  private let beginning: Date
  /// By the addresses of their pages.
  private var known: [String: Version] = [:]
  private var newest: Date?
  private var isFirst = true

  /// Needs the issues that the list has shown.
  init(states: IssueFilter.State, beginning: Date, shown: [GitHub.Issue]) {
    self.states = states
    self.beginning = beginning
    for issue in shown { known[Self.key(issue)] = Version(issue) }
  }

  /// Only issues that were updated since then are asked for; nil at first, for the states of those that the list
  /// hasn't shown.
  var since: Date? {
    isFirst ? nil : (newest ?? beginning).addingTimeInterval(-Self.overlap)
  }

  /// Whether the pages after this one, the last updated first, can't have news.
  func isEnough(_ page: [GitHub.Issue]) -> Bool {
    guard isFirst, let oldest = page.last?.updatedAt else { return false }
    return oldest < beginning
  }

  /// The news in an answer, the oldest first.
  mutating func news(
    in issues: [GitHub.Issue]
  ) -> [(change: ListChange, issue: GitHub.Issue)] {
    var news: [(change: ListChange, issue: GitHub.Issue)] = []
    for issue in issues.sorted(by: Self.isEarlier) {
      let version = Version(issue)
      let before = known.updateValue(version, forKey: Self.key(issue))
      newest = [newest, issue.updatedAt].compactMap(\.self).max()
      guard before != version, let change = change(of: issue, since: before) else { continue }
      if isTold(change, of: issue) { news.append((change, issue)) }
    }
    isFirst = false
    return news
  }

  /// nil for what was so when the list was shown.
  private func change(of issue: GitHub.Issue, since before: Version?) -> ListChange? {
    if let before {
      switch (before.state, issue.state) {
      case (.open, .closed): return .closed
      case (.closed, .open): return .reopened
      default: return .changed
      }
    }
    if isFirst, issue.updatedAt.map({ $0 < beginning }) ?? true { return nil }
    if issue.state == .closed {
      return issue.closedAt.map { $0 >= beginning } ?? false ? .closed : .changed
    }
    if issue.createdAt.map({ $0 >= beginning }) ?? false { return .new }
    // Its state before isn't known: it was too old for the first answer.
    return issue.stateReason == .reopened ? .reopened : .changed
  }

  /// What enters or leaves the list, or changes in it.
  private func isTold(_ change: ListChange, of issue: GitHub.Issue) -> Bool {
    switch states {
    case .all: true
    case .open: issue.state == .open || change == .closed
    case .closed: issue.state == .closed || change == .reopened
    }
  }

  private static func key(_ issue: GitHub.Issue) -> String { issue.htmlURL ?? "\(issue.id)" }

  private static func isEarlier(_ first: GitHub.Issue, _ second: GitHub.Issue) -> Bool {
    (first.updatedAt ?? .distantPast, first.number)
      < (second.updatedAt ?? .distantPast, second.number)
  }
}
