internal import IssueBrowser
internal import IssueOutbox
internal import IssueTracker

extension OutboxEntry {
  /// The issue in the form that a user would type: `owner/name#12`, or `new-1` before it has a number.
  var issueName: String {
    switch change.target {
    case .number(let number)?: "\(repository)#\(number)"
    case .pending(let id)?: "new-\(id)"
    case nil: "\(repository)\(change.thread?.issue.map { "#\($0)" } ?? "")"
    }
  }

  /// The notification as a phrase: `the notification about owner/name#12`.
  private func name(of thread: NotificationThread) -> String {
    thread.issue == nil
      ? "notification \(thread.id) of \(repository)" : "the notification about \(issueName)"
  }

  /// The change as a task: `comment on owner/name#12`.
  var task: String { sentence(issueName, isPast: false) }

  /// The change as a report: `Commented on owner/name#12`.
  var deed: String { sentence(sentName, isPast: true) }

  private func sentence(_ name: String, isPast: Bool) -> String {
    func verb(_ present: String, _ past: String) -> String { isPast ? past : present }
    let number = answer?.number.map { "#\($0)" } ?? ""
    return switch change {
    case .createIssue(let issue, _):
      isPast ? "Created \(repository)\(number)" : "create “\(issue.title)” in \(repository)"
    case .comment: "\(verb("comment", "Commented")) on \(name)"
    case .edit: "\(verb("edit", "Edited")) \(name)"
    case .relate(_, let relation): relation.sentence(on: name, verb)
    case .close(_, let reason, let original):
      "\(verb("close", "Closed")) \(name)\(Self.reason(reason, original))"
    case .reopen: "\(verb("reopen", "Reopened")) \(name)"
    case .lock: "\(verb("lock", "Locked")) \(name)"
    case .unlock: "\(verb("unlock", "Unlocked")) \(name)"
    case .react(_, let kind): "\(verb("react", "Reacted")) to \(name) with \(kind.emoji)"
    case .unreact(_, let kind): "\(verb("take", "Took")) back \(kind.emoji) on \(name)"
    case .subscribe: "\(verb("subscribe", "Subscribed")) to \(name)"
    case .unsubscribe: "\(verb("unsubscribe", "Unsubscribed")) from \(name)"
    case .pin: "\(verb("pin", "Pinned")) \(name)"
    case .unpin: "\(verb("unpin", "Unpinned")) \(name)"
    case .transfer(_, let destination, _):
      "\(verb("transfer", "Transferred")) \(issueName) to \(destination)\(isPast ? number : "")"
    case .delete: "\(verb("delete", "Deleted")) \(name)"
    case .editComment(let id, _, _): "\(verb("edit", "Edited")) comment \(id) on \(name)"
    case .deleteComment(let id, _): "\(verb("delete", "Deleted")) comment \(id) on \(name)"
    case .reactToComment(let id, _, let kind):
      "\(verb("react", "Reacted")) to comment \(id) on \(name) with \(kind.emoji)"
    case .unreactToComment(let id, _, let kind):
      "\(verb("take", "Took")) back \(kind.emoji) on comment \(id) on \(name)"
    case .notification(let thread, .read):
      "\(verb("mark", "Marked")) \(self.name(of: thread)) as read"
    case .notification(let thread, .done):
      "\(verb("mark", "Marked")) \(self.name(of: thread)) as done"
    case .notification(let thread, .mute): "\(verb("mute", "Muted")) \(self.name(of: thread))"
    case .notification(let thread, .unsubscribe):
      "\(verb("unsubscribe", "Unsubscribed")) from \(self.name(of: thread))"
    }
  }

  var foundWords: String {
    answer?.wasFound == true ? " (the response was lost, but the change was made)" : ""
  }

  /// The name of the issue, with the number from the response if it had none.
  private var sentName: String {
    if case .pending? = change.target, let number = answer?.number {
      return "\(repository)#\(number)"
    }
    return issueName
  }

  private static func reason(_ reason: StateReason, _ original: Int?) -> String {
    if let original { return " as a duplicate of #\(original)" }
    return switch reason {
    case .notPlanned: " as not planned"
    case .duplicate: " as a duplicate"
    default: ""
    }
  }
}

