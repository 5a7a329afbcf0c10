internal import StyledText
internal import TerminalScreen

package struct TextField: Sendable, Hashable {
  /// The maximum length in characters: longer than any name, URL or filter, and still fast after a large paste.
  private static let maximumCount = 2_048

  /// The message about text that wasn't inserted.
  static let fullMessage = "The text is cut: it can have \(maximumCount.grouped) characters"

  package private(set) var text: String
  package private(set) var cursor: Int
  /// Whether all of the text is selected, so that typing replaces it.
  package private(set) var isSelected = false

  package init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  package var isFull: Bool { text.count == Self.maximumCount }

  package var isAtEnd: Bool { cursor == text.count }

  package var textBeforeCursor: Substring { text.prefix(cursor) }

  /// Inserts text as one line. Line breaks and tabs become spaces, except that line breaks at either end are dropped,
  /// because copied lines often include them. Control characters and invisible characters are dropped, because the user
  /// couldn't see them.
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

  package mutating func selectAll() { isSelected = !text.isEmpty }

  mutating func deselect() { isSelected = false }

  package mutating func replace(_ range: Range<Int>, with replacement: String) {
    let before = text.prefix(range.lowerBound) + replacement
    // A combining mark joins the previous character.
    cursor = before.count
    text = String(before) + text.dropFirst(range.upperBound)
    cursor = min(cursor, text.count)
  }

  package mutating func edit(_ edit: Edit) {
    if isSelected {
      isSelected = false
      if !edit.isMotion { self = TextField() }
    }
    switch edit {
    case .insert(let raw): insert(raw)
    case .deleteBackward: replace(max(0, cursor - 1)..<cursor, with: "")
    case .deleteForward:
      let place = cursor
      replace(place..<min(place + 1, text.count), with: "")
    case .deleteToStart: replace(0..<cursor, with: "")
    case .deleteToEnd: text = String(textBeforeCursor)
    case .deleteAll: self = TextField()
    case .deleteWord: replace(wordStart..<cursor, with: "")
    case .deleteWordForward:
      let place = cursor
      replace(place..<wordEnd, with: "")
    case .moveWordLeft: cursor = wordStart
    case .moveWordRight: cursor = wordEnd
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
    case deleteAll
    case deleteWord
    case deleteWordForward
    case moveWordLeft
    case moveWordRight
    case moveLeft
    case moveRight
    case moveToStart
    case moveToEnd

    fileprivate var isMotion: Bool {
      switch self {
      case .moveWordLeft, .moveWordRight, .moveLeft, .moveRight, .moveToStart, .moveToEnd: true
      case .insert, .deleteBackward, .deleteForward, .deleteToStart, .deleteToEnd, .deleteAll,
        .deleteWord, .deleteWordForward:
        false
      }
    }
  }

  private var wordStart: Int { cursor - Self.reach(of: textBeforeCursor.reversed()) }

  private var wordEnd: Int { cursor + Self.reach(of: Array(text.dropFirst(cursor))) }

  /// The number of characters up to the end of the next word. A slash also ends a word.
  private static func reach(of characters: [Character]) -> Int {
    func isBoundary(_ character: Character) -> Bool {
      character.isWhitespace || character == "/"
    }
    let word = characters.drop(while: isBoundary)
    return characters.count - word.drop { !isBoundary($0) }.count
  }
}

extension TextField {
  /// Draws the text, scrolled to its cursor. If the text is empty, the prompt is shown.
  func draw(
    prompt: String, isFocused: Bool, in look: Look, on canvas: inout Canvas, column: Int, row: Int,
    width: Int
  ) {
    guard width > 0 else { return }
    if text.isEmpty {
      canvas.draw(
        StyledLine(prompt, within: width, style: look[.muted]), column: column, row: row,
        width: width)
      if isFocused { canvas.cursor = (column, row) }
      return
    }
    let cursor =
      text.index(text.startIndex, offsetBy: self.cursor, limitedBy: text.endIndex)
      ?? text.endIndex
    // Up to a quarter of the width is reserved for text after the cursor, and one column for the cursor.
    let following = min(
      width / 4, Canvas.columns(of: TerminalText(text[cursor...].prefix(width / 4))))
    let (start, before) = Self.start(of: text[..<cursor], within: width - 1 - following)
    let visible = text[start...].prefix(width)
    let line = StyledLine(visible)
    canvas.draw(line, column: column, row: row, width: width)
    if isFocused, isSelected {
      canvas.select(
        columns: column..<column + min(width, line.columns), row: row, look[.selection])
    }
    if isFocused { canvas.cursor = (column + before, row) }
  }

  /// The longest suffix of text that fits, and its width.
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
