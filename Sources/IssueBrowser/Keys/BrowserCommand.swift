package import TerminalScreen

/// A command of the user. ``BrowserKeys`` finds it from a key and the state.
package enum BrowserCommand: Sendable, Hashable {
  package enum Motion: Sendable, Hashable {
    case up
    case down
    case pageUp
    case pageDown
    case first
    case last
  }

  // MARK: Everywhere

  case resize(ScreenSize)
  case quit
  case suspend
  case repaint
  case showHelp
  case hideHelp
  case focus(BrowserState.Pane)
  /// Opens the page of the selected or read item in the web browser.
  case openPage
  case refresh

  // MARK: The search bar

  case editSearch(TextField.Edit)
  case clearSearch
  /// Searches at once, without waiting for more letters.
  case submitSearch
  case selectCompletion(Int?)
  /// Puts a completion into the search bar. A final one is searched for at once.
  case takeCompletion(Int, isFinal: Bool)
  case closeCompletions

  // MARK: The list

  case move(Motion)
  /// Scrolls by rows, down for positive numbers.
  case scrollList(by: Int)
  case select(row: Int)
  /// Reads the selected issue, or enters the selected repository.
  case enter
  /// Returns from a repository to the search that it was entered in.
  case goBack
  /// Sorts by the next order.
  case sort

  // MARK: The filter

  case openFilter
  case editFilter(TextField.Edit)
  case completeFilter
  case applyFilter
  case closeFilter

  // MARK: The reader

  case moveReader(Motion)
  /// Scrolls by lines, down for positive numbers.
  case scrollReader(by: Int)
  /// Reads another issue of the list: 1 for the next, -1 for the previous.
  case readOther(Int)
  case closeReader
}
