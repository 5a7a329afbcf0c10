internal import IssueTracker
package import PlatformModules
package import TerminalScreen

/// The state of the browser, which ``BrowserScreen`` draws.
package struct BrowserState: Sendable, Hashable {
  package enum Pane: Sendable, Hashable {
    case search
    case list
    case reader
  }

  /// The numbers of requests for work. A new request supersedes earlier ones.
  package struct Revisions: Sendable, Hashable {
    var list = 0
    /// The number of turns to load pages of the list. Only one task has the turn, so that no page is requested twice.
    var pages = 0
    var completions = 0
    /// The number of requests for the labels and milestones that complete a filter.
    var names = 0
    var reader = 0
    var views = 0
  }

  static let maximumCount = 99_999

  package var size: ScreenSize
  package var now: Date
  package var look: Look
  /// The cell size of a terminal that shows images; nil for other terminals.
  package var cell: CellSize?
  /// The columns after the number and the title; nil for the default.
  package var columns: [ListColumn]?
  package var host: String
  /// Whether the browser is offline: all data comes from the mirror.
  package var isOffline: Bool
  package var pane = Pane.search
  package var search = SearchBar()
  package var list = ListState()
  package var reader: ReaderState?
  package var filter = FilterState()
  package var views = ViewsState()
  package var keyMap = KeyMap()
  /// The user's own commands.
  package var customCommands: [CustomCommand] = []
  package var history = BrowsingHistory()
  package var hints: Hints?
  package var copying = Copying()
  package var preview = Preview()
  /// The interval at which the list is refreshed in the background; nil or zero for never.
  package var refreshInterval: Duration?
  package var help: KeyHelp?
  package var palette: Palette?
  package var acting = ActingState()
  /// The message that is shown until the next key.
  package var message: String?
  package var spinner = 0
  package var suspensions = 0
  package var repaints = 0
  /// The typed count for the next motion.
  package var count: Int?
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
    switch list.content {
    case .nothing: startPage?.rows.count ?? 0
    case .repositories(let found): found.repositories.count
    case .inbox(let inbox): inbox.notifications.count
    case .issues(let sheet): sheet.issues.count
    }
  }

  /// Whether the spinner turns.
  package var isBusy: Bool {
    list.isLoading || reader?.isLoading == true || sheet?.isSettling == true
  }

  package var layout: BrowserLayout {
    BrowserLayout(
      size: size, isReading: reader != nil, isPreview: preview.isOn && pane != .reader,
      hasColumns: rowCount > 0, isPlain: look.symbols.isPlain)
  }
}
