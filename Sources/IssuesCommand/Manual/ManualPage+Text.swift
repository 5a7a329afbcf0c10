internal import StyledText

extension ManualPage {
  /// The page in the form in which `man` would show it. The content shared by all pages is included only on request.
  func text(width: Int, color: ColorMode, withShared: Bool) -> String {
    var lines = [StyledLine("\(name.uppercased())(1)", style: .heading), StyledLine("")]
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
    add("NAME", wrapped("\(name) - \(briefly)"))
    add("SYNOPSIS", synopsis.flatMap { wrapped($0) })
    for section in sections + (withShared ? sharedSections : []) {
      add(section.title, body(section.blocks))
      for part in section.parts { add(part.titleOfSentence, body(part.blocks), indent: 2) }
    }
    let names = related.map { "\(Self.name(of: $0))(1)" }
    if !names.isEmpty { add("SEE ALSO", wrapped(names.joined(separator: ", "))) }
    return lines.map { $0.rendered(in: color) + "\n" }.joined()
  }
}
