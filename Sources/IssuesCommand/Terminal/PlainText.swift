internal import StyledText

/// A text of several lines for the next program, or whatever terminal it ends up on.
enum PlainText {
  /// The text as it was written, with its line breaks and tabs; all else that a terminal would obey is shown
  /// as ``TerminalText`` shows it.
  ///
  /// Line breaks are those of Markdown (<https://spec.commonmark.org/0.31.2/#line-ending>), and come out as
  /// line feeds: browsers send CR and LF.
  static func harmless(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
      .map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false)
          .map { TerminalText($0).string }
          .joined(separator: "\t")
      }
      .joined(separator: "\n")
  }
}
