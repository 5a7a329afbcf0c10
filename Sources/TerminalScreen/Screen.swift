/// What shows pictures to a person and hears of what they do: a terminal, or in tests something else.
@MainActor package protocol Screen: AnyObject {
  /// The size of the window.
  var size: ScreenSize { get }

  /// What is done with keys and mouse, for one reader. The first element is ``InputEvent/resized(_:)``; it
  /// ends when there is nobody at the other end any more.
  var events: AsyncStream<InputEvent> { get }

  /// Shows a picture in place of the last one.
  func show(_ canvas: Canvas)

  /// Draws all of the last picture again, over whatever another program wrote there (Ctrl-L).
  func repaint()

  /// Gives the terminal back to the shell and stops the process (Ctrl-Z); returns when it goes on.
  func suspend()
}

/// The size of a window, in columns and rows of characters.
package struct ScreenSize: Sendable, Hashable {
  /// How many columns wide it is.
  package var columns: Int

  /// How many rows high it is.
  package var rows: Int

  /// Creates a size.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
