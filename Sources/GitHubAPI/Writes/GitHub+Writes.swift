internal import HTTPTargets

extension GitHub {
  struct Write {
    var method: HTTPRequest.Method
    var path: URLPath
    var task: HTTPTask
    var idempotency: Idempotency

    init(_ method: HTTPRequest.Method, _ path: URLPath) {
      self.method = method
      self.path = path
      task = .plain
      idempotency = Idempotency(method)
    }

    init(_ method: HTTPRequest.Method, _ path: URLPath, _ idempotency: Idempotency) {
      self.init(method, path)
      self.idempotency = idempotency
    }

    init(
      _ method: HTTPRequest.Method, _ path: URLPath, _ body: some Encodable & Sendable,
      _ idempotency: Idempotency? = nil
    ) {
      self.init(method, path)
      task = .json(body)
      if let idempotency { self.idempotency = idempotency }
    }

    init(_ method: HTTPRequest.Method, _ path: URLPath, form part: MultipartPart) {
      self.init(method, path)
      task = .multipart([part])
      idempotency = .idempotent
    }

    init(
      _ method: HTTPRequest.Method, _ path: URLPath, uploading file: String, query: [QueryItem]
    ) {
      self.init(method, path)
      task = .uploadFile(file, query: query)
      idempotency = .idempotent
    }
  }

  /// The write of an endpoint; nil for a read. Most edits are idempotent, and so is adding a label, an assignee, a
  /// reaction or the value of a field. Creations aren't, because GitHub can't detect a repeated one. Edits of an
  /// issue's title or text or of a comment aren't either, because a repeated edit could overwrite another user's edit
  /// in between.
  var write: Write? {
    switch self {
    case .createIssue(let name, let issue):
      Write(.post, Self.repositoryPath(name, "/issues"), issue.withoutTemplate)
    case .editIssue(let name, let number, let edit):
      Write(
        .patch, Self.issuePath(name, number, ""), edit,
        edit.title == nil && edit.body == nil ? .idempotent : .once)
    case .lockIssue(let name, let number, let reason?):
      Write(.put, Self.issuePath(name, number, "/lock"), ["lock_reason": reason])
    case .lockIssue(let name, let number, nil):
      Write(.put, Self.issuePath(name, number, "/lock"))
    case .unlockIssue(let name, let number):
      Write(.delete, Self.issuePath(name, number, "/lock"))
    case .addLabels(let name, let number, let labels):
      Write(.post, Self.issuePath(name, number, "/labels"), ["labels": labels], .idempotent)
    case .removeLabel(let name, let number, let label):
      Write(.delete, Self.issuePath(name, number, "/labels/", label))
    case .addAssignees(let name, let number, let logins):
      Write(
        .post, Self.issuePath(name, number, "/assignees"), ["assignees": logins], .idempotent)
    case .removeAssignees(let name, let number, let logins):
      Write(.delete, Self.issuePath(name, number, "/assignees"), ["assignees": logins])
    case .addSubIssue(let name, let number, let id, let replacesParent):
      // GitHub rejects a repeated request, and the response to the first one may have been lost.
      Write(
        .post, Self.issuePath(name, number, "/sub_issues"),
        SubIssueBody(subIssueID: id, replacesParent: replacesParent ? true : nil))
    case .removeSubIssue(let name, let number, let id):
      Write(.delete, Self.issuePath(name, number, "/sub_issue"), SubIssueBody(subIssueID: id))
    case .moveSubIssue(let name, let number, let id, let position):
      Write(
        .patch, Self.issuePath(name, number, "/sub_issues/priority"),
        SubIssueBody(subIssueID: id, position: position), .idempotent)
    case .addBlockedBy(let name, let number, let id):
      Write(.post, Self.issuePath(name, number, "/dependencies/blocked_by"), ["issue_id": id])
    case .removeBlockedBy(let name, let number, let id):
      Write(
        .delete,
        Self.issuePath(name, number, "/dependencies/blocked_by/", id > 0 ? "\(id)" : ""))
    case .addDependency(let name, let number, _):
      Write(.post, Self.issuePath(name, number, "/dependencies"))
    case .removeDependency(let name, let number, _):
      Write(.delete, Self.issuePath(name, number, "/dependencies"), .once)
    case .deleteIssue(let name, let number):
      // A repeated request finds no issue, and the response to the first one may have been lost.
      Write(.delete, Self.issuePath(name, number, ""), .once)
    case .pinIssue(let name, let number): Write(.post, Self.issuePath(name, number, "/pin"))
    case .unpinIssue(let name, let number): Write(.delete, Self.issuePath(name, number, "/pin"))
    case .setFields(let name, let number, let values):
      Write(
        .post, Self.issuePath(name, number, "/issue-field-values"), ["issue_field_values": values],
        .idempotent)
    case .clearField(let name, let number, let id):
      Write(
        .delete, Self.issuePath(name, number, "/issue-field-values/", id > 0 ? "\(id)" : ""))
    case .createComment(let name, let number, let body):
      Write(.post, Self.issuePath(name, number, "/comments"), ["body": body])
    case .editComment(let name, let id, let body):
      Write(.patch, Self.commentPath(name, id), ["body": body])
    case .deleteComment(let name, let id):
      Write(.delete, Self.commentPath(name, id))
    case .react(let name, let number, let kind):
      Write(
        .post, Self.issuePath(name, number, "/reactions"), ["content": kind.rawValue], .idempotent)
    case .removeReaction(let name, let number, let id, _):
      Write(.delete, Self.issuePath(name, number, "/reactions/", id > 0 ? "\(id)" : ""))
    case .reactToComment(let name, let id, let kind):
      Write(
        .post, Self.commentPath(name, id, "/reactions"), ["content": kind.rawValue], .idempotent)
    case .removeCommentReaction(let name, let id, let reaction, _):
      Write(
        .delete, Self.commentPath(name, id, "/reactions/\(reaction > 0 ? "\(reaction)" : "")"))
    case .createLabel(let name, let label):
      Write(.post, Self.repositoryPath(name, "/labels"), label)
    case .editLabel(let name, let label, let edit):
      // A second request wouldn't find the label, because its name has changed.
      Write(
        .patch, Self.path(in: name, "labels", label), edit,
        edit.newName == nil ? .idempotent : .once)
    case .deleteLabel(let name, let label):
      Write(.delete, Self.path(in: name, "labels", label))
    case .createMilestone(let name, let milestone):
      Write(.post, Self.repositoryPath(name, "/milestones"), milestone)
    case .editMilestone(let name, let number, let edit):
      Write(.patch, Self.milestonePath(name, number), edit, .idempotent)
    case .deleteMilestone(let name, let number):
      Write(.delete, Self.milestonePath(name, number))
    case .markNotificationRead(let id):
      Write(.patch, Self.threadPath(id), [:] as [String: String], .idempotent)
    case .markNotificationDone(let id): Write(.delete, Self.threadPath(id))
    case .unsubscribeFromNotification(let id):
      Write(.delete, Self.threadPath(id, "/subscription"))
    case .muteNotification(let id):
      Write(.put, Self.threadPath(id, "/subscription"), ["ignored": true])
    case .uploadAttachment(let repositoryID, let name, let contentType, let file):
      // A second upload has another address, but nothing refers to the first one.
      Write(
        .post, "user-attachments/assets",
        uploading: file,
        query: [
          QueryItem("name", name), QueryItem("content_type", contentType),
          QueryItem("repository_id", repositoryID),
        ])
    case .uploadAsset(let name, let number, let fileName, let contentType, let file):
      // A second upload has another address, but nothing refers to the first one.
      Write(
        .post, Self.issuePath(name, number, "/assets"),
        form: MultipartPart(
          "attachment", file: file, filename: fileName, contentType: contentType))
    case .markAllNotificationsRead(let name, let date):
      Write(.put, Self.notificationsPath(name), ["last_read_at": Timestamp.string(from: date)])
    default: nil
    }
  }

