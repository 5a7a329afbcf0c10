package import IssueTracker
package import StyledText
package import TerminalScreen

/// A command from the user. ``BrowserKeys`` derives it from a key and the state.
package enum BrowserCommand: Sendable, Hashable {
  package enum Motion: Sendable, Hashable {
    case up
    case down
    case pageUp
    case pageDown
    case halfPageUp
    case halfPageDown
    case first
    case last

    /// The target row or line. It may be before the first or after the last one. A count repeats the motion, or is
    /// the number of the row, from 1.
    func place(from start: Int, page: Int, last: Int, count: Int? = nil) -> Int {
      let times = count ?? 1
      return switch self {
      case .up: start - times
      case .down: start + times
      case .pageUp: start - page * times
      case .pageDown: start + page * times
      case .halfPageUp: start - max(1, page / 2) * times
      case .halfPageDown: start + max(1, page / 2) * times
      case .first: (count ?? 1) - 1
      case .last: count.map { $0 - 1 } ?? last
      }
    }
  }

  // MARK: Everywhere

  case resize(ScreenSize)
  case quit
  case suspend
  case repaint
  case showHelp
  case hideHelp
  case editHelp(TextField.Edit)
  case scrollHelp(Motion)
  case openPalette
  case closePalette
  case editPalette(TextField.Edit)
  /// Selects the next action for positive numbers, or the previous one.
  case selectAction(Int)
  case focus(BrowserState.Pane)
  case openPage
  case refresh
  /// Shows the failed request, or the failure message again.
  case showRequest
  /// Goes back (-1) or forward (1) in the history.
  case travel(Int)
  case copy(Copying.Subject)
  case togglePreview
  /// Adds a digit to the count before a motion.
  case count(Int)

  // MARK: The search bar

  case editSearch(TextField.Edit)
  /// Drops the typed text, and returns to the list from before.
  case leaveSearch
  /// Loads the list without waiting for more letters.
  case submitSearch
  case selectCompletion(Int?)
  /// Accepts a completion. A final completion starts a search at once.
  case takeCompletion(Int, isFinal: Bool)
  /// Begins a number with `#`, or a command with `:`.
  case beginCommand(Character)
  /// Moves with the key of a motion, as often as the typed number says.
  case moveCounted(InputEvent.Key)
  /// Opens an issue that was pasted outside of the search bar.
  case openIssue(IssueReference)

  // MARK: The list

  case move(Motion)
  /// Stops moving to the last row while pages are loading.
  case stopLoading
  /// Scrolls down for positive numbers.
  case scrollList(by: Int)
  case select(row: Int)
  /// Reads the selected issue, or enters the selected repository.
  case enter
  /// Returns from a repository to the search that led to it.
  case goBack
  /// Opens the menu of orders.
  case sort
  /// Moves down for positive numbers, and wraps at the ends.
  case moveOrder(by: Int)
  /// Chooses an order; nil for the selected one.
  case takeOrder(Int?)
  case closeOrders

  // MARK: The filter

  case openFilter
  case editFilter(TextField.Edit)
  /// Accepts a completion: the one at the index, or else the selected one, or else the first.
  case completeFilter(Int?)
  case selectFilterCompletion(Int?)
  case closeFilterCompletions
  case applyFilter
  case closeFilter
  /// Returns to the list from before the applied filter.
  case dropFilter

  // MARK: The reader

  case moveReader(Motion)
  /// Scrolls down for positive numbers.
  case scrollReader(by: Int)
  /// Opens a following issue of the list (positive numbers) or a preceding one.
  case readOther(Int)
  /// Goes to a following comment (positive numbers) or to a preceding one.
  case goToComment(Int)
  case closeReader

  // MARK: Links

  case openHints
  case typeHint(Character)
  case closeHints
  /// Opens a link in the web browser, regardless of its host.
  case openLink(WebLink)

  // MARK: Views

  case showStart
  /// Opens a view by the number of its tab, from 1.
  case openView(Int)
  case openInbox
  /// Returns from a list to the start screen, or to the view that led to it.
  case leaveToViews

  // MARK: Finding in the reader

  case openFind
  case editFind(TextField.Edit)
  case keepFind
  case dropFind
  /// Goes to a following match (positive numbers) or to a preceding one.
  case goToMatch(Int)

  // MARK: Acting

  case act(ActingCommand)
}

extension BrowserCommand {
  /// The state that a command preserves, and its side effects.
  struct Traits: OptionSet {
    let rawValue: Int

    /// The command doesn't stop moving to the end of the list.
    static let keepsGoing = Traits(rawValue: 1 << 0)
    static let keepsPalette = Traits(rawValue: 1 << 1)
    static let keepsHints = Traits(rawValue: 1 << 2)
    static let types = Traits(rawValue: 1 << 3)
    static let goesBack = Traits(rawValue: 1 << 4)
    /// Other rows may become visible, so the next page may be needed.
    static let scrolls = Traits(rawValue: 1 << 5)
    /// The user may only be passing over the issue.
    static let passes = Traits(rawValue: 1 << 6)
  }

  var traits: Traits {
    switch self {
    case .repaint: [.keepsGoing, .keepsPalette, .keepsHints]
    case .suspend, .editPalette, .selectAction: [.keepsGoing, .keepsPalette]
    case .resize: [.keepsGoing, .keepsPalette, .scrolls]
    case .showHelp, .hideHelp, .editHelp, .scrollHelp, .openPalette, .closePalette: .keepsGoing
    case .typeHint: .keepsHints
    case .editSearch, .takeCompletion(_, isFinal: false), .editFilter, .completeFilter: .types
    case .goBack, .closeFilter, .dropFilter, .leaveSearch, .travel: .goesBack
    case .move, .moveCounted, .scrollList, .select, .readOther, .act(.toggleRow):
      [.scrolls, .passes]
    // After an action on notifications, rows of the next page may move up.
    case .closeReader, .act(.selectAll), .act(.inbox), .act(.confirm): .scrolls
    case .quit, .focus, .openPage, .refresh, .showRequest, .copy, .togglePreview, .count,
      .submitSearch, .selectCompletion, .takeCompletion, .beginCommand, .openIssue, .stopLoading,
      .enter, .sort, .moveOrder, .takeOrder, .closeOrders, .openFilter, .selectFilterCompletion,
      .closeFilterCompletions, .applyFilter, .moveReader, .scrollReader, .goToComment, .openHints,
      .closeHints, .openLink, .showStart, .openView, .openInbox, .leaveToViews, .openFind,
      .editFind,
      .keepFind, .dropFind, .goToMatch, .act:
      []
    }
  }
}
