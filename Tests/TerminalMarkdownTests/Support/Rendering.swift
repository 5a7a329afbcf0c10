import StyledText
import TerminalMarkdown
import TestSupport

/// Renders documents, and checks the rules for all of them.
enum Rendering {
  /// Renders a document.
  static func document(
    _ markdown: String, width: Int = 80, links: MarkdownRenderer.Links = .footnotes,
    repositoryURL: String? = "https://github.com/apple/swift", isUnicode: Bool = true,
    hasStyles: Bool = true
  ) -> RenderedDocument {
    DisplayWidth.prepare()
    var renderer = MarkdownRenderer(width: width, links: links, repositoryURL: repositoryURL)
    renderer.isUnicode = isUnicode
    renderer.hasStyles = hasStyles
    return renderer.document(of: markdown)
  }

  /// The lines of a rendered document.
  static func lines(
    _ markdown: String, width: Int = 80, links: MarkdownRenderer.Links = .footnotes,
    repositoryURL: String? = "https://github.com/apple/swift", isUnicode: Bool = true
  ) -> [StyledLine] {
    document(
      markdown, width: width, links: links, repositoryURL: repositoryURL, isUnicode: isUnicode
    ).lines
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

  /// Throws if a line is too wide or has anything that a terminal would obey, if there are too many lines, or if a link
  /// or a block of code isn't where the document says.
  static func check(_ markdown: String, width: Int) throws {
    let document = document(markdown, width: width)
    let lines = document.lines
    let name = "\(markdown.prefix(300).debugDescription) at \(width)"
    for line in lines {
      // A character of two columns doesn't fit into one.
      try TestSupport.check(line.columns <= max(2, width), "\(line.columns) columns: \(name)")
      try TestSupport.check(HostileText.dangers(in: line.plain).isEmpty, "\(line.plain): \(name)")
    }
    // A byte becomes at most twelve columns, in a table cell of five, with a blank line before and one or two rules
    // around it. An address appears after its text and again below.
    let bound = 20 * markdown.utf8.count + 10
    try TestSupport.check(lines.count <= bound, "\(lines.count) lines: \(name)")
    for link in document.links {
      for place in link.places {
        let runs = lines[place.line].runs
        try TestSupport.check(runs[place.runs].allSatisfy { $0.link == link.target }, name)
        let before = runs[..<place.runs.lowerBound].reduce(0) { $0 + $1.columns }
        let columns = runs[place.runs].reduce(0) { $0 + $1.columns }
        try TestSupport.check(place.columns == before..<before + columns, name)
      }
    }
    for block in document.codeBlocks {
      try TestSupport.check(block.lines.upperBound < lines.count, name)
      try TestSupport.check(
        HostileText.dangers(in: block.text.filter { $0 != "\n" && $0 != "\t" }).isEmpty, name)
    }
  }
}
