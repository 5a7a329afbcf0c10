extension StyledLine {
  /// The line as several, none wider than `width`.
  ///
  /// A line breaks at blanks, which go, and between ideographs. A word that doesn't fit on a line of its own
  /// breaks behind its hyphens and slashes, and where it has none at the edge. No cluster of code points that
  /// shows as one character is broken, and closing punctuation stays with what it closes.
  ///
  /// - Parameters:
  ///   - width: The longest line in columns, with its indent.
  ///   - indent: What the first line begins with.
  ///   - hangingIndent: What the other lines begin with.
  /// - Returns: At least one line. Wider than `width` is one only where an indent leaves less room than
  ///   a character takes.
  package func wrapped(
    to width: Int, indent: StyledLine = StyledLine(), hangingIndent: StyledLine = StyledLine()
  ) -> [StyledLine] {
    var wrapping = LineWrapping(
      line: self, width: width, indent: indent, hangingIndent: hangingIndent)
    return wrapping.lines(breakingAnywhere: false)
  }

  /// The line as several, broken where the edge falls: nothing is left out of it, blanks neither.
  ///
  /// - Parameters:
  ///   - width: The longest line in columns, with its indent.
  ///   - indent: What the first line begins with.
  ///   - hangingIndent: What the other lines begin with.
  /// - Returns: At least one line. Wider than `width` is one only where an indent leaves less room than
  ///   a character takes.
  package func broken(
    to width: Int, indent: StyledLine = StyledLine(), hangingIndent: StyledLine = StyledLine()
  ) -> [StyledLine] {
    var wrapping = LineWrapping(
      line: self, width: width, indent: indent, hangingIndent: hangingIndent)
    return wrapping.lines(breakingAnywhere: true)
  }
}
