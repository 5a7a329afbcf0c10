internal import IssueTracker

/// The description of a timeline event, which follows the name of its actor.
enum TimelineWording {
  /// The description; nil for events that concern only notifications.
  static func text(of event: TimelineEvent) -> String? {
    switch event.kind {
    case .mentioned, .subscribed, .unsubscribed: nil
    case .closed: "closed this" + (reason(event.stateReason) ?? "") + (commit(event, " with"))
    case .merged: "merged this" + commit(event, " as")
    case .reopened: "reopened this"
    case .renamed:
      "changed the title from “\(event.oldTitle ?? "")” to “\(event.newTitle ?? "")”"
    case .labeled: "added the label \(event.label?.name ?? "?")"
    case .unlabeled: "removed the label \(event.label?.name ?? "?")"
    case .assigned: assignment(event, "assigned", "took this")
    case .unassigned: assignment(event, "unassigned", "gave this up")
    case .milestoned: "added this to the milestone \(event.milestone ?? "?")"
    case .demilestoned: "removed this from the milestone \(event.milestone ?? "?")"
    case .locked: "locked the conversation" + (event.lockReason.map { " as \($0)" } ?? "")
    case .unlocked: "unlocked the conversation"
    case .pinned: "pinned this"
    case .unpinned: "unpinned this"
    case .transferred: "transferred this"
    case .convertedToDiscussion: "converted this to a discussion"
    case .markedAsDuplicate: "marked this as a duplicate"
    case .unmarkedAsDuplicate: "marked this as not a duplicate"
    case .connected: "linked a pull request or an issue"
    case .disconnected: "unlinked a pull request or an issue"
    case .crossReferenced: "mentioned this in " + other(event, isNamedByKind: true)
    case .referenced: "mentioned this in a commit" + commit(event, ":")
    case .committed:
      "committed" + commit(event, "") + (event.body.map { ": \(firstLine($0))" } ?? "")
    case .reviewed: "reviewed this" + (event.reviewState.map { ": \(spaced($0))" } ?? "")
    case .reviewRequested: "asked \(event.reviewer?.login ?? "a team") for a review"
    case .reviewRequestRemoved: "asked \(event.reviewer?.login ?? "a team") no longer for a review"
    case .headRefDeleted: "deleted the branch"
    case .typeAdded: "set the type \(event.type?.name ?? "?")"
    case .typeChanged:
      "changed the type from \(event.previousType?.name ?? "?") to \(event.type?.name ?? "?")"
    case .typeRemoved: "removed the type \((event.previousType ?? event.type)?.name ?? "?")"
    case .subIssueAdded: "added the sub-issue \(other(event))"
    case .subIssueRemoved: "removed the sub-issue \(other(event))"
    case .parentAdded: "made this a sub-issue of \(other(event))"
    case .parentRemoved: "removed this from the sub-issues of \(other(event))"
    case .blockedByAdded: "marked this as blocked by \(other(event))"
    case .blockedByRemoved: "marked this as no longer blocked by \(other(event))"
    case .blockingAdded: "marked this as blocking \(other(event))"
    case .blockingRemoved: "marked this as no longer blocking \(other(event))"
    // GitHub adds and removes kinds of events. For an unknown kind, GitHub's own name is better than nothing.
    default: spaced(event.kind.rawValue)
    }
  }

  static func actor(of event: TimelineEvent) -> String {
    event.actor?.login ?? event.authorName ?? "ghost"
  }

  private static func reason(_ reason: StateReason?) -> String? {
    reason.map { " as \(spaced($0.rawValue))" }
  }

  private static func commit(_ event: TimelineEvent, _ words: String) -> String {
    event.commitID.map { "\(words) \($0.prefix(7))" } ?? ""
  }

  private static func assignment(_ event: TimelineEvent, _ verb: String, _ own: String) -> String {
    guard let assignee = event.assignee?.login else { return verb }
    return assignee == event.actor?.login ? own : "\(verb) \(assignee)"
  }

  private static func other(_ event: TimelineEvent, isNamedByKind: Bool = false) -> String {
    guard let other = event.other else { return "another issue" }
    let kind = !isNamedByKind ? "" : other.isPullRequest ? "the pull request " : "the issue "
    let place = "\(other.repository.map { "\($0)" } ?? "")#\(other.number)"
    return kind + place + (other.title.map { " “\($0)”" } ?? "")
  }

  private static func spaced(_ name: String) -> String {
    String(name.map { $0 == "_" || $0 == "-" ? " " : $0 })
  }

  private static func firstLine(_ text: String) -> Substring {
    text.prefix { !$0.isNewline }
  }
}
