internal import GitHubAPI

extension Change {
  /// The issue that the change affects; nil for the creation of an issue, for a comment on an unknown issue, and for a
  /// thread of notifications.
  public var target: IssueTarget? {
    switch self {
    case .createIssue, .notification: nil
    case .comment(let target, _), .edit(let target, _), .relate(let target, _),
      .close(let target, _, _), .reopen(let target), .lock(let target, _), .unlock(let target),
      .react(let target, _), .unreact(let target, _), .subscribe(let target),
      .unsubscribe(let target), .pin(let target), .unpin(let target), .transfer(let target, _, _),
      .delete(let target):
      target
    case .editComment(_, let number, _), .deleteComment(_, let number),
      .reactToComment(_, let number, _), .unreactToComment(_, let number, _):
      number.map { .number($0) }
    }
  }

  /// The thread of notifications that the change affects; nil for all other changes.
  public var thread: NotificationThread? {
    if case .notification(let thread, _) = self { thread } else { nil }
  }

  /// The number of the issue that the change affects, if it is on the server.
  var number: Int? {
    if case .number(let number) = target { number } else { nil }
  }

  var pending: OutboxEntry.ID? {
    if case .pending(let id) = target { id } else { nil }
  }

  /// The changes that create an issue. Forgejo and Gitea store files only for an existing issue, so there the text
  /// with its files follows the creation.
  package static func creating(
    _ issue: NewIssue, createsLabels: Bool = false, on server: GitHubServer
  ) -> [Change] {
    guard server.isGitea, let body = issue.body, !AttachmentMentions.ids(in: body).isEmpty else {
      return [.createIssue(issue, createsLabels: createsLabels)]
    }
    var created = issue
    created.body = AttachmentMentions.postponing(in: body)
    let text = TextChange(body, base: created.body)
    return [
      .createIssue(created, createsLabels: createsLabels),
      .edit(.createdBefore, IssueChange(body: text)),
    ]
  }

  /// The texts typed by the user.
  package var texts: [String] {
    switch self {
    case .createIssue(let issue, _): [issue.title] + (issue.body.map { [$0] } ?? [])
    case .comment(_, let body): [body]
    case .edit(_, let change): [change.title?.text, change.body?.text].compactMap(\.self)
    case .editComment(_, _, let body): [body.text]
    default: []
    }
  }

  /// Replaces the entries of sent creations with their numbers, both as the issue and in the texts.
  func resolving(_ numbers: [OutboxEntry.ID: Int]) -> Change {
    guard !numbers.isEmpty else { return self }
    return mapping { target in
      if case .pending(let id) = target, let number = numbers[id] {
        .number(number)
      } else {
        target
      }
    } _: {
      PendingMentions.resolving(numbers, in: $0)
    }
  }

  /// The attachments that the texts refer to.
  package var attachmentIDs: [String] {
    texts.flatMap(AttachmentMentions.ids).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Replaces the references to attachments with their addresses.
  func attaching(_ urls: [String: String]) -> Change {
    mapping({ $0 }, { AttachmentMentions.resolving(urls, in: $0) })
  }

  /// Replaces ``IssueTarget/createdBefore`` with a creation.
  func following(_ creation: OutboxEntry.ID) -> Change {
    mapping({ $0 == .createdBefore ? .pending(creation) : $0 }, { $0 })
  }

  /// The same change for another issue; nil if it doesn't belong to an issue, or refers by number to an item of the old
  /// repository.
  func retargeted(from old: RepositoryName, to place: IssuePlace) -> Change? {
    let isElsewhere = "\(old)".lowercased() != "\(place.repository)".lowercased()
    switch self {
    case .createIssue, .notification: return nil
    case .close(_, _, _?) where isElsewhere: return nil
    case .edit(_, let change) where isElsewhere && change.milestone.map { $0 != .clear } == true:
      return nil
    case .relate(_, let relation) where isElsewhere:
      return .relate(.number(place.number), relation.naming(old))
    case .editComment(let id, _, let body):
      return .editComment(id: id, on: place.number, body: body)
    case .deleteComment(let id, _): return .deleteComment(id: id, on: place.number)
    case .reactToComment(let id, _, let kind):
      return .reactToComment(id: id, on: place.number, kind)
    case .unreactToComment(let id, _, let kind):
      return .unreactToComment(id: id, on: place.number, kind)
    default:
      guard case .number = target else { return nil }
      return mapping({ _ in .number(place.number) }, { $0 })
    }
  }

  private func mapping(
    _ resolved: (IssueTarget) -> IssueTarget, _ text: (String) -> String
  ) -> Change {
    func changed(_ change: TextChange) -> TextChange {
      TextChange(text(change.text), base: change.base)
    }
    switch self {
    case .createIssue(var issue, let createsLabels):
      issue.title = text(issue.title)
      issue.body = issue.body.map(text)
      return .createIssue(issue, createsLabels: createsLabels)
    case .comment(let target, let body): return .comment(on: resolved(target), body: text(body))
    case .edit(let target, var change):
      change.title = change.title.map(changed)
      change.body = change.body.map(changed)
      return .edit(resolved(target), change)
    case .relate(let target, let relation): return .relate(resolved(target), relation)
    case .close(let target, let reason, let original):
      return .close(resolved(target), reason, duplicateOf: original)
    case .reopen(let target): return .reopen(resolved(target))
    case .lock(let target, let reason): return .lock(resolved(target), reason)
    case .unlock(let target): return .unlock(resolved(target))
    case .react(let target, let kind): return .react(resolved(target), kind)
    case .unreact(let target, let kind): return .unreact(resolved(target), kind)
    case .subscribe(let target): return .subscribe(resolved(target))
    case .unsubscribe(let target): return .unsubscribe(resolved(target))
    case .pin(let target): return .pin(resolved(target))
    case .unpin(let target): return .unpin(resolved(target))
    case .transfer(let target, let destination, let createsLabels):
      return .transfer(resolved(target), to: destination, createsLabels: createsLabels)
    case .delete(let target): return .delete(resolved(target))
    case .editComment(let id, let number, let body):
      return .editComment(id: id, on: number, body: changed(body))
    case .deleteComment, .reactToComment, .unreactToComment, .notification: return self
    }
  }

  /// Whether each delivery has an effect of its own. Such a change is repeated only if it was certainly not carried
  /// out.
  public var countsEachTime: Bool {
    switch self {
    case .createIssue, .comment, .transfer, .delete: true
    case .edit, .relate, .close, .reopen, .lock, .unlock, .react, .unreact, .subscribe,
      .unsubscribe, .pin, .unpin, .editComment, .deleteComment, .reactToComment, .unreactToComment,
      .notification:
      false
    }
  }

  var replacesText: Bool {
    switch self {
    case .edit(_, let change): change.title != nil || change.body != nil
    case .editComment: true
    default: false
    }
  }

  var makesIssue: Bool { if case .createIssue = self { true } else { false } }
}