extension RelationChange {
  /// A sentence such as `Made #5 a sub-issue of owner/name#12`, or `make …`.
  fileprivate func sentence(
    on name: String, _ verb: (_ present: String, _ past: String) -> String
  ) -> String {
    let (make, take, mark) = (verb("make", "Made"), verb("take", "Took"), verb("mark", "Marked"))
    return switch self {
    case .addSubIssue(let other, _): "\(make) \(other) a sub-issue of \(name)"
    case .removeSubIssue(let other): "\(take) \(other) out of the sub-issues of \(name)"
    case .setParent(let other, _): "\(make) \(name) a sub-issue of \(other)"
    case .removeParent: "\(take) \(name) out of its parent"
    case .moveAfter(let other): "\(verb("move", "Moved")) \(name) after \(other)"
    case .moveFirst: "\(make) \(name) the first sub-issue of its parent"
    case .addBlocker(let other): "\(mark) \(name) as blocked by \(other)"
    case .removeBlocker(let other): "\(mark) \(name) as no longer blocked by \(other)"
    case .block(let other): "\(mark) \(name) as blocking \(other)"
    case .unblock(let other): "\(mark) \(name) as no longer blocking \(other)"
    }
  }
}

extension [OutboxEntry] {
  /// The bulk that includes all entries; nil if there is none.
  private var bulk: OutboxEntry.ID? {
    guard let bulk = first?.bulk, allSatisfy({ $0.bulk == bulk }) else { return nil }
    return bulk
  }

  /// The entries for a command line; nil if there are too many.
  private var names: String? {
    if let bulk { return "--bulk \(bulk)" }
    return count <= 8 ? map { "\($0.id)" }.joined(separator: " ") : nil
  }

  var sendCommand: String {
    "issues outbox send" + (bulk == nil ? "" : " \(names ?? "")")
  }

  /// The message about entries left in the outbox when Ctrl-C interrupts sending, with advice; nil if there are none.
  var lastWords: String? {
    let open = filter { $0.state != .sent }
    guard let first = open.first else { return nil }
    let names = open.names
    let send = "issues outbox send" + (names.map { " \($0)" } ?? "")
    let drop = names.map { ", 'issues outbox drop \($0)' drops" } ?? ""
    if count == 1 {
      let fate =
        switch first.state {
        case .sending: "perhaps sent already"
        case .unknown: "perhaps sent, its response was lost"
        case .refused: "refused"
        case .conflict: "in conflict"
        case .proposed: "proposed"
        case .queued, .sent: "not sent yet"
        }
      return "Stopped. Kept in the outbox, \(fate): \(first.id) (\(first.task)). "
        + "'\(send)' continues with it\(drop) it."
    }
    return "Stopped. \(open.count) of \(count) changes stay in the outbox: "
      + "'\(send)' continues with them\(drop.isEmpty ? "" : "\(drop) them")."
  }
}

extension OutboxState {
  /// The predicate of a sentence such as `Change 36 is in conflict`.
  var predicate: String {
    switch self {
    case .proposed: "is proposed"
    case .queued: "is queued"
    case .sending: "is being sent"
    case .sent: "was sent"
    case .refused: "was refused"
    case .conflict: "is in conflict"
    case .unknown: "may have been sent"
    }
  }
}

extension Change {
  /// Whether the change is made regardless of the previous changes. The relations of a new issue wait for its creation
  /// anyway.
  var standsAlone: Bool {
    switch self {
    case .relate: true
    case .edit(_, let change) where !change.addedProjects.isEmpty:
      change == IssueChange(addedProjects: change.addedProjects)
    default: false
    }
  }
}

extension Reactions.Kind {
  init?(nameOrEmoji text: String) {
    let names = [
      "thumbs-up": Self.thumbsUp, "thumbsup": .thumbsUp, "thumbs-down": .thumbsDown,
      "thumbsdown": .thumbsDown, "tada": .hooray,
    ]
    // The heart may be followed by a variation selector.
    let plain = { (text: String) in text.unicodeScalars.filter { $0 != "\u{FE0F}" } }
    let kind =
      Self(rawValue: text.lowercased()) ?? names[text.lowercased()]
      ?? Self.allCases.first { plain($0.emoji).elementsEqual(plain(text)) }
    guard let kind else { return nil }
    self = kind
  }
}
