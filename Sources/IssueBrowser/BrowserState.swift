package import IssueTracker
package import TerminalScreen

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The state of the browser. Its picture is a pure function of it: ``BrowserScreen``.
package struct BrowserState: Sendable, Hashable {
  package enum Pane: Sendable, Hashable {
    case search
    case list
    case reader
  }

  package enum Content: Sendable, Hashable {
    /// Nothing was searched for yet.
    case nothing
    /// Repositories that a search found.
    case repositories(RepositorySearchState)
    case issues(IssueSheet)
  }

  /// The repositories that a search found, as they stood when the user entered one of them.
  package struct FoundRepositories: Sendable, Hashable {
    var repositories: RepositorySearchState
    var search: TextField
    /// The row of the one that the user entered.
    var selection: Int
    var top: Int
  }

  /// A list as it stood before a filter was typed. Esc brings it back.
  package struct UnfilteredList: Sendable, Hashable {
    var query: ListQuery
    var content: Content
    var selection: Int
    var top: Int
  }

  /// Counts requests for work. Work of an earlier count is superseded.
  package struct Revisions: Sendable, Hashable {
    var list = 0
    /// Turns to load the next pages of the list. One work has the turn, so that no page is requested twice.
    var pages = 0
    var completions = 0
    var reader = 0
  }

  /// Names that complete the text of the search bar, in a list below it.
  package struct Completions: Sendable, Hashable {
    /// The names, best first, with what matches in each.
    package var predictions: [Prediction] = []
    /// Which one is selected, if any.
    package var selection: Int?
  }

  package var size: ScreenSize
  package var now: Date
  package var host: String
  /// Whether everything comes from the mirror, and no server is asked.
  package var isOffline: Bool
  package var pane = Pane.search
  package var search = TextField()
  /// The names that complete its text; nil for none.
  package var completions: Completions?
  /// The query that the list was asked for last. Until its answer arrives, ``content`` is older.
  package var query = ListQuery.nothing
  package var content = Content.nothing
  /// The search in which the user entered this repository; nil where its name was typed.
  package var found: FoundRepositories?
  /// Whether the reader opens the issue of the typed address as soon as the list is loaded.
  package var opensAddressed = false
  package var isLoading = false
  package var selection = 0
  package var top = 0
  /// The issue that is read; nil for none.
  package var reader: ReaderState?
  /// The filter while it is typed, in the words of GitHub's search.
  package var filter: TextField?
  /// The list before that filter, where the list changes with each letter of it.
  package var unfiltered: UnfilteredList?
  /// The problem with that filter, in one line.
  package var filterProblem: String?
  package var isHelpShown = false
  /// The last message. The next key removes it.
  package var message: String?
  package var spinner = 0
  /// How often the user pressed Ctrl-Z, which suspends the browser.
  package var suspensions = 0
  /// How often the user pressed Ctrl-L, which draws everything again.
  package var repaints = 0
  package var isFinished = false
  package var revisions = Revisions()

  package init(size: ScreenSize, now: Date, host: String, isOffline: Bool = false) {
    self.size = size
    self.now = now
    self.host = host
    self.isOffline = isOffline
  }

  package var rowCount: Int {
    switch content {
    case .nothing: 0
    case .repositories(let found): found.repositories.count
    case .issues(let sheet): sheet.issues.count
    }
  }

  /// Whether something is loading, so that the spinner turns.
  package var isBusy: Bool { isLoading || reader?.isLoading == true }

  package var layout: BrowserLayout { BrowserLayout(size: size, isReading: reader != nil) }
}
