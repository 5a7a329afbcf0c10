internal import StyledText

extension DocumentWriter {
  private static let tabWidth = 4
  /// The maximum number of parts, more than in thousands of lines of typical code. A part uses a hundred bytes of
  /// memory, and code of single letters would have many.
  private static let maximumParts = 1 << 14

  /// Writes code between two rules, the first with the language. It has no indent and no frame, so that it can be
  /// copied.
  mutating func writeCode(_ code: String, language: String) {
    page.beginBlock()
    let mark = StyledLine.Run("\(glyphs.continuation) ", style: styles.frame)
    var lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    let texts = lines.map(Self.expandingTabs)
    let shown = highlighted(texts, in: language)
    let room = page.room
    let longest = shown.reduce(0) { max($0, min(room, $1.columns)) }
    let gap = glyphs.isPlain ? "" : " "
    let label = language.isEmpty ? "" : " \(TerminalText(language).string)\(gap)"
    let top = StyledLine(runs: [
      .init(glyphs.topCorner + glyphs.rule, style: styles.frame),
      .init(DisplayWidth.prefix(of: label, within: room - 2), style: styles.aside),
    ])
    let width = min(room, max(longest, top.columns + 2, 16))
    let fill = String(repeating: glyphs.rule, count: max(0, width - top.columns))
    write(rule: StyledLine(runs: top.runs + [.init(fill, style: styles.frame)]))
    let begin = page.lines.count
    for line in shown { page.write(verbatim: line, continuation: mark) }
    codeBlocks.append(
      RenderedDocument.CodeBlock(
        text: Self.copyable(lines), language: TerminalText(language).string,
        lines: begin..<page.lines.count))
    let bottom = glyphs.bottomCorner + String(repeating: glyphs.rule, count: width - 1)
    write(rule: StyledLine(bottom, style: styles.frame))
  }

  private mutating func highlighted(_ lines: [String], in language: String) -> [StyledLine] {
    guard let language = CodeLanguage(named: language) ?? CodeLanguage(of: lines, in: language)
    else { return lines.map { StyledLine($0) } }
    var lexer = CodeLexer(language)
    return lines.map { line in
      guard highlightedParts < Self.maximumParts else { return StyledLine(line) }
      let bytes = Array(line.utf8)
      let parts = lexer.parts(of: bytes)
      highlightedParts += parts.count
      return StyledLine(
        runs: parts.map { part, range in
          .init(String(decoding: bytes[range], as: UTF8.self), style: styles.style(of: part))
        })
    }
  }

  /// The code without control characters and invisible characters, which would take effect when pasted.
  private static func copyable(_ lines: [Substring]) -> String {
    lines.reduce(into: "") { text, line in
      text += line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { TerminalText($0).string }
        .joined(separator: "\t")
      text += "\n"
    }
  }

  private mutating func write(rule: StyledLine) {
    page.write(verbatim: rule, continuation: .init(""))
  }

  /// Replaces tabs, which must not reach a terminal, with spaces.
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
