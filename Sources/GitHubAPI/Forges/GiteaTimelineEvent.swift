internal import PlatformModules

/// An event of an issue as Forgejo and Gitea send it: comments, with a type and old and new values
/// (<https://codeberg.org/forgejo/forgejo/src/branch/forgejo/models/issues/comment.go>).
struct GiteaTimelineEvent: Decodable {
  private struct Milestone: Decodable { var title: String? }

  private enum Key: String, CodingKey {
    case id, type, user, body, label, milestone, assignee
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case htmlURL = "html_url"
    case oldTitle = "old_title"
    case newTitle = "new_title"
    case oldMilestone = "old_milestone"
    case isUnassigned = "removed_assignee"
    case referringIssue = "ref_issue"
    case dependency = "dependent_issue"
    case commit = "ref_commit_sha"
  }

  private static let kinds: [String: TimelineEvent.Kind] = [
    "comment": .commented, "close": .closed, "reopen": .reopened, "change_title": .renamed,
    "lock": .locked, "unlock": .unlocked, "pin": .pinned, "unpin": .unpinned,
    "issue_ref": .crossReferenced, "comment_ref": .crossReferenced, "pull_ref": .crossReferenced,
    "commit_ref": .referenced, "merge_pull": .merged, "review": .reviewed,
    "review_request": .reviewRequested, "delete_branch": .headRefDeleted,
    "add_dependency": .blockedByAdded, "remove_dependency": .blockedByRemoved,
  ]

  let entity: TimelineEvent

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    // As in GitHub's events, a member with an unexpected format is ignored.
    func member<Value: Decodable>(_ key: Key, _ type: Value.Type = Value.self) -> Value? {
      (try? container.decodeIfPresent(type, forKey: key)) ?? nil
    }
    func time(_ key: Key) -> Date? { member(key, String.self).flatMap(Timestamp.date(from:)) }
    func text(_ key: Key) -> String? {
      member(key, String.self).flatMap { $0.isEmpty ? nil : $0 }
    }
    let type = try container.decode(String.self, forKey: .type)
    let milestone = member(.milestone, Milestone.self)?.title
    let kind: TimelineEvent.Kind =
      switch type {
      // The text of such a comment is 1 for an added label.
      case "label": text(.body) == "1" ? .labeled : .unlabeled
      case "assignees": member(.isUnassigned) == true ? .unassigned : .assigned
      case "milestone": milestone == nil ? .demilestoned : .milestoned
      default: Self.kinds[type] ?? TimelineEvent.Kind(rawValue: type)
      }
    var event = TimelineEvent(
      kind: kind, serverID: member(.id), actor: member(.user), createdAt: time(.createdAt))
    (event.updatedAt, event.htmlURL) = (time(.updatedAt), text(.htmlURL))
    (event.label, event.assignee) = (member(.label), member(.assignee))
    event.milestone = milestone ?? member(.oldMilestone, Milestone.self)?.title
    (event.oldTitle, event.newTitle) = (text(.oldTitle), text(.newTitle))
    event.commitID = text(.commit)
    event.other = member(.referringIssue) ?? member(.dependency)
    if [.commented, .reviewed].contains(kind) { event.body = member(.body) }
    entity = event
  }
}
