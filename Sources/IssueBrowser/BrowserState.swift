package import IssueTracker
package import PlatformModules
package import TerminalScreen

/// The state of the browser, which ``BrowserScreen`` draws.
package struct BrowserState: Sendable, Hashable {
  package enum Pane: Sendable, Hashable {
    case search
    case list
    case reader
  }

  package enum Content: Sendable, Hashable {
    case nothing
    case repositories(RepositorySearchState)
    case issues(IssueSheet)
  }

  /// The result of a search when the user entered one of its repositories.
  package struct FoundRepositories: Sendable, Hashable {
    var repositories: RepositorySearchState
    var search: TextField
    /// The row of the entered repository.
    var selection: Int
    var top: Int
  }

  /// A list before a filter was typed. Esc brings it back.
  package struct UnfilteredList: Sendable, Hashable {
    var query: ListQuery
    var content: Content
    var selection: Int
    var top: Int
    /// As ``ActingState/outcomes``.
    var outcomes: Int
  }

  /// Counts requests for work. An earlier count is superseded.
  package struct Revisions: Sendable, Hashable {
    var list = 0
    /// Turns to load pages of the list. One work has the turn, so that no page is requested twice.
    var pages = 0
    var completions = 0
    /// Of labels and milestones that complete a filter.
    var names = 0
    var reader = 0
    var views = 0
  }

  /// Names that complete the text of the search bar.
  package struct Completions: Sendable, Hashable {
    package var predictions: [Prediction] = []
    package var selection: Int?
  }

  package var size: ScreenSize
  package var now: Date
  package var look: Look
  /// Of a terminal that shows images; nil for none.
  package var cell: CellSize?
  /// Behind the number and the title; nil for the usual ones.
  package var columns: [ListColumn]?
  package var host: String
  /// Whether everything comes from the mirror.
  package var isOffline: Bool
  package var pane = Pane.search
  package var search = TextField()
  package var completions: Completions?
  /// The last query for the list. Until its answer arrives, ``content`` is older.
  package var query = ListQuery.nothing
  package var content = Content.nothing
  /// The search that led to this repository; nil if its name was typed.
  package var found: FoundRepositories?
  /// The typed number of an issue, which the reader opens once the list is loaded.
  package var addressed: Int?
  package var isLoading = false
  /// Whether changes were made since the list was kept that is on the screen again.
  package var isOutdated = false
  /// Whether nothing is asked for before typing has rested.
  package var isPausing = false
  /// Whether all pages are loaded, with the selection on the last row.
  package var goesToEnd = false
  package var selection = 0
  package var top = 0
  package var reader: ReaderState?
  /// The filter being typed, in the words of GitHub's search.
  package var filter: TextField?
  /// Kept while the list follows the filter being typed.
  package var unfiltered: UnfilteredList?
  package var filterProblem: String?
  package var filterAid = FilterAid()
  /// The menu of orders, while it is open.
  package var orders: OrderMenu?
  package var views = ViewsState()
  package var keyMap = KeyMap()
  package var history = BrowsingHistory()
  package var hints: Hints?
  package var copying = Copying()
  package var preview = Preview()
  /// How often the list is refreshed in the background; nil or zero for never.
  package var refreshInterval: Duration?
  package var help: KeyHelp?
  package var palette: Palette?
  package var acting = ActingState()
  /// The request that failed last, with its answer.
  package var request: String?
  /// Whether it stands in the place of the failure's words.
  package var showsRequest = false
  /// Until the next key.
  package var message: String?
  package var spinner = 0
  package var suspensions = 0
  package var repaints = 0
  package var isFinished = false
  package var revisions = Revisions()

  package init(
    size: ScreenSize, now: Date, host: String, isOffline: Bool = false, look: Look = Look()
  ) {
    self.size = size
    self.now = now
    self.host = host
    self.isOffline = isOffline
    self.look = look
  }

  package var rowCount: Int {
    switch content {
    case .nothing: viewsPage?.rowCount ?? 0
    case .repositories(let found): found.repositories.count
    case .issues(let sheet): sheet.issues.count
    }
  }

  /// Whether the spinner turns.
  package var isBusy: Bool {
    isLoading || reader?.isLoading == true || sheet?.isSettling == true
  }

  package var layout: BrowserLayout {
    BrowserLayout(
      size: size, isReading: reader != nil, isPreview: preview.isOn && pane != .reader,
      hasColumns: rowCount > 0, isPlain: look.symbols.isPlain)
  }
}
