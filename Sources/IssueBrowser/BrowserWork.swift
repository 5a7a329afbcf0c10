package import IssueTracker
package import StyledText

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Work that takes time and runs beside the keys.
///
/// The revisions are those of ``BrowserState/Revisions``. Work whose revision is no longer the state's is
/// superseded: it isn't begun, and its results are dropped.
package enum BrowserWork: Sendable, Hashable {
  /// Loads the list that ``BrowserState/query`` asks for, after a pause in which it wasn't superseded.
  case list(revision: Int, pause: Duration?)
  /// Loads the next pages of the list, until somebody else takes the turn.
  case pages(revision: Int, turn: Int)
  /// Completes the text of the search bar.
  case completions(revision: Int)
  /// Lays out the issue that is read, and loads its comments after a pause.
  case reader(revision: Int, pause: Duration?)
  /// Lays out the issue that is read for another width.
  case layout(revision: Int)
  /// Opens a repository's page, or an issue's, in the web browser.
  case open(RepositoryReference)
  /// Tells the time once a minute, so that ages stay true.
  case clock

  /// One work of each kind runs at a time.
  package enum Kind: Sendable, Hashable {
    case list, pages, completions, reader, layout, open, clock

    /// Whether work of this kind ends work of another.
    func replaces(_ other: Kind) -> Bool {
      switch (self, other) {
      case (.open, .open): false
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
    case .reader: .reader
    case .layout: .layout
    case .open: .open
    case .clock: .clock
    }
  }

  /// Tells the state a result, and returns when the state has it or it was dropped.
  typealias Emit = @Sendable (Result) async -> Void

  /// What work tells the state.
  package enum Result: Sendable {
    case time(Date)
    case spin
    case message(String)
    /// Whoever loaded pages before stops.
    case beginPages
    case loading
    /// The list holds what was asked for already.
    case settled
    case repositories(RepositorySearchState)
    case issues(IssueSheet)
    case moreIssues(IssuesPage)
    case failure(ListQuery, IssueSheet.Standing)
    /// The issue whose address was entered.
    case addressed(Issue)
    case completions([Prediction])
    case comments([IssueComment])
    case commentsEnd(failure: String?)
    case lines([StyledLine], of: BrowserState.ReaderPage)
  }

  // MARK: The spinner

  /// Does work, and turns the spinner meanwhile and no longer: an idle screen costs nothing.
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
