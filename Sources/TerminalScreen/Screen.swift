/// Shows canvases and delivers the user's input: a terminal, or a substitute for tests.
@MainActor package protocol Screen: AnyObject {
  var size: ScreenSize { get }

  /// The events, beginning with ``InputEvent/resized(_:)``. They end when the terminal is closed. Only one task may
  /// read them.
  var events: AsyncStream<InputEvent> { get }

  func show(_ canvas: Canvas)

  /// Draws the last canvas again, over the output of other programs (Ctrl-L).
  func repaint()

  /// Returns the terminal to the shell and stops the process until it is continued (Ctrl-Z).
  func suspend()

  /// Copies text into the clipboard of the terminal's computer.
  func copy(_ text: String) -> CopyOutcome

  /// Lends the terminal to another program, such as an editor, until `work` returns. Then it shows the newest canvas.
  ///
  /// During the loan the terminal has its original settings, keys aren't read, nothing is drawn, and Ctrl-C doesn't end
  /// the process.
  func lend<Result: Sendable>(during work: @MainActor () async -> Result) async -> Result
}

/// A size in columns and rows of characters.
package struct ScreenSize: Sendable, Hashable {
  package var columns: Int

  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
