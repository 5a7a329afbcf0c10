internal import CMarkGFM
package import StyledText

/// Renders GitHub-flavoured Markdown as lines for a terminal.
///
/// The lines show the same as GitHub's page of an issue: line breaks are kept, comments of templates are hidden, and
/// names of emoji become emoji. No image is loaded, and no address is requested.
package struct MarkdownRenderer: Sendable {
  package enum Links: Sendable, Hashable {
    /// The text itself is a hyperlink, for terminals that know OSC 8.
    case hyperlinks
    /// A number in brackets after the text, and the addresses below the document.
    case footnotes
  }

  /// The longest line in columns, at least 1.
  package var width: Int
  package var links: Links
  /// The address of the repository's page, which `#12` and relative links are relative to; nil for no such links.
  package var repositoryURL: String?
  /// Whether the terminal shows more than ASCII: bars, bullets and boxes are drawn with it.
  package var isUnicode = true
  /// Whether the terminal strikes text through. If not, such text keeps its tildes, because it means the opposite
  /// without them.
  package var hasStrikethrough = true

  /// The version of cmark-gfm, such as `0.29.0.gfm.13`.
  package static var parserVersion: String { String(cString: cmark_version_string()) }

  package init(width: Int, links: Links = .footnotes, repositoryURL: String? = nil) {
    self.width = width
    self.links = links
    self.repositoryURL = repositoryURL
  }

  /// Renders a document.
  ///
  /// The time grows with the length of the document, not with its square: a document that is longer than GitHub's
  /// limit is cut, and a document that would keep the parser busy is shown as it was written. A line says so.
  ///
  /// - Parameter markdown: The document, hostile or not.
  /// - Returns: Its lines, none wider than ``width`` unless a single character is.
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
