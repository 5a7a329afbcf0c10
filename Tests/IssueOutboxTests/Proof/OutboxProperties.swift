import GitHubAPI
import IssueOutbox
import TestSupport

/// The properties of an issue that changes name, each as the last of them leaves it.
struct OutboxProperties {
  private let forge: LoopbackForge
  private var labels: [String: Bool] = [:]
  private var assignees: [String: Bool] = [:]
  private var isOpen: Bool?
  private var isLocked: Bool?
  private var isPinned: Bool?
  /// Whether there is a reaction, by the login and the kind.
  private var reactions: [[String]: Bool] = [:]
  /// Whether there is a reaction to a comment, by the comment's id, the login and the kind.
  private var commentReactions: [[String]: Bool] = [:]
  private var subscriptions: [String: Bool] = [:]
  /// As the server's API calls it.
  private var milestone: FieldChange<Int>?

  init(forge: LoopbackForge = .gitHub) { self.forge = forge }

  /// Takes in the next change, and who wanted it.
  mutating func take(_ change: Change, of login: String) {
    switch change {
    case .createIssue(let issue, _):
      for label in issue.labels { labels[label] = true }
      for login in issue.assignees { assignees[login] = true }
      milestone = issue.milestone.map { .set($0) }
    case .edit(_, let edit):
      for label in edit.addedLabels { labels[label] = true }
      for label in edit.removedLabels { labels[label] = false }
      for login in edit.addedAssignees { assignees[login] = true }
      for login in edit.removedAssignees { assignees[login] = false }
      milestone = edit.milestone ?? milestone
    case .close: isOpen = false
    case .reopen: isOpen = true
    case .lock: isLocked = true
    case .unlock: isLocked = false
    case .pin: isPinned = true
    case .unpin: isPinned = false
    case .react(_, let kind): reactions[[login, kind.rawValue]] = true
    case .unreact(_, let kind): reactions[[login, kind.rawValue]] = false
    case .reactToComment(let id, _, let kind):
      commentReactions[["\(id)", login, kind.rawValue]] = true
    case .unreactToComment(let id, _, let kind):
      commentReactions[["\(id)", login, kind.rawValue]] = false
    case .subscribe: subscriptions[login] = true
    case .unsubscribe: subscriptions[login] = false
    default: break
    }
  }

  /// The differences from an issue on the server, and from those of its comments that are there.
  func differences(
    from issue: SyntheticIssue, with comments: [SyntheticComment]
  ) -> [String] {
    var differences: [String] = []
    for (name, isThere) in labels
    where issue.labels.contains(where: { $0.name == name }) != isThere {
      differences.append("the label \(name) is \(isThere ? "missing" : "there")")
    }
    for (name, isThere) in assignees where issue.assignees.contains(name) != isThere {
      differences.append("the assignee \(name) is \(isThere ? "missing" : "there")")
    }
    if isOpen ?? issue.isOpen != issue.isOpen {
      differences.append(issue.isOpen ? "it is open" : "it is closed")
    }
    if isLocked ?? issue.isLocked != issue.isLocked {
      differences.append(issue.isLocked ? "it is locked" : "it isn't locked")
    }
    if isPinned ?? issue.isPinned != issue.isPinned {
      differences.append(issue.isPinned ? "it is pinned" : "it isn't pinned")
    }
    for (reaction, isThere) in reactions {
      let count = issue.reactions.count { [$0.user, $0.content] == reaction }
      if count != (isThere ? 1 : 0) { differences.append("\(count) reactions \(reaction)") }
    }
    let present = issue.milestone.map(forge.milestoneID)
    if let milestone, milestone.value != present {
      differences.append("the milestone is \(present.map { "\($0)" } ?? "missing")")
    }
    for (login, isSubscribed) in subscriptions where issue.subscriptions[login] != isSubscribed {
      differences.append("\(login) is \(isSubscribed ? "not subscribed" : "subscribed")")
    }
    for comment in comments {
      let id = "\(LoopbackGitHub.commentID(comment.index, on: issue))"
      for (key, isThere) in commentReactions where key[0] == id {
        let count = comment.reactions.count { [$0.user, $0.content] == key.dropFirst() }
        if count != (isThere ? 1 : 0) { differences.append("\(count) reactions \(key)") }
      }
    }
    return differences
  }
}
