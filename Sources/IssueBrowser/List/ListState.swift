package import IssueTracker

/// The list on the screen, and the requested list.
package struct ListState: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case nothing
    case repositories(RepositorySearchState)
    case inbox(InboxList)
    case issues(IssueSheet)
  }

  /// A list that can be shown again as it was.
  package struct Kept: Sendable, Hashable {
    var query: ListQuery
    var content: Content
    var cursor: RowCursor
    /// The value of ``ActingState/outcomes`` when the list was kept.
    var outcomes: Int
  }

  /// The result of a search, or the inbox, when the user entered one of its repositories.
  package struct FoundRepositories: Sendable, Hashable {
    var list: Kept
    var search: TextField
  }

  /// The last query. Until its results arrive, ``content`` belongs to an earlier query.
  package var query = ListQuery.nothing
  package var content = Content.nothing
  package var cursor = RowCursor()
  /// The search that led to this repository; nil if its name was typed.
  package var found: FoundRepositories?
  /// The typed number of an issue, which the reader opens once the list is loaded.
  package var addressed: Int?
  package var isLoading = false
  /// Whether changes were made after this list was kept.
  package var isOutdated = false
  /// Whether the request waits until the user stops typing.
  package var isPausing = false
  /// Whether the selection moves to the last row while all pages are loaded.
  package var goesToEnd = false
  /// The last failed request, with its response.
  package var request: String?
  /// Whether the request is shown instead of the failure message.
  package var showsRequest = false

  var sheet: IssueSheet? {
    if case .issues(let sheet) = content { sheet } else { nil }
  }

  var selectedIssue: GitHub.Issue? { sheet.flatMap { cursor.selected(of: $0.issues) } }

  /// Whether the complete results of a query are loaded, so that no request is needed.
  func holds(_ query: ListQuery, isOffline: Bool) -> Bool {
    switch (query, content) {
    case (.repositories(let text), .repositories(let found)):
      found.query == text && found.totalCount != nil && found.standing == .online
    case (.issues, .issues(let sheet)), (.searched, .issues(let sheet)):
      sheet.answers(query) && sheet.isLoaded && sheet.standing == .online && !isOutdated
        && (sheet.mirror == nil || isOffline || sheet.settling == .settled)
    case (.inbox, .inbox(let inbox)):
      inbox.isLoaded && inbox.standing == .online && !isOutdated
    default: false
    }
  }

  func showsStandIn(of scope: ListScope) -> Bool {
    sheet.map { $0.isStandIn && $0.scope == scope } ?? false
  }

  /// Whether the mirror's rows of a list are on the screen.
  func showsMirror(for query: ListQuery) -> Bool {
    sheet.map { $0.mirror != nil && $0.isLoaded && $0.query == query } ?? false
  }

  var standing: IssueSheet.Standing {
    switch content {
    case .nothing: .online
    case .issues(let sheet): sheet.standing
    case .repositories(let found): found.standing
    case .inbox(let inbox): inbox.standing
    }
  }

  /// The next page to load. It is nil while the server is unreachable or limits requests, because the running work
  /// retries. After other failures the user may retry. The mirror always responds.
  var nextPage: NextPage? {
    switch (standing, content) {
    case (_, .issues(let sheet)) where sheet.mirror != nil: sheet.nextPage
    case (.offline, _), (.limited, _), (_, .nothing): nil
    case (_, .repositories(let found)): found.nextPage.map { .server($0) }
    case (_, .inbox(let inbox)): inbox.nextPage.map { .server($0) }
    case (_, .issues(let sheet)): sheet.nextPage
    }
  }

  /// Begins to wait for the results of a query.
  mutating func ask(_ query: ListQuery) {
    self.query = query
    isOutdated = false
    addressed = nil
    goesToEnd = false
    forgetRequest()
    isLoading = query.pause != nil
  }

  mutating func forgetRequest() { (request, showsRequest) = (nil, false) }

  /// Keeps the loaded rows. The work that loads more is canceled.
  mutating func stopLoading() {
    goesToEnd = false
    isLoading = false
  }

  /// Stops loading, and stops waiting for a server's response that would replace the mirror's rows.
  mutating func giveUpLoading() {
    stopLoading()
    guard case .issues(var sheet) = content, sheet.settling == .asking else { return }
    sheet.settling = nil
    content = .issues(sheet)
  }

  /// Keeps the mirror's rows of a list that is shown until the server responds, because there are no better results.
  mutating func keep(_ query: ListQuery, _ standing: IssueSheet.Standing) -> Bool {
    guard case .issues(var sheet) = content, sheet.query == query else { return false }
    sheet.standing = standing
    sheet.settling = standing == .online ? .settled : nil
    content = .issues(sheet)
    return true
  }

  /// The content for a failure: the reason, with the loaded rows of the same list.
  func failed(_ query: ListQuery, _ standing: IssueSheet.Standing) -> Content? {
    if case .repositories(let text) = query {
      // The search records failures of its own requests. In this case, no request could be made.
      guard case .failed(let reason) = standing else { return nil }
      var failed = RepositorySearchState(query: text)
      if case .repositories(let found) = content, found.query == text { failed = found }
      failed.apply(.failed(reason: reason))
      return .repositories(failed)
    }
    if query == .inbox {
      var failed = InboxList()
      if case .inbox(let inbox) = content { failed = inbox }
      failed.standing = standing
      return .inbox(failed)
    }
    guard var failed = IssueSheet(query) else { return nil }
    if let sheet, sheet.scope == failed.scope {
      if sheet.query == query {
        failed = sheet
      } else {
        failed.repository = sheet.repository
      }
    }
    failed.standing = standing
    return .issues(failed)
  }
}

extension RepositorySearchState {
  var standing: IssueSheet.Standing {
    if connection == .offline { return .offline }
    if let limitExceededUntil { return .limited(until: limitExceededUntil) }
    return failure.map { .failed($0) } ?? .online
  }
}
