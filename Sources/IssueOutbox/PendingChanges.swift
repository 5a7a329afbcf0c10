public import GitHubAPI

/// The changes of one repository that aren't on its server yet. They can be applied to issues before these are shown.
///
/// ```swift
/// let pending = PendingChanges(try await outbox.entries(), of: name, on: server.host)
/// let shown = pending.applied(to: issue)
/// print(shown.title, pending.note(on: .number(issue.number))?.text ?? "")
/// ```
///
/// Queued changes, conflicts and changes with a lost response are applied. Refused changes only appear in notes.
public struct PendingChanges: Hashable, Sendable {
  /// The unsent entries, the oldest first.
  public let entries: [OutboxEntry]
  /// The entries by issue, because lists need a lookup for each row.
  private let entriesByIssue: [IssueTarget: [OutboxEntry]]

  /// Collects the changes of a repository.
  ///
  /// - Parameters:
  ///   - entries: Entries, the oldest first. Sent and proposed entries, and those of other repositories, are ignored.
  ///   - repository: The repository, ignoring case.
  ///   - host: The host of its server (``/GitHubAPI/GitHubServer/host``).
  public init(_ entries: [OutboxEntry], of repository: RepositoryName, on host: String) {
    let name = "\(repository)".lowercased()
    let open = entries.filter {
      ![.sent, .proposed].contains($0.state) && $0.dropped == nil && $0.server.host == host
        && "\($0.repository)".lowercased() == name
    }
    self.entries = open
    entriesByIssue = open.reduce(into: [:]) { groups, entry in
      if let target = entry.target { groups[target, default: []].append(entry) }
    }
  }

  /// Whether no changes are pending.
  public var isEmpty: Bool { entries.isEmpty }

  /// The changes of one issue, the oldest first.
  public func entries(on target: IssueTarget) -> [OutboxEntry] {
    entriesByIssue[target] ?? []
  }

  /// The note for an issue's title; nil without pending changes.
  public func note(on target: IssueTarget) -> PendingNote? {
    let entries = entries(on: target)
    return entries.isEmpty ? nil : PendingNote(entries)
  }

  // MARK: Issues

  /// Applies the pending changes to an issue.
  ///
  /// - Parameters:
  ///   - issue: The issue from the server.
  ///   - milestones: The known milestones, which provide the titles.
  /// - Returns: The issue with the pending changes.
  public func applied(to issue: GitHub.Issue, milestones: [GitHub.Milestone] = []) -> GitHub.Issue {
    let entries = entries(on: IssueTarget(shownAs: issue.number))
    return entries.reduce(into: issue) { issue, entry in
      if entry.isPending { entry.change.apply(to: &issue, milestones) }
    }
  }

  /// The issues that haven't been created yet, the oldest first, including later changes to them.
  ///
  /// Each ``/GitHubAPI/GitHub/Issue/number`` is the negative id of the entry: see ``IssueTarget/init(shownAs:)``.
  public func newIssues(milestones: [GitHub.Milestone] = []) -> [GitHub.Issue] {
    entries.compactMap { entry in
      guard case .createIssue(let new, _) = entry.change else { return nil }
      var issue = GitHub.Issue(
        id: -entry.id, number: -Int(entry.id), title: new.title, body: new.body,
        user: entry.account?.login.map { GitHub.User(login: $0) },
        labels: new.labels.map { GitHub.Label(name: $0) },
        assignees: new.assignees.map { GitHub.User(login: $0) },
        milestone: new.milestone.map { Self.milestone($0, among: milestones) },
        createdAt: entry.created, updatedAt: entry.created,
        type: new.type.map { GitHub.IssueType(name: $0) })
      issue = applied(to: issue, milestones: milestones)
      return issue
    }
  }

  /// The numbers of the server's issues with pending changes, in order.
  public var numbers: [Int] {
    entriesByIssue.keys.compactMap { if case .number(let number) = $0 { number } else { nil } }
      .sorted()
  }

  // MARK: Comments

  /// The unsent comments on an issue, the oldest first. Their ids are the negative ids of their entries.
  public func newComments(on target: IssueTarget) -> [(comment: IssueComment, note: PendingNote)] {
    entries(on: target).compactMap { entry in
      guard case .comment(_, let body) = entry.change else { return nil }
      let comment = IssueComment(
        id: -entry.id, body: body, user: entry.account?.login.map { GitHub.User(login: $0) },
        createdAt: entry.created)
      return (comment, PendingNote([entry]))
    }
  }

  /// A comment with its pending changes and a note about them; nil without pending changes.
  public func applied(
    to comment: IssueComment
  ) -> (comment: IssueComment, note: PendingNote)? {
    let entries = entries.filter { $0.change.commentID == comment.id }
    guard !entries.isEmpty else { return nil }
    var changed = comment
    for entry in entries where entry.isPending {
      if case .editComment(_, _, let body) = entry.change { changed.body = body.text }
    }
    return (changed, PendingNote(entries))
  }

  fileprivate static func milestone(_ number: Int, among known: [GitHub.Milestone])
    -> GitHub.Milestone
  {
    known.first { $0.number == number } ?? GitHub.Milestone(number: number, title: "#\(number)")
  }
}