  static func notificationsPath(_ fullName: String?) -> URLPath {
    fullName.map { repositoryPath($0, "/notifications") } ?? "notifications"
  }

  /// Returns the path of a thread of notifications. Any other character than a digit could lead to a different path.
  static func threadPath(_ id: String, _ tail: String = "") -> URLPath {
    "notifications/threads/\(id.allSatisfy(\.isWholeNumber) ? id : "")\(raw: tail)"
  }

  static func commentPath(
    _ fullName: String, _ id: Int64, _ tail: String = ""
  ) -> URLPath {
    let name = RepositoryName(fullName)
    let id = id > 0 ? "\(id)" : ""
    return "repos/\(name?.owner ?? "")/\(name?.name ?? "")/issues/comments/\(id)\(raw: tail)"
  }
}

private struct SubIssueBody: Encodable, Sendable {
  var subIssueID: Int64
  var replacesParent: Bool?
  var after: Int64?
  var before: Int64?

  init(subIssueID: Int64, replacesParent: Bool?) {
    self.subIssueID = subIssueID
    self.replacesParent = replacesParent
  }

  init(subIssueID: Int64, position: GitHub.SubIssuePosition? = nil) {
    self.subIssueID = subIssueID
    switch position {
    case .after(let other): after = other
    case .before(let other): before = other
    case nil: break
    }
  }

  private enum CodingKeys: String, CodingKey {
    case subIssueID = "sub_issue_id"
    case replacesParent = "replace_parent"
    case after = "after_id"
    case before = "before_id"
  }
}
