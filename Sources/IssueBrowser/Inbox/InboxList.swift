package import IssueTracker

/// The user's unread notifications, most recently changed first.
package struct InboxList: Sendable, Hashable {
  /// The user's actions on threads, by the IDs of the threads.
  typealias Actions = [Int64: Set<GitHub.NotificationAction>]

  private static let firstPage = GitHub.notifications(pageSize: 50)

  /// The rows: the loaded notifications with the user's actions.
  package private(set) var notifications: [GitHub.Notification] = []
  /// The notifications in the server's version.
  private var loaded: [GitHub.Notification] = []
  private var actions: Actions = [:]
  /// The next page to load; nil after the last.
  package private(set) var nextPage: GitHub? = Self.firstPage
  package private(set) var isLoaded = false
  package var standing = IssueSheet.Standing.online

  mutating func append(_ page: [GitHub.Notification], next: GitHub?) {
    let known = Set(loaded.map(\.id))
    let news = page.filter { !known.contains($0.id) }
    loaded += news
    // A page without anything new could lead to another one forever. The first page is requested again after an action.
    nextPage = news.isEmpty && nextPage != Self.firstPage ? nil : next
    isLoaded = true
    standing = .online
    apply(actions)
  }

  /// Shows the user's actions, even before the server has them.
  mutating func apply(_ actions: Actions) {
    self.actions = actions
    notifications = loaded.compactMap { notification in
      notification.applying(Int64(notification.id).flatMap { actions[$0] } ?? [])
    }
  }

  /// Changes a notification as the server has done. The server's later pages then begin with other notifications.
  mutating func carryOut(_ action: GitHub.NotificationAction, on thread: Int64) {
    loaded = loaded.compactMap { $0.id == "\(thread)" ? $0.applying([action]) : $0 }
    if nextPage != nil { nextPage = Self.firstPage }
    apply(actions)
  }
}

extension GitHub.Notification {
  /// The notification after actions of the user; nil if it isn't in the inbox any more.
  fileprivate func applying(_ actions: Set<GitHub.NotificationAction>) -> GitHub.Notification? {
    guard !actions.contains(.done) else { return nil }
    var changed = self
    if actions.contains(.read) { changed.isUnread = false }
    if actions.contains(.unsubscribe) { changed.reason = "unsubscribed" }
    if actions.contains(.mute) { changed.reason = "muted" }
    return changed
  }
}

extension GitHub.Notification {
  /// The page of the issue, or else of the repository; nil if the server sent no valid name.
  var page: RepositoryReference? {
    repository.flatMap { RepositoryName($0.fullName) }
      .map { RepositoryReference(name: $0, issueNumber: number) }
  }

  /// The subject's name, such as `apple/swift#12`.
  var name: String { "\(repository?.fullName ?? "")\(number.map { "#\($0)" } ?? "")" }

  /// The reason in words, such as `review requested`.
  var reasonWords: String { (reason ?? "").replacing("_", with: " ") }

  /// The kind in words, such as `pull request` for `PullRequest`.
  var kindWords: String {
    kind.reduce(into: "") { words, letter in
      if letter.isUppercase, !words.isEmpty { words.append(" ") }
      words.append(letter.lowercased())
    }
  }
}

extension BrowserState {
  mutating func openInbox() {
    views.isUnderStart = views.hasStart
    views.shown = nil
    closeReader()
    list.found = nil
    search.field = TextField()
    focus(.list)
    if list.query != .inbox { ask(.inbox) }
  }

  mutating func show(_ inbox: InboxList) {
    let isSame = if case .inbox = list.content { true } else { false }
    if !isSame { leaveReader() }
    replaceContent(.inbox(inbox), keepsPlace: isSame)
    list.isOutdated = false
    followInbox()
    followEnd()
    list.isLoading = inbox.standing == .online && wantsNextPage
  }

  /// Reads the issue of a notification. Going back leads to the inbox.
  mutating func enter(_ notification: GitHub.Notification) {
    guard let page = notification.page else {
      message = "The server sent an invalid name for that repository."
      return
    }
    guard let number = page.issueNumber else {
      message =
        "A \(notification.kindWords) isn't shown here: \(keyMap.shown("o")) opens its repository."
      return
    }
    let inbox = ListState.FoundRepositories(list: kept(as: .inbox), search: search.field)
    open(IssueReference(repository: RepositoryReference(name: page.name), number: number))
    list.found = inbox
  }
}
