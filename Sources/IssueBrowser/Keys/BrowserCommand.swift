package import IssueTracker
package import StyledText
package import TerminalScreen

/// What the user asks for. ``BrowserKeys`` finds it from a key and the state.
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
  /// Down for positive numbers.
  case selectAction(Int)
  case focus(BrowserState.Pane)
  case openPage
  case refresh
  /// Or the failure's words again.
  case showRequest
  /// Back (-1) or forward (1) in the history.
  case travel(Int)
  case togglePreview

  // MARK: The search bar

  case editSearch(TextField.Edit)
  case clearSearch
  /// Without waiting for more letters.
  case submitSearch
  case selectCompletion(Int?)
  /// A final one is searched for at once.
  case takeCompletion(Int, isFinal: Bool)
  case closeCompletions
  case beginNumber
  /// Pasted outside of the search bar.
  case openIssue(IssueReference)

  // MARK: The list

  case move(Motion)
  /// Ends the way to the last row while pages are loading.
  case stopLoading
  /// Down for positive numbers.
  case scrollList(by: Int)
  case select(row: Int)
  /// Reads the selected issue, or enters the selected repository.
  case enter
  /// From a repository to the search that led to it.
  case goBack
  case sort

  // MARK: The filter

  case openFilter
  case editFilter(TextField.Edit)
  case completeFilter
  case applyFilter
  case closeFilter

  // MARK: The reader

  case moveReader(Motion)
  /// Down for positive numbers.
  case scrollReader(by: Int)
  /// 1 for the next issue of the list, -1 for the previous.
  case readOther(Int)
  case closeReader

  // MARK: Links

  case openHints
  case typeHint(Character)
  case closeHints
  /// In the web browser, wherever it leads.
  case openLink(WebLink)

  // MARK: Finding in the reader

  case openFind
  case editFind(TextField.Edit)
  case keepFind
  case dropFind
  /// 1 for the next match, -1 for the previous.
  case goToMatch(Int)

  // MARK: Acting

  case act(ActingCommand)
}
