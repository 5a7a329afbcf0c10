package import IssueTracker
package import TerminalScreen

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The state of the browser. Its picture is a pure function of it: ``BrowserScreen``.
package struct BrowserState: Sendable, Hashable {
  /// Where the keys go.
  package enum Pane: Sendable, Hashable {
    case search
    case list
    /// The issue that is being read.
    case reader
  }

  /// What the list holds.
  package enum Content: Sendable, Hashable {
    /// Nothing was searched for yet.
    case nothing
    /// Repositories that a search found.
    case repositories(RepositorySearchState)
    /// The issues of a repository.
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
    /// Issues in the reader.
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
  /// The current time, which ages are relative to.
  package var now: Date
  /// The host that is asked.
  package var host: String
  /// Whether everything comes from the mirror, and no server is asked.
  package var isOffline: Bool
  /// The pane that has the keys.
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
  /// Whether the list is loading: a look-up, a first page or a next one.
  package var isLoading = false
  /// The selected row of the list, from 0.
  package var selection = 0
  /// The first visible row of the list.
  package var top = 0
  /// The issue that is read; nil for none.
  package var reader: ReaderState?
  /// The filter while it is typed, in the words of GitHub's search.
  package var filter: TextField?
  /// The list before that filter, where the list changes with each letter of it.
  package var unfiltered: UnfilteredList?
  /// The problem with that filter, in one line.
  package var filterProblem: String?
  /// Whether the help is open.
  package var isHelpShown = false
  /// The last message. The next key removes it.
  package var message: String?
  /// The number of the spinner's picture.
  package var spinner = 0
  /// How often the user pressed Ctrl-Z, which suspends the browser.
  package var suspensions = 0
  /// How often the user pressed Ctrl-L, which draws everything again.
  package var repaints = 0
  /// Whether the user has left.
  package var isFinished = false
  /// The current revision of each kind of work.
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

  /// The areas of the window.
  package var layout: BrowserLayout { BrowserLayout(size: size, isReading: reader != nil) }
}
