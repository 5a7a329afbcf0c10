package import IssueTracker

/// The user's unread notifications, most recently changed first.
package struct InboxList: Sendable, Hashable {
  package private(set) var notifications: [GitHub.Notification] = []
  /// The next page to load; nil after the last.
  package private(set) var nextPage: GitHub? = .notifications(pageSize: 50)
  package private(set) var isLoaded = false
  package var standing = IssueSheet.Standing.online

  mutating func append(_ page: [GitHub.Notification], next: GitHub?) {
    let known = Set(notifications.map(\.id))
    let news = page.filter { !known.contains($0.id) }
    notifications += news
    // A page without anything new could lead to another one forever.
    nextPage = news.isEmpty ? nil : next
    isLoaded = true
    standing = .online
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
