import GitHubAPI

extension Change {
  var commentID: Int64? {
    switch self {
    case .editComment(let id, _, _), .deleteComment(let id, _), .reactToComment(let id, _, _),
      .unreactToComment(let id, _, _):
      id
    default: nil
    }
  }

  /// The user's text for an issue or a comment; nil if the change doesn't have any.
  public var text: String? {
    switch self {
    case .createIssue(let issue, _): issue.body ?? ""
    case .comment(_, let body): body
    case .edit(_, let edit): edit.body?.text
    case .editComment(_, _, let body): body.text
    default: nil
    }
  }

  /// The title that the change sets; nil if it doesn't set one.
  public var title: String? {
    switch self {
    case .createIssue(let issue, _): issue.title
    case .edit(_, let edit): edit.title?.text
    default: nil
    }
  }

  /// The same change with other texts. The base texts don't change.
  ///
  /// - Parameters:
  ///   - title: The title; nil for the same title.
  ///   - text: The text; nil for the same text.
  /// - Returns: The change; nil if it doesn't have such a text.
  public func replacing(title: String? = nil, text: String? = nil) -> Change? {
    guard title == nil || self.title != nil, text == nil || self.text != nil else { return nil }
    switch self {
    case .createIssue(var issue, let createsLabels):
      issue.title = title ?? issue.title
      issue.body = text ?? issue.body
      return .createIssue(issue, createsLabels: createsLabels)
    case .comment(let target, let body): return .comment(on: target, body: text ?? body)
    case .edit(let target, var edit):
      if let title { edit.title?.text = title }
      if let text { edit.body?.text = text }
      return .edit(target, edit)
    case .editComment(let id, let number, var body):
      body.text = text ?? body.text
      return .editComment(id: id, on: number, body: body)
    default: return nil
    }
  }

  /// The labels that the change adds.
  public var addedLabels: [String] {
    switch self {
    case .createIssue(let issue, _): issue.labels
    case .edit(_, let edit): edit.addedLabels
    default: []
    }
  }

  /// Whether GitHub may create labels that the repository doesn't have.
  public var createsLabels: Bool {
    switch self {
    case .createIssue(_, let creates), .transfer(_, _, let creates): creates
    case .edit(_, let edit): edit.createsLabels
    default: false
    }
  }

  /// The same change with other labels.
  ///
  /// - Parameters:
  ///   - added: Labels to add as well.
  ///   - removed: Labels to omit. An edit removes from the issue those that it didn't add.
  ///   - creates: Whether GitHub may create labels that the repository doesn't have; nil for the same value.
  /// - Returns: The change; nil if it is neither a creation nor an edit.
  public func relabelled(
    adding added: [String] = [], removing removed: [String] = [], creating creates: Bool? = nil
  ) -> Change? {
    // GitHub ignores the case of names.
    func without(_ names: [String], _ others: [String]) -> [String] {
      let others = Set(others.map { $0.lowercased() })
      return names.filter { !others.contains($0.lowercased()) }
    }
    switch self {
    case .createIssue(var issue, let createsLabels):
      issue.labels = without(issue.labels, added + removed) + added
      return .createIssue(issue, createsLabels: creates ?? createsLabels)
    case .edit(let target, var edit):
      let fresh = without(removed, edit.addedLabels + edit.removedLabels)
      edit.addedLabels = without(edit.addedLabels, added + removed) + added
      edit.removedLabels = without(edit.removedLabels, added) + fresh
      edit.createsLabels = creates ?? edit.createsLabels
      return .edit(target, edit)
    default: return nil
    }
  }

  /// The labels that the change adds or removes.
  package var labels: [String] {
    switch self {
    case .createIssue(let issue, _): issue.labels
    case .edit(_, let edit): edit.addedLabels + edit.removedLabels
    default: []
    }
  }

  /// The change in short form, one item for each part: `title`, `+bug`, `close as not planned`.
  public var words: [String] {
    switch self {
    case .createIssue: ["new"]
    case .comment: ["comment"]
    case .edit(_, let edit): edit.words
    case .relate(_, let relation): [relation.words]
    case .close(_, _, let original?): ["close as duplicate of #\(original)"]
    case .close(_, .completed, nil): ["close"]
    case .close(_, let reason, nil):
      ["close as \(reason.rawValue.map { $0 == "_" ? " " : String($0) }.joined())"]
    case .reopen: ["reopen"]
    case .lock(_, let reason): ["lock" + (reason.map { " as \($0.rawValue)" } ?? "")]
    case .unlock: ["unlock"]
    case .react(_, let kind): ["react \(kind.rawValue)"]
    case .unreact(_, let kind): ["take back \(kind.rawValue)"]
    case .subscribe: ["subscribe"]
    case .unsubscribe: ["unsubscribe"]
    case .pin: ["pin"]
    case .unpin: ["unpin"]
    case .transfer(_, let repository, _): ["transfer to \(repository)"]
    case .delete: ["delete"]
    case .editComment: ["edit comment"]
    case .deleteComment: ["delete comment"]
    case .reactToComment(_, _, let kind): ["react \(kind.rawValue) to comment"]
    case .unreactToComment(_, _, let kind): ["take back \(kind.rawValue) on comment"]
    case .notification(let thread, let action):
      [thread.issue == nil ? "\(action.words) notification \(thread.id)" : action.words]
    }
  }

  /// The change in one line, with the beginning of its text.
  public var summary: String {
    let first = (title ?? text)?.split(whereSeparator: \.isNewline).first ?? ""
    // A single line may be very long.
    let line = first.count > 200 ? "\(first.prefix(199))…" : "\(first)"
    return words.joined(separator: ", ") + (line.isEmpty ? "" : ": \(line)")
  }
}

extension GitHub.NotificationAction {
  fileprivate var words: String {
    switch self {
    case .read: "mark as read"
    case .done: "mark as done"
    case .mute: "mute notifications"
    case .unsubscribe: "unsubscribe from notifications"
    }
  }
}

extension IssueChange {
  fileprivate var words: [String] {
    var words: [String] = []
    if title != nil { words.append("title") }
    if body != nil { words.append("text") }
    words += addedLabels.map { "+\($0)" } + removedLabels.map { "-\($0)" }
    words += addedAssignees.map { "+@\($0)" } + removedAssignees.map { "-@\($0)" }
    switch milestone {
    case .set(let number): words.append("milestone \(number)")
    case .clear: words.append("no milestone")
    case nil: break
    }
    switch type {
    case .set(let name): words.append("type \(name)")
    case .clear: words.append("no type")
    case nil: break
    }
    words += fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    words += clearedFields.map { "no \($0)" }
    words += addedProjects.map(\.words)
    return words
  }
}
