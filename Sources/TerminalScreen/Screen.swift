/// Shows pictures and delivers the user's input: a terminal, or a substitute for tests.
@MainActor package protocol Screen: AnyObject {
  var size: ScreenSize { get }

  /// Only one task may read it. It begins with ``InputEvent/resized(_:)`` and ends when the terminal is gone.
  var events: AsyncStream<InputEvent> { get }

  func show(_ canvas: Canvas)

  /// Draws the last picture again, over the output of other programs (Ctrl-L).
  func repaint()

  /// Returns the terminal to the shell and stops the process (Ctrl-Z) until it is continued.
  func suspend()

  /// Puts a text into the clipboard beside the terminal.
  func copy(_ text: String) -> CopyOutcome

  /// Lends the terminal to another program, such as an editor, until `work` returns. Then it shows the newest picture.
  ///
  /// During the loan the terminal has its original settings, keys aren't read, nothing is drawn, and Ctrl-C doesn't end
  /// the process.
  func lend<Result: Sendable>(during work: @MainActor () async -> Result) async -> Result
}

/// In columns and rows of characters.
package struct ScreenSize: Sendable, Hashable {
  package var columns: Int

  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
