package import IssueTracker
package import TerminalScreen

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// All that there is to see of the browser. The picture is a pure function of it: ``BrowserScreen``.
package struct BrowserState: Sendable, Hashable {
  /// Where the keys go.
  package enum Pane: Sendable, Hashable {
    /// The search bar.
    case search
    /// The list.
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

  /// Repositories that were found, as they stood when one of them was gone into.
  package struct FoundRepositories: Sendable, Hashable {
    /// The repositories.
    var repositories: RepositorySearchState
    /// What was typed.
    var search: TextField
    /// Which of them was gone into.
    var selection: Int
    /// The first row that was shown.
    var top: Int
  }

  /// A list as it stood before a filter was typed, to be given back.
  package struct UnfilteredList: Sendable, Hashable {
    /// What was asked for.
    var query: ListQuery
    /// What the list held.
    var content: Content
    /// Which row was selected.
    var selection: Int
    /// The first row that was shown.
    var top: Int
  }

  /// Counts what was asked for: what runs for an earlier count is superseded.
  package struct Revisions: Sendable, Hashable {
    /// Of what the list is to hold.
    var list = 0
    /// Of who loads the next pages of the list: one at a time, so that none is requested twice.
    var pages = 0
    /// Of the names that complete what is typed.
    var completions = 0
    /// Of the issue that is read.
    var reader = 0
  }

  /// Names that complete what is typed, below the search bar.
  package struct Completions: Sendable, Hashable {
    /// The names, best first, with what matches in each.
    package var predictions: [Prediction] = []
    /// Which one is selected, if any.
    package var selection: Int?
  }

  /// The window.
  package var size: ScreenSize
  /// The time now, which ages are told against.
  package var now: Date
  /// The host that is asked.
  package var host: String
  /// Whether nobody is asked: all there is is the mirror's.
  package var isOffline: Bool
  /// Where the keys go.
  package var pane = Pane.search
  /// What was typed into the search bar.
  package var search = TextField()
  /// What completes it; nil where nothing drops down.
  package var completions: Completions?
  /// What the list is to hold. What it holds is ``content``, until that has arrived.
  package var query = ListQuery.nothing
  /// What the list holds.
  package var content = Content.nothing
  /// Where the list's repository was chosen, to go back there; nil where it was typed.
  package var found: FoundRepositories?
  /// Whether the issue that the typed address names is to be read when its list is there.
  package var opensAddressed = false
  /// Whether the list is loading: a look-up, a first page or a next one.
  package var isLoading = false
  /// Which row of the list is selected, from 0.
  package var selection = 0
  /// The first row of the list that is shown.
  package var top = 0
  /// The issue that is being read; nil where none is.
  package var reader: ReaderState?
  /// The filter that is being typed, in the words of GitHub's search; nil where none is.
  package var filter: TextField?
  /// What the list was before that filter was typed, where it follows what is typed.
  package var unfiltered: UnfilteredList?
  /// What is wrong with that filter, in one line.
  package var filterProblem: String?
  /// Whether the keys are being explained.
  package var isHelpShown = false
  /// The last thing there was to say; the next key takes it away.
  package var message: String?
  /// Which picture of the spinner is shown, counted on while anything is busy.
  package var spinner = 0
  /// How often the user has asked for the shell, by Ctrl-Z.
  package var suspensions = 0
  /// How often the user has asked for a fresh picture, by Ctrl-L.
  package var repaints = 0
  /// Whether the user has left.
  package var isFinished = false
  /// What was asked for last, of each kind.
  package var revisions = Revisions()

  /// Creates the state that a browser begins with.
  package init(size: ScreenSize, now: Date, host: String, isOffline: Bool = false) {
    self.size = size
    self.now = now
    self.host = host
    self.isOffline = isOffline
  }

  /// How many rows the list has.
  package var rowCount: Int {
    switch content {
    case .nothing: 0
    case .repositories(let found): found.repositories.count
    case .issues(let sheet): sheet.issues.count
    }
  }

  /// Whether anything is on its way, so that a spinner turns.
  package var isBusy: Bool { isLoading || reader?.isLoading == true }

  /// Where everything stands.
  package var layout: BrowserLayout { BrowserLayout(size: size, isReading: reader != nil) }
}
