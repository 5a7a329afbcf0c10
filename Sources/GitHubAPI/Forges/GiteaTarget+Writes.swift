internal import HTTPTargets
internal import PlatformModules

extension GitHub {
  /// The write of an endpoint in the API of Forgejo and Gitea; nil for a read.
  func giteaWrite(on forge: Forge) throws(NetworkError) -> Write? {
    switch self {
    case .createIssue(let name, let issue):
      return Write(.post, Self.repositoryPath(name, "/issues"), try GiteaIssue(issue, forge))
    case .editIssue(let name, let number, let edit):
      return Write(
        .patch, Self.issuePath(name, number, ""), try GiteaEdit(edit, forge),
        edit.title == nil && edit.body == nil ? .idempotent : .once)
    case .lockIssue, .unlockIssue:
      guard forge == .gitea else { throw .lacking(forge, "locked conversations") }
      return write
    case .removeLabel(_, _, let id), .editLabel(_, let id, _), .deleteLabel(_, let id):
      guard Int64(id) != nil else {
        throw .lacking(forge, "an endpoint for a label by its name: use its ID")
      }
      if case .editLabel(let name, _, let edit) = self {
        let body = GiteaLabel(
          name: edit.newName, color: edit.color, description: edit.description,
          isArchived: edit.isArchived)
        return Write(.patch, Self.path(in: name, "labels", id), body, .idempotent)
      }
      return write
    case .createLabel(let name, let label):
      // A color is required.
      let body = GiteaLabel(
        name: label.name, color: label.color ?? "ededed", description: label.description)
      return Write(.post, Self.repositoryPath(name, "/labels"), body)
    case .addAssignees, .removeAssignees:
      throw .lacking(forge, "an endpoint for single assignees: edit the whole list")
    // The server answers a repeated request with status 500.
    case .addDependency(let name, let number, let other):
      return Write(
        .post, Self.issuePath(name, number, "/dependencies"), GiteaIssueMeta(other), .once)
    case .removeDependency(let name, let number, let other):
      return Write(
        .delete, Self.issuePath(name, number, "/dependencies"), GiteaIssueMeta(other), .once)
    case .deleteIssue, .pinIssue, .unpinIssue, .uploadAsset: return write
    case .addBlockedBy, .removeBlockedBy:
      throw .lacking(forge, "dependencies by the ID of an issue: use its number")
    case .addSubIssue, .removeSubIssue, .moveSubIssue: throw .lacking(forge, "sub-issues")
    case .setFields, .clearField: throw .lacking(forge, "fields of issues")
    case .removeReaction(let name, let number, _, let kind):
      return try Self.removal(of: kind, Self.issuePath(name, number, "/reactions"), forge)
    case .removeCommentReaction(let name, let id, _, let kind):
      return try Self.removal(of: kind, Self.commentPath(name, id, "/reactions"), forge)
    case .markNotificationDone(let id):
      // It leaves the inbox when it is read.
      return Write(.patch, Self.threadPath(id), Idempotency.idempotent)
    case .markNotificationRead(let id):
      return Write(.patch, Self.threadPath(id), Idempotency.idempotent)
    case .unsubscribeFromNotification, .muteNotification:
      throw .lacking(forge, "subscriptions of notifications: use its page")
    case .markAllNotificationsRead(let name, let date):
      var write = Write(.put, Self.notificationsPath(name))
      write.task = .query([QueryItem("last_read_at", Timestamp.string(from: date))])
      return write
    case .uploadAttachment: throw .lacking(forge, "attachments without an issue")
    case .mutate(let mutation): throw .lacking(forge, mutation.feature)
    default: return write
    }
  }

  private static func removal(
    of kind: Reactions.Kind?, _ path: URLPath, _ forge: Forge
  ) throws(NetworkError) -> Write {
    guard let kind else { throw .lacking(forge, "reactions by their ID: use their kind") }
    return Write(.delete, path, ["content": kind.rawValue])
  }
}

extension IssueMutation {
  fileprivate var feature: String {
    switch self {
    case .transfer: "transfers of issues"
    case .subscribe, .unsubscribe: "subscriptions of issues in its API"
    case .create: "templates in its API"
    case .linkBranch: "linked branches"
    case .addToProject, .chooseOption: "GitHub's projects"
    case .delete, .pin, .unpin: "GraphQL"
    }
  }
}

/// The body of a new issue. It identifies labels and the milestone by their IDs.
private struct GiteaIssue: Encodable, Sendable {
  var title: String
  var body: String?
  var labels: [Int64]?
  var assignees: [String]?
  var milestone: Int?

  init(_ issue: NewIssue, _ forge: Forge) throws(NetworkError) {
    guard issue.type == nil else { throw .lacking(forge, "types of issues") }
    guard issue.parentIssueID == nil else { throw .lacking(forge, "sub-issues") }
    guard issue.labels.isEmpty || issue.labelIDs?.count == issue.labels.count else {
      throw .lacking(forge, "new issues with the names of labels: use their IDs")
    }
    (title, body, milestone) = (issue.title, issue.body, issue.milestone)
    labels = issue.labels.isEmpty ? nil : issue.labelIDs
    assignees = issue.assignees.isEmpty ? nil : issue.assignees
  }
}

/// The body of an edit. Zero removes the milestone.
private struct GiteaEdit: Encodable, Sendable {
  var title: String?
  var body: String?
  var state: String?
  var milestone: Int?
  var assignees: [String]?

  init(_ edit: IssueEdit, _ forge: Forge) throws(NetworkError) {
    guard edit.type == nil else { throw .lacking(forge, "types of issues") }
    let usual: [StateReason?] = [nil, .completed, .reopened]
    guard usual.contains(edit.stateReason), edit.duplicateIssueID == nil else {
      throw .lacking(forge, "reasons for closing")
    }
    // The server ignores it.
    guard edit.title != "" else { throw .lacking(forge, "issues without a title") }
    (title, body, state) = (edit.title, edit.body, edit.state?.rawValue)
    milestone = edit.milestone.map { $0.value ?? 0 }
    assignees = edit.assignees
  }
}

private struct GiteaLabel: Encodable, Sendable {
  var name: String?
  var color: String?
  var description: String?
  var isArchived: Bool?

  private enum CodingKeys: String, CodingKey {
    case name, color, description
    case isArchived = "is_archived"
  }

  init(name: String?, color: String?, description: String?, isArchived: Bool? = nil) {
    (self.name, self.description, self.isArchived) = (name, description, isArchived)
    self.color = color.map { "#\(GitHub.Label.digits($0))" }
  }
}

/// Identifies an issue in any repository.
private struct GiteaIssueMeta: Encodable, Sendable {
  var owner: String
  var repo: String
  var index: Int

  init(_ issue: IssuePlace) {
    (owner, repo, index) = (issue.repository.owner, issue.repository.name, issue.number)
  }
}
