internal import StyledText

/// The text of a block before it is wrapped, in lines.
struct InlineText {
  private struct Piece {
    var text: String
    var style: Style
    var link: WebLink?
  }

  private var lines: [StyledLine] = []
  private var pieces: [Piece] = []

  var isAtBeginningOfLine: Bool { pieces.isEmpty }

  var isEmpty: Bool { pieces.isEmpty && lines.isEmpty }

  mutating func append(_ text: some StringProtocol, style: Style, link: WebLink? = nil) {
    guard !text.isEmpty else { return }
    // The piece is modified in place. A copy would copy its whole text for each word.
    if let last = pieces.indices.last, pieces[last].style == style, pieces[last].link == link {
      pieces[last].text += text
    } else {
      pieces.append(Piece(text: String(text), style: style, link: link))
    }
  }

  /// Collapses the white space of HTML text into single spaces, for the current line.
  func collapsing(_ text: some StringProtocol) -> String {
    var collapsed = ""
    var isBlank = pieces.last.map { $0.text.utf8.last == 0x20 } ?? true
    for scalar in text.unicodeScalars {
      let isWhite = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
      if !isWhite {
        collapsed.unicodeScalars.append(scalar)
      } else if !isBlank {
        collapsed += " "
      }
      isBlank = isWhite
    }
    return collapsed
  }

  mutating func breakLine() {
    let line = StyledLine(runs: pieces.map { .init($0.text, style: $0.style, link: $0.link) })
    lines.append(line.withoutBlanksAtItsEnd)
    pieces = []
  }

  /// Removes and returns the collected lines, without empty ones at either end.
  mutating func take() -> [StyledLine] {
    if !pieces.isEmpty { breakLine() }
    defer { lines = [] }
    let isBlank = { (line: StyledLine) in
      line.runs.allSatisfy { $0.text.string.utf8.allSatisfy { $0 == 0x20 } }
    }
    guard let first = lines.firstIndex(where: { !isBlank($0) }),
      let last = lines.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(lines[first...last])
  }
}
