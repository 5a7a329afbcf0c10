/// A screen that shows pictures and sends the user's input: a terminal, or a stand-in for tests.
@MainActor package protocol Screen: AnyObject {
  /// The size of the window.
  var size: ScreenSize { get }

  /// The user's input, for one reader. The first element is ``InputEvent/resized(_:)``. The stream ends when the
  /// terminal is gone.
  var events: AsyncStream<InputEvent> { get }

  /// Shows a picture in place of the last one.
  func show(_ canvas: Canvas)

  /// Draws the last picture again, over the output of other programs (Ctrl-L).
  func repaint()

  /// Returns the terminal to the shell and stops the process (Ctrl-Z). Returns when the process continues.
  func suspend()
}

/// The size of a window, in columns and rows of characters.
package struct ScreenSize: Sendable, Hashable {
  package var columns: Int

  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
