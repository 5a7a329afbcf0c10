internal import IssueTracker
internal import PlatformModules

/// Finds the changed issues in the responses to a repeated request.
///
/// Each request starts before the newest known change, because GitHub's lists may show a change late, and changes
/// within a second have the same time. Changes that were already reported are recognized.
struct FollowStateMachine: Sendable {
  private struct Version: Sendable, Hashable {
    let digest: Int
    let state: IssueState

    /// Creates a version of an issue. It excludes data that may differ between responses without a change.
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

  /// The time in seconds by which a request reaches back before the newest change, as in a sync.
  static let overlap = 60.0

  /// The states that the list includes.
  private let states: IssueFilter.State
  /// The time at which the list was shown, by the server's clock.
  private let beginning: Date
  /// The known issues, by the URLs of their pages.
  private var known: [String: Version] = [:]
  private var newest: Date?
  private var isFirst = true

  /// Creates the state machine. `shown` are the issues that the list has shown.
  init(states: IssueFilter.State, beginning: Date, shown: [GitHub.Issue]) {
    self.states = states
    self.beginning = beginning
    for issue in shown { known[Self.key(issue)] = Version(issue) }
  }

  /// The earliest update time to request; nil at first, to learn the states of issues that the list hasn't shown.
  var since: Date? {
    isFirst ? nil : (newest ?? beginning).addingTimeInterval(-Self.overlap)
  }

  /// Whether the following pages can't contain news. The last updated issues come first.
  func isEnough(_ page: [GitHub.Issue]) -> Bool {
    guard isFirst, let oldest = page.last?.updatedAt else { return false }
    return oldest < beginning
  }

  /// The news in a response, oldest first.
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

  /// The change of an issue; nil if it is unchanged since the list was shown.
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
    // Its previous state isn't known, because it was too old for the first response.
    return issue.stateReason == .reopened ? .reopened : .changed
  }

  /// Whether a change affects the list: an issue enters it, leaves it, or changes in it.
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
