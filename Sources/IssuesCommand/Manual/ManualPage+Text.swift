internal import StyledText

extension ManualPage {
  /// The page as `man` would show it, or only the sections with these titles. Only the command's own page includes the
  /// sections that all pages share.
  func text(width: Int, color: ColorMode, only titles: [String]? = nil) -> String {
    var lines: [StyledLine] = []
    func add(_ title: String, _ body: [StyledLine], indent: Int = 0) {
      let indent = String(repeating: " ", count: indent)
      lines += [StyledLine(indent + title, style: .heading)] + body + [StyledLine("")]
    }
    func wrapped(_ text: String, _ indent: Int = 4) -> [StyledLine] {
      let indent = StyledLine(String(repeating: " ", count: indent))
      return StyledLine(text).wrapped(to: width, indent: indent, hangingIndent: indent)
    }
    func body(_ blocks: [ManualBlock]) -> [StyledLine] {
      var lines: [StyledLine] = []
      for (index, block) in blocks.enumerated() {
        if index > 0 { lines.append(StyledLine("")) }
        switch block {
        case .paragraph(let text): lines += wrapped(text)
        case .lines(let kept): lines += kept.map { StyledLine("      \($0)") }
        case .entries(let entries):
          for entry in entries {
            lines += [StyledLine("    \(entry.term)")] + wrapped(entry.text, 8)
          }
        }
      }
      return lines
    }
    if titles == nil {
      lines = [StyledLine("\(name.uppercased())(1)", style: .heading), StyledLine("")]
      add("NAME", wrapped("\(name) - \(briefly)"))
      add("SYNOPSIS", synopsis.flatMap { wrapped($0) })
    }
    for section in sections + (words.count == 1 ? sharedSections : [])
    where titles?.contains(section.title) ?? true {
      add(section.title, body(section.blocks))
      for part in section.parts { add(part.titleOfSentence, body(part.blocks), indent: 2) }
    }
    let names = related.map { "\(Self.name(of: $0))(1)" }
    if !names.isEmpty, titles == nil { add("SEE ALSO", wrapped(names.joined(separator: ", "))) }
    return lines.map { $0.rendered(in: color) + "\n" }.joined()
  }
}
