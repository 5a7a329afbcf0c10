internal import StyledText
internal import TerminalScreen

package struct TextField: Sendable, Hashable {
  /// The most characters: more than any name, address or filter has, and few enough to stay fast after a large
  /// paste.
  private static let maximumCount = 2_048

  /// The text, as it was typed or pasted.
  package private(set) var text: String
  /// The position of the next character, from 0.
  package private(set) var cursor: Int

  package init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// Whether the cursor is behind the last character.
  package var isAtEnd: Bool { cursor == text.count }

  package var textBeforeCursor: Substring { text.prefix(cursor) }

  /// Inserts text as one line, and moves the cursor behind it.
  ///
  /// Line breaks and tabs become blanks, except for line breaks at either end, which a copied line brings along.
  /// Controls and other invisible characters are left out: nobody could see what they search for.
  package mutating func insert(_ raw: String) {
    let line = raw.unicodeScalars.split(omittingEmptySubsequences: true) {
      $0 == "\n" || $0 == "\r"
    }
    .map { part in
      part.reduce(into: String.UnicodeScalarView()) { kept, scalar in
        if scalar == "\t" {
          kept.append(" ")
        } else if scalar.value >= 0x20, !TerminalText.isConcealed(scalar) {
          kept.append(scalar)
        }
      }
    }
    .map { String($0) }
    .joined(separator: " ")
    replace(cursor..<cursor, with: String(line.prefix(max(0, Self.maximumCount - text.count))))
  }

  /// Replaces characters, and moves the cursor behind the replacement.
  package mutating func replace(_ range: Range<Int>, with replacement: String) {
    let before = text.prefix(range.lowerBound) + replacement
    // A combining mark joins the character before it.
    cursor = before.count
    text = String(before) + text.dropFirst(range.upperBound)
    cursor = min(cursor, text.count)
  }

  package mutating func edit(_ edit: Edit) {
    switch edit {
    case .insert(let raw): insert(raw)
    case .deleteBackward: replace(max(0, cursor - 1)..<cursor, with: "")
    case .deleteForward:
      let place = cursor
      replace(place..<min(place + 1, text.count), with: "")
    case .deleteToStart: replace(0..<cursor, with: "")
    case .deleteToEnd: text = String(textBeforeCursor)
    case .deleteWord: replace(wordStart..<cursor, with: "")
    case .moveLeft: cursor = max(0, cursor - 1)
    case .moveRight: cursor = min(text.count, cursor + 1)
    case .moveToStart: cursor = 0
    case .moveToEnd: cursor = text.count
    }
  }

  package enum Edit: Sendable, Hashable {
    case insert(String)
    case deleteBackward
    case deleteForward
    case deleteToStart
    case deleteToEnd
    /// Deletes the word before the cursor, and the blanks after it.
    case deleteWord
    case moveLeft
    case moveRight
    case moveToStart
    case moveToEnd
  }

  /// The start of the word before the cursor. A slash ends a word too.
  private var wordStart: Int {
    let before = Array(textBeforeCursor)
    var start = before.count
    func isBoundary(_ index: Int) -> Bool { before[index].isWhitespace || before[index] == "/" }
    while start > 0, isBoundary(start - 1) { start -= 1 }
    while start > 0, !isBoundary(start - 1) { start -= 1 }
    return start
  }
}

extension TextField {
  /// Draws the text, scrolled so that its cursor is visible.
  ///
  /// - Parameters:
  ///   - prompt: The text of an empty field.
  ///   - isFocused: Whether the field has the keys.
  ///   - canvas: Where it is drawn.
  ///   - column: The first column.
  ///   - row: The row.
  ///   - width: The columns that it may take.
  func draw(
    prompt: String, isFocused: Bool, on canvas: inout Canvas, column: Int, row: Int, width: Int
  ) {
    guard width > 0 else { return }
    if text.isEmpty {
      canvas.draw(
        StyledLine(prompt, within: width, style: .faint), column: column, row: row,
        width: width)
      if isFocused { canvas.cursor = (column, row) }
      return
    }
    let cursor =
      text.index(text.startIndex, offsetBy: self.cursor, limitedBy: text.endIndex)
      ?? text.endIndex
    // A quarter of the width is for the text after the cursor, one column for the cursor itself.
    let following = min(
      width / 4, Canvas.columns(of: TerminalText(text[cursor...].prefix(width / 4))))
    let (start, before) = Self.start(of: text[..<cursor], within: width - 1 - following)
    let visible = text[start...].prefix(width)
    canvas.draw(StyledLine(visible), column: column, row: row, width: width)
    if isFocused { canvas.cursor = (column + before, row) }
  }

  /// The start of the longest end of a text that fits, and its width in columns.
  private static func start(
    of text: Substring, within limit: Int
  ) -> (index: String.Index, columns: Int) {
    var (start, columns) = (text.endIndex, 0)
    while start > text.startIndex {
      let previous = text.index(before: start)
      let width = Canvas.columns(of: TerminalText(text[previous..<start]))
      guard columns + width <= limit else { break }
      (start, columns) = (previous, columns + width)
    }
    return (start, columns)
  }
}
