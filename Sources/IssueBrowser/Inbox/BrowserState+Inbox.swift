internal import IssueOutbox
internal import IssueTracker
internal import StyledText

/// Changes of notifications.
extension BrowserState {
  /// Changes the selected notifications, or the one at the cursor.
  mutating func act(_ action: GitHub.NotificationAction) {
    guard case .inbox(let inbox) = list.content else { return }
    let rows = chosen == nil ? [list.cursor.selection] : chosenRows(among: 0..<rowCount)
    let notifications = rows.filter(inbox.notifications.indices.contains).map {
      inbox.notifications[$0]
    }
    let pairs = notifications.compactMap { notification -> (ListedIssue, Change)? in
      guard let thread = NotificationThread(notification), let listed = ListedIssue(notification)
      else { return nil }
      return (listed, .notification(thread, action))
    }
    guard !pairs.isEmpty, pairs.count == notifications.count else {
      message =
        notifications.isEmpty
        ? "There is no notification to change." : "The server sent an invalid notification."
      return
    }
    let needed = zip(pairs, notifications).filter { action != .read || $1.isUnread }.map(\.0)
    guard let first = needed.first else {
      message = "Nothing to change: already read."
      return
    }
    let subject =
      needed.count == 1 ? first.0.name : "\(needed.count.grouped) notifications"
    submit(
      needed.map(\.1), to: needed.map(\.0), ActingWords.task(first.1, subject),
      spared: pairs.count - needed.count)
  }

  /// Shows the inbox with the actions that the server has or will have. The selection stays on its notification, or else
  /// on its row.
  mutating func followInbox() {
    guard acting.hasActed, case .inbox(var inbox) = list.content else { return }
    let selected = list.cursor.selected(of: inbox.notifications)?.id
    inbox.apply(inboxActions)
    list.content = .inbox(inbox)
    if let row = inbox.notifications.firstIndex(where: { $0.id == selected }) {
      list.cursor.selection = row
    }
    revealSelection()
  }

  /// Takes in an action that the server has carried out.
  mutating func settleInbox(_ sent: SentChange) {
    guard case .notification(let thread, let action) = sent.entry.change else { return }
    acting.note(sent, at: now)
    guard case .inbox(var inbox) = list.content else { return }
    inbox.carryOut(action, on: thread.id)
    list.content = .inbox(inbox)
  }

  /// The actions of waiting batches, and those that a list from the server may not reflect yet.
  private var inboxActions: InboxList.Actions {
    let waiting = acting.batches.filter { $0.phase != .undoing && !$0.isUndone }
    let changes = recentAnswers.map(\.entry.change) + waiting.flatMap(\.changes).map(\.change)
    return changes.reduce(into: [:]) { actions, change in
      if case .notification(let thread, let action) = change {
        actions[thread.id, default: []].insert(action)
      }
    }
  }
}

extension ListedIssue {
  /// The subject of a notification; nil if the server sent no valid name of its repository.
  fileprivate init?(_ notification: GitHub.Notification) {
    guard let name = notification.repository.flatMap({ RepositoryName($0.fullName) }) else {
      return nil
    }
    self.init(
      issue: GitHub.Issue(id: 0, number: notification.number ?? 0, title: notification.title),
      repository: RepositoryReference(name: name), name: notification.name)
  }
}
