package import IssueTracker
package import PlatformModules
package import StyledText
package import TerminalMarkdown

/// Work that runs concurrently with the keys. If its revision in ``BrowserState/Revisions`` is superseded, it doesn't
/// begin, or its results are dropped.
package enum BrowserWork: Sendable, Hashable {
  /// Loads the list of ``BrowserState/query``, unless superseded during the pause.
  case list(revision: Int, pause: Duration?)
  /// Loads the next pages of the list, until other work takes the turn.
  case pages(revision: Int, turn: Int)
  case completions(revision: Int)
  /// Loads the labels and milestones of the filtered list's repository.
  case names(revision: Int)
  /// Lays out the issue in the reader, and loads its comments after a pause.
  case reader(revision: Int, pause: Duration?)
  case layout(revision: Int)
  /// Loads an image of the page in the reader.
  case image(WebLink)
  case open(RepositoryReference)
  case openLink(WebLink)
  /// Makes the URL of a page, to copy it.
  case address(RepositoryReference)
  /// Loads the start screen.
  case views(revision: Int)
  /// Refreshes the list at an interval.
  case refresh(every: Duration)
  case acting(ActingWork)
  /// Updates ages once a minute.
  case clock

  package enum Kind: Sendable, Hashable {
    case list, pages, completions, names, reader, layout, images, open, address, views, refresh,
      acting
    case clock

    func replaces(_ other: Kind) -> Bool {
      switch (self, other) {
      case (.open, .open), (.acting, .acting): false
      case (.list, .pages), (.reader, .layout): true
      default: self == other
      }
    }
  }

  var kind: Kind {
    switch self {
    case .list: .list
    case .pages: .pages
    case .completions: .completions
    case .names: .names
    case .reader: .reader
    case .layout: .layout
    case .image: .images
    case .open, .openLink: .open
    case .address: .address
    case .views: .views
    case .refresh: .refresh
    case .acting: .acting
    case .clock: .clock
    }
  }

  /// Sends a result, and returns once the state has accepted or dropped it.
  typealias Emit = @Sendable (Result) async -> Void

  package enum Result: Sendable {
    case time(Date)
    case spin
    case message(String)
    /// A notice that is too long for the status line.
    case notice(String)
    case address(String)
    case acting(ActingResult)
    /// The request behind the next failure.
    case request(String)
    /// Ends other work that loads pages.
    case beginPages
    case loading
    /// The pause has ended, so Enter doesn't need to start the request.
    case rested
    /// The mirror's rows of this list are kept, because the server's response is no better.
    case kept(ListQuery, IssueSheet.Standing)
    /// The list already includes the response.
    case settled
    case repositories(RepositorySearchState)
    case inbox(InboxList)
    case issues(IssueSheet)
    case moreIssues(IssuesPage)
    /// A new version of the first page.
    case refreshed(IssuesPage, of: IssueFilter)
    case failure(ListQuery, IssueSheet.Standing)
    case addressed(GitHub.Issue)
    case completions([Prediction])
    case names(FilterNames, in: ListScope)
    case comments([IssueComment])
    case commentsEnd(IssueSheet.Standing)
    case startPage(StartPage)
    /// The comments on an issue near the one in the preview.
    case ahead([IssueComment], on: GitHub.Issue, in: ListScope)
    case document(RenderedDocument, of: BrowserState.ReaderPage)
    case image(ReaderImages.Outcome)
  }

  /// Waits until a time, and updates the remaining time once a second.
  static func countDown(
    to end: Date, by clock: any Clock<Duration>, _ now: () -> Date, _ emit: Emit
  ) async {
    await emit(.time(now()))
    while !Task.isCancelled, case let left = end.timeIntervalSince(now()), left > 0 {
      try? await clock.sleep(for: .seconds(min(1, left)))
      await emit(.time(now()))
    }
  }

  /// Turns the spinner only during work, because an idle screen should cost nothing.
  static func spinning<Value: Sendable>(
    by clock: any Clock<Duration>, _ emit: @escaping Emit, during work: () async -> Value
  ) async -> Value {
    await withDiscardingTaskGroup { group in
      group.addTask {
        while (try? await clock.sleep(for: .milliseconds(100))) != nil { await emit(.spin) }
      }
      let value = await work()
      group.cancelAll()
      return value
    }
  }
}
