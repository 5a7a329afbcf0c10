internal import StyledText

extension DocumentWriter {
  /// How far apart tabs are in code, in columns.
  private static let tabWidth = 4

  /// Writes a block of code, between two lines of which the first names the language.
  ///
  /// The code itself stands as far left as it can and has nothing around it, so that it can be copied.
  mutating func writeCode(_ code: String, language: String) {
    page.beginBlock()
    let mark = StyledLine.Run("\(glyphs.continuation) ", style: .faint)
    var lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    let texts = lines.map { StyledLine(Self.expandingTabs($0), style: .code) }
    let room = page.room
    let longest = texts.reduce(0) { max($0, min(room, $1.columns)) }
    let label = language.isEmpty ? "" : " \(TerminalText(language).string) "
    let top = "\(glyphs.topCorner)\(glyphs.rule)\(label)"
    let width = min(room, max(longest, DisplayWidth.columns(of: top) + 2, 16))
    let fill = max(0, width - DisplayWidth.columns(of: top))
    write(
      rule: StyledLine(
        top + String(repeating: glyphs.rule, count: fill), style: .faint
      ).cut(to: room))
    for text in texts { page.write(verbatim: text, continuation: mark) }
    write(
      rule: StyledLine(
        glyphs.bottomCorner + String(repeating: glyphs.rule, count: max(0, width - 1)),
        style: .faint))
  }

  private mutating func write(rule: StyledLine) {
    page.write(verbatim: rule, continuation: .init(""))
  }

  /// The line with blanks for its tabs: a terminal isn't given any.
  private static func expandingTabs(_ line: Substring) -> String {
    guard line.utf8.contains(0x09) else { return String(line) }
    var result = ""
    var column = 0
    for character in line {
      if character == "\t" {
        let blanks = tabWidth - column % tabWidth
        result += String(repeating: " ", count: blanks)
        column += blanks
      } else {
        result.append(character)
        column += DisplayWidth.columns(of: character)
      }
    }
    return result
  }
}
