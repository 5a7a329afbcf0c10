import StyledText
import TerminalMarkdown
import TestSupport

/// Renders documents, and checks what holds for all.
enum Rendering {
  /// Renders a document.
  static func lines(
    _ markdown: String, width: Int = 80, links: MarkdownRenderer.Links = .footnotes,
    repositoryURL: String? = "https://github.com/apple/swift", isUnicode: Bool = true
  ) -> [StyledLine] {
    DisplayWidth.prepare()
    var renderer = MarkdownRenderer(width: width, links: links, repositoryURL: repositoryURL)
    renderer.isUnicode = isUnicode
    return renderer.lines(of: markdown)
  }

  /// The text of a rendered document.
  static func text(
    _ markdown: String, width: Int = 80, links: MarkdownRenderer.Links = .footnotes,
    repositoryURL: String? = "https://github.com/apple/swift", isUnicode: Bool = true
  ) -> String {
    lines(
      markdown, width: width, links: links, repositoryURL: repositoryURL, isUnicode: isUnicode
    ).map(\.plain).joined(separator: "\n")
  }

  /// Throws if a line is too wide or has anything that a terminal would obey, or if there are too many lines.
  static func check(_ markdown: String, width: Int) throws {
    let lines = lines(markdown, width: width)
    let name = "\(markdown.prefix(300).debugDescription) at \(width)"
    for line in lines {
      // A character of two columns doesn't fit into one.
      try TestSupport.check(line.columns <= max(2, width), "\(line.columns) columns: \(name)")
      try TestSupport.check(HostileText.dangers(in: line.plain).isEmpty, "\(line.plain): \(name)")
    }
    // A byte becomes at most twelve columns, in a table cell of five, with a blank line before and one or two rules
    // around it. An address stands after its text and again below.
    let bound = 20 * markdown.utf8.count + 10
    try TestSupport.check(lines.count <= bound, "\(lines.count) lines: \(name)")
  }
}