/// The note about the pending changes of an issue or a comment.
public struct PendingNote: Hashable, Sendable {
  /// A summary of the changes, such as `close, +bug, title (conflict)`.
  public let text: String
  /// Whether a change requires a decision: a conflict, a lost response or a refusal.
  public let needsPerson: Bool

  init(_ entries: [OutboxEntry]) {
    text = entries.map { entry in
      let words = entry.change.words.joined(separator: ", ")
      return entry.needsPerson ? "\(words) (\(entry.state.rawValue))" : words
    }.joined(separator: ", ")
    needsPerson = entries.contains(where: \.needsPerson)
  }
}

extension OutboxEntry {
  /// The issue that the entry affects; nil if unknown, for example for a comment of which only the id is known.
  public var target: IssueTarget? {
    if case .createIssue = change { .pending(id) } else { change.target }
  }

  var isPending: Bool { state != .sent && state != .refused }

  /// Whether the entry stays in this state until the user makes a decision.
  public var needsPerson: Bool { [.proposed, .refused, .conflict, .unknown].contains(state) }
}

extension IssueTarget: CustomStringConvertible {
  /// Converts an issue number from ``PendingChanges``, which is negative for a pending issue.
  public init(shownAs number: Int) {
    self = number < 0 ? .pending(OutboxEntry.ID(-number)) : .number(number)
  }

  /// The name as displayed and typed: `#12` or `new-1`.
  public var name: String {
    switch self {
    case .number(let number): "#\(number)"
    case .pending(let id): "new-\(id)"
    }
  }

  /// The ``name``.
  public var description: String { name }
}

extension Change {
  /// Applies the change to an issue in the same way as the server.
  public func applied(to issue: GitHub.Issue) -> GitHub.Issue {
    var changed = issue
    apply(to: &changed, [])
    return changed
  }

  fileprivate func apply(to issue: inout GitHub.Issue, _ milestones: [GitHub.Milestone]) {
    switch self {
    case .edit(_, let edit): edit.apply(to: &issue, milestones)
    case .close(_, let reason, _):
      if issue.state != .closed { (issue.state, issue.stateReason) = (.closed, reason) }
    case .reopen:
      if issue.state != .open { (issue.state, issue.stateReason) = (.open, .reopened) }
    case .lock: issue.isLocked = true
    case .unlock: issue.isLocked = false
    case .comment: issue.commentsCount += 1
    case .deleteComment: issue.commentsCount = max(0, issue.commentsCount - 1)
    case .react(_, let kind):
      var counts = issue.reactions?.counts ?? [:]
      counts[kind, default: 0] += 1
      issue.reactions = Reactions(counts: counts)
    case .unreact(_, let kind):
      var counts = issue.reactions?.counts ?? [:]
      counts[kind] = max(0, counts[kind, default: 0] - 1)
      issue.reactions = Reactions(counts: counts)
    case .relate, .createIssue, .subscribe, .unsubscribe, .pin, .unpin, .transfer, .delete,
      .editComment, .reactToComment, .unreactToComment, .notification:
      break
    }
  }
}

extension IssueChange {
  fileprivate func apply(to issue: inout GitHub.Issue, _ milestones: [GitHub.Milestone]) {
    if let title { issue.title = title.text }
    if let body { issue.body = body.text }
    switch milestone {
    case .set(let number) where issue.milestone?.number == number: break
    case .set(let number):
      issue.milestone = PendingChanges.milestone(number, among: milestones)
    case .clear: issue.milestone = nil
    case nil: break
    }
    switch type {
    case .set(let name): issue.type = GitHub.IssueType(name: name)
    case .clear: issue.type = nil
    case nil: break
    }
    let cleared = Set(clearedFields.map { $0.lowercased() })
    issue.fieldValues.removeAll { cleared.contains($0.name?.lowercased() ?? "") }
    for (name, text) in fields.sorted(by: { $0.key < $1.key }) {
      let isSame = { (value: GitHub.IssueFieldValue) in
        value.name?.lowercased() == name.lowercased()
      }
      if let index = issue.fieldValues.firstIndex(where: isSame) {
        let present = issue.fieldValues[index].content.map { "\($0)".lowercased() }
        if present != text.lowercased() { issue.fieldValues[index].content = .text(text) }
      } else {
        issue.fieldValues.append(
          GitHub.IssueFieldValue(fieldID: 0, name: name, kind: .text, content: .text(text)))
      }
    }
    func isAmong(_ names: [String], _ name: String) -> Bool {
      names.contains { $0.lowercased() == name.lowercased() }
    }
    issue.labels.removeAll { isAmong(removedLabels, $0.name) }
    issue.labels += addedLabels.filter { !isAmong(issue.labels.map(\.name), $0) }
      .map { GitHub.Label(name: $0) }
    issue.assignees.removeAll { isAmong(removedAssignees, $0.login) }
    issue.assignees += addedAssignees.filter { !isAmong(issue.assignees.map(\.login), $0) }
      .map { GitHub.User(login: $0) }
  }
}
