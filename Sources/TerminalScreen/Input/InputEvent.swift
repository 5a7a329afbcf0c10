/// An event of a terminal.
package enum InputEvent: Sendable, Hashable {
  /// A key was pressed.
  case key(Key)

  /// Text was pasted, with its line breaks and any other characters.
  case paste(String)

  /// A mouse action at a column and a row, from 0.
  case mouse(MouseAction, column: Int, row: Int)

  /// The size of the window has changed, or is known for the first time.
  case resized(ScreenSize)

  package enum Key: Sendable, Hashable {
    /// A typed character; Shift is part of it.
    case character(Character)
    /// A letter with Ctrl, in lower case. Ctrl-C is ``interrupt``, and combinations with a key of their own (Tab,
    /// Enter) are that key.
    case control(Character)
    case enter
    case escape
    case tab
    case backTab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    /// Ctrl-C.
    case interrupt
  }

  package enum MouseAction: Sendable, Hashable {
    /// The first button was clicked.
    case click
    /// The first button was clicked twice.
    case doubleClick
    case wheelUp
    case wheelDown
  }
}
