/// What comes from a terminal.
package enum InputEvent: Sendable, Hashable {
  /// A key was pressed.
  case key(Key)

  /// Text was pasted, as it was copied: with line breaks and whatever else it holds.
  case paste(String)

  /// Something was done with the mouse, at a column and a row from 0.
  case mouse(MouseAction, column: Int, row: Int)

  /// The window has another size now, or the first one.
  case resized(ScreenSize)

  /// A key.
  package enum Key: Sendable, Hashable {
    /// A character that was typed, with Shift where that makes another one.
    case character(Character)
    /// A letter with Ctrl, in lower case. Ctrl-C is ``interrupt``, and those that have a key of their own
    /// (Tab, Enter) are that key.
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

  /// What can be done with a mouse.
  package enum MouseAction: Sendable, Hashable {
    /// The first button was pressed and let go.
    case click
    /// The first button was clicked twice.
    case doubleClick
    case wheelUp
    case wheelDown
  }
}
