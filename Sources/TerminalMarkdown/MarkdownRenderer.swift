internal import CMarkGFM
package import StyledText

/// Renders GitHub-flavoured Markdown as lines for a terminal.
///
/// What is written is what GitHub shows in an issue: a line break is one, comments of templates are
/// hidden, names of emoji are emoji. No image is loaded, and no address is asked for.
package struct MarkdownRenderer: Sendable {
  /// How links are shown.
  package enum Links: Sendable, Hashable {
    /// The text itself leads there: a terminal that knows OSC 8 is asked to make it clickable.
    case hyperlinks
    /// A number in brackets behind the text, and the addresses below the document.
    case footnotes
  }

  /// The longest line in columns, at least 1.
  package var width: Int
  /// How links are shown.
  package var links: Links
  /// The address of the repository's page, which `#12` and relative links lead below; nil where they lead
  /// nowhere.
  package var repositoryURL: String?
  /// Whether the terminal shows more than ASCII: bars, bullets and boxes are drawn with it.
  package var isUnicode = true

  /// The version of cmark-gfm, such as `0.29.0.gfm.13`.
  package static var parserVersion: String { String(cString: cmark_version_string()) }

  /// Creates a renderer.
  package init(width: Int, links: Links = .footnotes, repositoryURL: String? = nil) {
    self.width = width
    self.links = links
    self.repositoryURL = repositoryURL
  }

  /// Renders a document.
  ///
  /// The time that it takes grows with the length of the document, not with its square: of what is longer
  /// than GitHub takes the beginning is shown, and what would keep the parser busy is shown as it was written.
  /// Both is told in a line of its own.
  ///
  /// - Parameter markdown: The document, hostile or not.
  /// - Returns: Its lines, none wider than ``width`` but for a character that is.
  package func lines(of markdown: String) -> [StyledLine] {
    let bounded = DocumentBounds(markdown)
    var lines: [StyledLine]
    if bounded.isParsable, let tree = MarkdownTree.parsed(bounded.text) {
      var writer = DocumentWriter(renderer: self)
      tree.visit { node, isBeginning in writer.write(node, isBeginning: isBeginning) }
      lines = writer.finish()
    } else {
      lines = notice("Shown as it was written:") + source(of: bounded.text)
    }
    if bounded.isCut {
      lines += [StyledLine()] + notice("The document goes on: this is its beginning.")
    }
    return lines
  }

  private func source(of markdown: String) -> [StyledLine] {
    markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { StyledLine($0).broken(to: width) }
  }

  private func notice(_ text: String) -> [StyledLine] {
    StyledLine(text, style: .faint).wrapped(to: width)
  }
}
