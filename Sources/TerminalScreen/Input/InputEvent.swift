package import StyledText

package enum InputEvent: Sendable, Hashable {
  case key(Key)

  /// Any text, with its line breaks.
  case paste(String)

  /// A mouse action. Columns and rows count from 0.
  case mouse(MouseAction, column: Int, row: Int)

  /// The window has a new size. This event is also sent once at the beginning.
  case resized(ScreenSize)

  /// The color behind the text, as reported by the terminal. The event is sent after the beginning, and again after a
  /// stop or a loan, if the terminal reports the color.
  case background(Color)

  /// The terminal shows images on cells of this size. The event is sent after the terminal's response, and with each
  /// new size.
  case showsImages(CellSize)

  package enum Key: Sendable, Hashable {
    /// A character, with Shift applied.
    case character(Character)
    /// Ctrl with a letter, in lowercase. Ctrl-C is ``interrupt``; Ctrl with a letter that has its own key (Tab, Enter)
    /// is that key.
    case control(Character)
    case enter
    case escape
    case tab
    case backTab
    case backspace
    case delete
    /// Alt with B, F, Backspace and D.
    case wordLeft
    case wordRight
    case deleteWordBackward
    case deleteWordForward
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case interrupt
    /// F1, or a key for help.
    case help
  }

  package enum MouseAction: Sendable, Hashable {
    case click
    case doubleClick
    case wheelUp
    case wheelDown
  }
}
