package import TerminalScreen

/// What a person wants the browser to do, once it is known what they pressed and where.
package enum BrowserCommand: Sendable, Hashable {
  /// A way through rows or lines.
  package enum Motion: Sendable, Hashable {
    case up
    case down
    case pageUp
    case pageDown
    case first
    case last
  }

  // MARK: Everywhere

  /// The window has another size.
  case resize(ScreenSize)
  case quit
  /// Gives the terminal back to the shell for a while.
  case suspend
  /// Draws everything anew.
  case repaint
  case showHelp
  case hideHelp
  /// Makes a pane the one that the keys go to.
  case focus(BrowserState.Pane)
  /// Opens the page of what is selected, or read, in the web browser.
  case openPage
  /// Loads anew: what the list holds, or the comments of what is read.
  case refresh

  // MARK: The search bar

  case editSearch(TextField.Edit)
  case clearSearch
  /// Looks for what was typed, without waiting for more.
  case submitSearch
  case selectCompletion(Int?)
  /// Puts a completion into the search bar; a final one is looked for at once.
  case takeCompletion(Int, isFinal: Bool)
  case closeCompletions

  // MARK: The list

  case move(Motion)
  /// Scrolls by rows, downwards where there are more than 0.
  case scrollList(by: Int)
  case select(row: Int)
  /// Reads the selected issue, or goes into the selected repository.
  case enter
  /// Goes back to the repositories that were found, from the one that was gone into.
  case goBack
  /// Goes on to the next order.
  case sort

  // MARK: The filter

  case openFilter
  case editFilter(TextField.Edit)
  case completeFilter
  case applyFilter
  case closeFilter

  // MARK: The reader

  case moveReader(Motion)
  /// Scrolls by lines, downwards where there are more than 0.
  case scrollReader(by: Int)
  /// Reads another issue: the next one for 1, the one before for -1.
  case readOther(Int)
  case closeReader
}
